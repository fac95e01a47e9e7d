package index

import "context"

// rows hold the rows of an index: in a database, or in memory. They are safe for concurrent
// use. Filters were checked.
type rows interface {
	lister
	// incomplete reports whether the match files were not read yet.
	incomplete(ctx context.Context) (bool, error)
	// check reads all rows and returns an error that is Corrupt if some are damaged.
	check(ctx context.Context) error
	// update makes all changes of do, or none if do returns an error.
	update(ctx context.Context, do func(edits) error) error
	Close() error
}

// lister yields the matches that fit, newest first, with the named columns, until yield returns
// an error, which list returns.
type lister interface {
	list(ctx context.Context, f *Filter, columns []string, yield func(*Match) error) error
}

// edits are what an update may do.
type edits interface {
	lister
	// clear removes all rows. After the update the rows count as complete.
	clear() error
	insert(m *Match) error
	remove(id string) error
}

// collect returns the matches that fit, newest first, with the named columns.
func collect(ctx context.Context, from lister, f *Filter, columns ...string) (out []*Match, err error) {
	err = from.list(ctx, f, columns, func(m *Match) error {
		out = append(out, m)
		return nil
	})
	return out, err
}
