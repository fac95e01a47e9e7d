package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// group is a way to sum up matches.
type group struct {
	name     string
	sql      string
	postgres string // where PostgreSQL differs
	period   bool   // in its own order, not the most matches first
}

// groups are all ways to sum up matches. Month and year are those of the start, in UTC.
var groups = []group{
	{name: "opponent", sql: "opponent"},
	{name: "preset", sql: "preset"},
	{name: "account", sql: "account"},
	{name: "length", sql: "CAST(length AS TEXT)"},
	{name: "month", sql: `strftime('%Y-%m', started, 'unixepoch')`, postgres: `to_char(to_timestamp(started) AT TIME ZONE 'UTC', 'YYYY-MM')`, period: true},
	{name: "year", sql: `strftime('%Y', started, 'unixepoch')`, postgres: `to_char(to_timestamp(started) AT TIME ZONE 'UTC', 'YYYY')`, period: true},
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
	g := group{sql: `''`}
	if by != "" {
		i := slices.IndexFunc(groups, func(g group) bool { return g.name == by })
		if i < 0 {
			return nil, badField(ErrFilter, "by", "unknown value %.40q (use %s)", by, strings.Join(slices.Concat(Groups, SplitBy), ", "))
		}
		g = groups[i]
	}
	if d.postgres && g.postgres != "" {
		g.sql = g.postgres
	}
	return d.sum(ctx, `matches`, nil, f, g)
}

// sum sums up rows of from, which has the columns of matches and takes args.
func (d *DB) sum(ctx context.Context, from string, args []any, f Filter, g group) ([]Stats, error) {
	where, more, err := f.where()
	if err != nil {
		return nil, err
	}
	order, by := "2 DESC, 1", ` GROUP BY 1`
	if g.period {
		order = "1"
	}
	if g.name == "" {
		by = ` HAVING COUNT(*) > 0` // grouping by a constant would sort all matches
	}
	list := sums()
	q := `SELECT ` + g.sql + `, COUNT(*)`
	for _, s := range list {
		q += `, ` + s.sql
	}
	rows, err := d.db.QueryContext(ctx, d.bind(q+` FROM `+from+where+by+` ORDER BY `+order), append(args, more...)...)
	if err != nil {
		return nil, fmt.Errorf("statistics: %w", err)
	}
	defer rows.Close()
	out := []Stats{}
	for rows.Next() {
		s := Stats{Values: make([]Figure, len(Statistics))}
		found := make(map[string]*Figure, len(list))
		var n int64
		to := []any{&s.Key, &n}
		for _, sum := range list {
			found[sum.sql] = new(Figure)
			to = append(to, found[sum.sql])
		}
		if err := rows.Scan(to...); err != nil {
			return nil, fmt.Errorf("statistics: %w: %w", ErrRow, err)
		}
		for i := range Statistics {
			s.Values[i] = Statistics[i].of(func(sum Sum) Figure { return *found[sum.sql] })
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("statistics: %w", err)
	}
	return out, nil
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
