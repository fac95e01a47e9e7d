package index

import (
	"context"
	"time"
)

// rows hold the rows of an index: in a database, or in memory. They are safe for concurrent
// use. Filters were checked.
type rows interface {
	// list yields the matches that fit, newest first, without their games, until yield returns
	// an error, which list returns.
	list(ctx context.Context, f *Filter, yield func(*Match) error) error
	// named returns at most two matches whose ID begins with id or whose file name contains it,
	// that with just this ID first.
	named(ctx context.Context, id string) ([]*Match, error)
	// games returns the games of the match with just this ID.
	games(ctx context.Context, id string) ([]Game, error)
	// same returns the rows with an Identity, the earliest first.
	same(ctx context.Context, identity string) ([]copyRow, error)
	// names counts the matches of each account; with opponents, of each player.
	names(ctx context.Context, opponents bool) (map[string]int, error)
	// dice calls add with the games and rolls of each match that fits.
	dice(ctx context.Context, f *Filter, add func(games int, one *Dice)) error
	// sum sums up the matches that fit by g. With both, the matches are those of a pair of
	// players in both views, see DB.Compare.
	sum(ctx context.Context, both *pair, f *Filter, g group) ([]Stats, error)

	// incomplete reports whether the match files were not read yet.
	incomplete(ctx context.Context) (bool, error)
	// check reads all rows and returns an error that is Corrupt if some are damaged.
	check(ctx context.Context) error
	// update makes all changes of do, or none if do returns an error.
	update(ctx context.Context, do func(edits) error) error
	Close() error
}

// edits are what an update may do.
type edits interface {
	// clear removes all rows. After the update the rows count as complete.
	clear() error
	insert(m *Match) error
	remove(id string) error
	// files returns the files of the rows with an Identity.
	files(identity string) ([]string, error)
}

// copyRow is what identifies one of several rows with an Identity.
type copyRow struct {
	id, file string
	started  time.Time
}

// pair are two players as patterns.
type pair struct{ name, other string }
