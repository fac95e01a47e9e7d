package index

import (
	"cmp"
	"context"
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

// groups are all ways to sum up matches. Month and year are those of the start, in UTC; that of
// matches of an unknown day is "" and comes last.
var groups = []group{
	{name: "opponent", column: "opponent", key: func(m *Match) string { return m.Opponent }},
	{name: "preset", column: "preset", key: func(m *Match) string { return m.Preset }},
	{name: "account", column: "account", key: func(m *Match) string { return m.Account }},
	{name: "event", column: "event", key: func(m *Match) string { return m.Event }},
	{name: "length", column: "length", key: func(m *Match) string { return strconv.Itoa(m.Length) }},
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
