package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// group is a way to sum up matches.
type group struct {
	name   string
	column string // that key reads
	key    func(*Match) string
	period bool // in its own order, not the most matches first
}

// total sums up all matches together.
var total = group{column: "id", key: func(*Match) string { return "" }}

// inUTC returns a key for the start of a match in a layout of package time, "" for an unknown day.
func inUTC(layout string) func(*Match) string {
	return func(m *Match) string {
		if m.Started.IsZero() {
			return ""
		}
		return m.Started.UTC().Format(layout)
	}
}

// groups are all ways to sum up matches. Day, month and year are those of the start, in UTC; that of
// matches of an unknown day is "" and comes last.
var groups = []group{
	{name: "opponent", column: "opponent", key: func(m *Match) string { return m.Opponent }},
	{name: "preset", column: "preset", key: func(m *Match) string { return m.Preset }},
	{name: "account", column: "account", key: func(m *Match) string { return m.Account }},
	{name: "event", column: "event", key: func(m *Match) string { return m.Event }},
	{name: "length", column: "length", key: func(m *Match) string { return strconv.Itoa(m.Length) }},
	{name: "day", column: "started", key: inUTC("2006-01-02"), period: true},
	{name: "month", column: "started", key: inUTC("2006-01"), period: true},
	{name: "year", column: "started", key: inUTC("2006"), period: true},
}

// Groups are the ways to sum up that DB.Stats knows, besides "" for the total.
var Groups = groupNames()

func groupNames() (out []string) {
	for _, g := range groups {
		out = append(out, g.name)
	}
	return out
}

// Stats sums up the matches that fit by one of Groups, or all together for by "". Groups
// with more matches come first, periods in their order.
func (d *DB) Stats(ctx context.Context, f Filter, by string) ([]Stats, error) {
	g := total
	if by != "" {
		i := slices.IndexFunc(groups, func(g group) bool { return g.name == by })
		if i < 0 {
			return nil, badField(ErrFilter, "by", "unknown value %.40q (use %s)", by, strings.Join(slices.Concat(Groups, SplitBy), ", "))
		}
		g = groups[i]
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	sum := newSummer(g)
	if err := d.rows.list(ctx, &f, append(summedColumns(), g.column), func(m *Match) error {
		sum.add(m)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("statistics: %w", err)
	}
	return sum.stats(), nil
}

// SortStats puts the best first by a statistic; by one of which neither end is better, the
// highest. Unknown figures come last.
func SortStats(list []Stats, name string) error {
	by := StatisticOf(name)
	if by == nil {
		return badField(ErrFilter, "sort", "unknown statistic %.40q (use %s)", name, strings.Join(StatisticNames(), ", "))
	}
	slices.SortStableFunc(list, func(a, b Stats) int {
		x, y := a.Get(name), b.Get(name)
		switch {
		case !x.Known() || !y.Known():
			return cmp.Compare(oneIf(!x.Known()), oneIf(!y.Known()))
		case by.Better < 0:
			return cmp.Compare(x, y)
		}
		return cmp.Compare(y, x)
	})
	return nil
}

// Accounts returns how many matches are filed under each account.
func (d *DB) Accounts(ctx context.Context) (map[string]int, error) {
	return d.count(ctx, func(m *Match) []string { return []string{m.Account} })
}

// Names returns in how many matches each player occurs.
func (d *DB) Names(ctx context.Context) (map[string]int, error) {
	return d.count(ctx, func(m *Match) []string { return []string{m.Account, m.Opponent} })
}

func (d *DB) count(ctx context.Context, names func(*Match) []string) (map[string]int, error) {
	out := map[string]int{}
	return out, d.rows.list(ctx, &Filter{}, []string{"account", "opponent"}, func(m *Match) error {
		for _, name := range names(m) {
			out[name]++
		}
		return nil
	})
}

// Played reports whether a bot filed the match itself.
func Played(m *Match) bool { return ownName(m.File) }

// ErrPlayer means that a name is not one of the players of a match.
var ErrPlayer = fmt.Errorf("%w: not a player of the match", ErrFilter)

// SetAccount files a match under one of its two players, ignoring case, and returns its row.
// The error wraps ErrPlayer for another name and ErrPruned without a file.
func (d *DB) SetAccount(ctx context.Context, row *Match, name string) (*Match, error) {
	return d.Change(ctx, row, Change{Account: &name})
}

// Compare sums up the matches of each player that fit f, on whichever side the player
// is, in the player's view. For two players it adds a row "A against B" with the matches
// between them in A's view. Names ignore case; * matches anything.
// Account and Opponent of f are ignored.
func (d *DB) Compare(ctx context.Context, f Filter, players ...string) ([]Stats, error) {
	for _, p := range players {
		if strings.TrimSpace(p) == "" {
			return nil, badField(ErrFilter, "player", "no name given")
		}
	}
	var out []Stats
	for _, p := range players {
		s, err := d.player(ctx, f, p, "*")
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	if len(players) == 2 {
		s, err := d.player(ctx, f, players[0], players[1])
		if err != nil {
			return nil, err
		}
		s.Key = players[0] + " against " + players[1]
		out = append(out, s)
	}
	return out, nil
}

// errEnough ends a list at the limit of the filter.
var errEnough = errors.New("enough matches")

// player sums up the matches of name against other. A match between namesakes counts once.
func (d *DB) player(ctx context.Context, f Filter, name, other string) (Stats, error) {
	f.Accounts, f.Account, f.Opponent = nil, name, other
	if err := f.check(); err != nil {
		return Stats{}, err
	}
	names, view := (&Filter{Account: name, Opponent: other}).conditions(), (&Filter{Account: name, Opponent: other, Result: f.Result}).conditions()
	either := f
	either.Account, either.Opponent, either.between, either.Result, either.Limit = "", "", pair{name, other}, "", 0
	sum := newSummer(total)
	sum.group("") // also without a match
	n := 0
	err := d.rows.list(ctx, &either, append(summedColumns(), "account", "opponent"), func(m *Match) error {
		if !fits(m, names) {
			m = m.mirrored()
		}
		if !fits(m, view) {
			return nil
		}
		sum.add(m)
		if n++; n == f.Limit {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return Stats{}, fmt.Errorf("statistics: %w", err)
	}
	s := sum.stats()[0]
	s.Key = name
	return s, nil
}

// mirrored returns the row in the view of the opponent.
func (m *Match) mirrored() *Match {
	out := *m
	out.Account, out.Opponent, out.Me, out.Result, out.Adjusted = m.Opponent, m.Account, 1-m.Me, -m.Result, -m.Adjusted
	out.Shallow[0], out.Shallow[1] = m.Shallow[1], m.Shallow[0]
	out.Score[0], out.Score[1] = m.Score[1], m.Score[0]
	for _, p := range []*[2]Figure{&out.Rating, &out.RatingAfter, &out.Error, &out.Checker, &out.Cube, &out.Unforced, &out.Close, &out.Counted, &out.PR, &out.Luck} {
		p[0], p[1] = p[1], p[0]
	}
	return &out
}
