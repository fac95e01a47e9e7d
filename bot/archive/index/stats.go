package index

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
)

// group is a way to sum up matches.
type group struct {
	name     string
	sql      string
	postgres string // where PostgreSQL differs
	period   bool   // in its own order, not the most matches first
	key      func(*Match) string
}

// total sums up all matches together.
var total = group{sql: `''`, key: func(*Match) string { return "" }}

// inUTC returns a key for the start of a match in a layout of package time.
func inUTC(layout string) func(*Match) string {
	return func(m *Match) string {
		if m.Started.IsZero() {
			return ""
		}
		return time.Unix(storedTime(m.Started), 0).UTC().Format(layout)
	}
}

// dated is a period, or "" for a match of an unknown day.
func dated(period string) string { return `CASE WHEN started = 0 THEN '' ELSE ` + period + ` END` }

// groups are all ways to sum up matches. Month and year are those of the start, in UTC; that of
// matches of an unknown day is "" and comes last.
var groups = []group{
	{name: "opponent", sql: "opponent", key: func(m *Match) string { return m.Opponent }},
	{name: "preset", sql: "preset", key: func(m *Match) string { return m.Preset }},
	{name: "account", sql: "account", key: func(m *Match) string { return m.Account }},
	{name: "event", sql: "event", key: func(m *Match) string { return m.Event }},
	{name: "length", sql: "CAST(length AS TEXT)", key: func(m *Match) string { return strconv.Itoa(m.Length) }},
	{name: "month", sql: dated(`strftime('%Y-%m', started, 'unixepoch')`), postgres: dated(`to_char(to_timestamp(started) AT TIME ZONE 'UTC', 'YYYY-MM')`), period: true, key: inUTC("2006-01")},
	{name: "year", sql: dated(`strftime('%Y', started, 'unixepoch')`), postgres: dated(`to_char(to_timestamp(started) AT TIME ZONE 'UTC', 'YYYY')`), period: true, key: inUTC("2006")},
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
	return d.sum(ctx, nil, f, g)
}

// sum sums up the matches that fit by g; with both, those of a pair of players in both views.
func (d *DB) sum(ctx context.Context, both *pair, f Filter, g group) ([]Stats, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	return d.rows.sum(ctx, both, &f, g)
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
