//go:build !js

package index

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// likePattern is a name with * for any text as SQL has it, in lower case.
func likePattern(name string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, `*`, `%`).Replace(strings.ToLower(name))
}

// where returns the condition of a filter, which was checked, in SQL.
func (f *Filter) where() (string, []any) {
	var cond []string
	var args []any
	add := func(c string, a ...any) {
		cond = append(cond, c)
		args = append(args, a...)
	}
	name := func(column, v string) {
		if v == "" {
			return
		}
		add(`lower(`+column+`) LIKE ? ESCAPE '\'`, likePattern(v))
	}
	if f.pair != "" {
		add(`pair = ?`, f.pair)
	}
	name("account", f.Account)
	if n := len(f.Accounts); n > 0 {
		list := make([]any, n)
		for i, a := range f.Accounts {
			list[i] = a
		}
		add(`account IN (?`+strings.Repeat(`, ?`, n-1)+`)`, list...)
	}
	name("opponent", f.Opponent)
	name("preset", f.Preset)
	name("event", f.Event)
	if f.Tag != "" {
		add(`lower(tags) LIKE ? ESCAPE '\'`, "%,"+likePattern(f.Tag)+",%")
	}
	if f.Text != "" {
		part := likePattern("*" + f.Text + "*")
		add(`(lower(account) LIKE ? ESCAPE '\' OR lower(opponent) LIKE ? ESCAPE '\' OR lower(event) LIKE ? ESCAPE '\' OR lower(tags) LIKE ? ESCAPE '\')`, part, part, part, part)
	}
	if f.Server != "" {
		// Imported files do not say where they were played.
		add(`(server = '' OR LOWER(server) = ?)`, strings.ToLower(f.Server))
	}
	switch {
	case f.Unlimited:
		add(`length = 0`)
	case f.Length > 0:
		add(`length = ?`, f.Length)
	}
	if !f.From.IsZero() {
		add(`started >= ?`, f.From.Unix())
	}
	if !f.To.IsZero() {
		add(`started < ?`, f.To.Unix())
	}
	switch f.Result {
	case "":
	case "won":
		add(`result = 1`)
	case "lost":
		add(`result = -1`)
	case "unfinished":
		add(`result = 0`)
	}
	if len(cond) == 0 {
		return "", nil
	}
	return ` WHERE ` + strings.Join(cond, ` AND `), args
}

const newestFirst = ` ORDER BY started DESC, clock DESC, finished DESC, file DESC, id`

// newest returns FROM and WHERE for the newest of the matches that fit, as f limits them.
func (f *Filter) newest(from, where string) string {
	if f.Limit > 0 {
		return `(SELECT * FROM ` + from + where + newestFirst + ` LIMIT ` + strconv.Itoa(f.Limit) + `) AS newest`
	}
	return from + where
}

// list implements rows.
func (d *sqlRows) list(ctx context.Context, f *Filter, yield func(*Match) error) error {
	where, args := f.where()
	q := `SELECT ` + allColumns + ` FROM matches` + where + newestFirst
	if f.Limit > 0 {
		q += ` LIMIT ` + strconv.Itoa(f.Limit)
	}
	rows, err := d.db.QueryContext(ctx, d.bind(q), args...)
	if err != nil {
		return fmt.Errorf("list matches: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var m Match
		if err := m.scan(rows); err != nil {
			return fmt.Errorf("list matches: %w", err)
		}
		if err := yield(&m); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("list matches: %w", err)
	}
	return nil
}

// named implements rows.
func (d *sqlRows) named(ctx context.Context, id string) ([]*Match, error) {
	like := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(id)
	rows, err := d.db.QueryContext(ctx, d.bind(`SELECT `+allColumns+` FROM matches WHERE id LIKE ? ESCAPE '\' OR file LIKE ? ESCAPE '\' ORDER BY CASE WHEN id = ? THEN 0 ELSE 1 END, started DESC LIMIT 2`), like+`%`, `%`+like+`%`, id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []*Match
	for rows.Next() {
		m := &Match{}
		if err := m.scan(rows); err != nil {
			return nil, err
		}
		found = append(found, m)
	}
	return found, rows.Err()
}

// games implements rows.
func (d *sqlRows) games(ctx context.Context, id string) (out []Game, err error) {
	rows, err := d.db.QueryContext(ctx, d.bind(`SELECT number, score_me, score_opp, result, points, resigned, end_unknown, crawford FROM games WHERE match_id = ? ORDER BY number`), id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var g Game
		if err := rows.Scan(&g.Number, &g.Score[0], &g.Score[1], &g.Result, &g.Points, (*yesNo)(&g.Resigned), (*yesNo)(&g.EndUnknown), (*yesNo)(&g.Crawford)); err != nil {
			return nil, fmt.Errorf("%w: a game of match %s: %w", ErrRow, id, err)
		}
		out = append(out, g)
	}
	return out, rows.Err()
}

// same implements rows.
func (d *sqlRows) same(ctx context.Context, identity string) (out []copyRow, err error) {
	rows, err := d.db.QueryContext(ctx, d.bind(`SELECT id, file, started FROM matches WHERE same = ? ORDER BY started, id`), identity)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var c copyRow
		var started int64
		if err := rows.Scan(&c.id, &c.file, &started); err != nil {
			return nil, err
		}
		c.started = moment(started)
		out = append(out, c)
	}
	return out, rows.Err()
}

// names implements rows.
func (d *sqlRows) names(ctx context.Context, opponents bool) (map[string]int, error) {
	query := `SELECT account, COUNT(*) FROM matches GROUP BY account`
	if opponents {
		query = `SELECT name, COUNT(*) FROM (SELECT account AS name FROM matches UNION ALL SELECT opponent AS name FROM matches) AS players GROUP BY name`
	}
	rows, err := d.db.QueryContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("list players: %w", err)
	}
	defer rows.Close()
	out := map[string]int{}
	for rows.Next() {
		var name string
		var n int
		if err := rows.Scan(&name, &n); err != nil {
			return nil, fmt.Errorf("list players: %w", err)
		}
		out[name] += n
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list players: %w", err)
	}
	return out, nil
}

// dice implements rows.
func (d *sqlRows) dice(ctx context.Context, f *Filter, add func(games int, one *Dice)) error {
	where, args := f.where()
	rows, err := d.db.QueryContext(ctx, d.bind(`SELECT games, dice FROM `+f.newest(`matches`, where)), args...)
	if err != nil {
		return fmt.Errorf("count dice: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var games int
		var text string
		var one Dice
		err := rows.Scan(&games, &text)
		if err == nil {
			err = one.parse(text)
		}
		if err != nil {
			return fmt.Errorf("count dice: %w: %w", ErrRow, err)
		}
		add(games, &one)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("count dice: %w", err)
	}
	return nil
}

// bothViews are all matches in the account's view, and in the opponent's view those that
// do not have the account and opponent asked for: a player against a namesake counts once.
var bothViews = `(SELECT ` + allColumns + ` FROM matches UNION ALL SELECT ` + allMirrored + ` FROM matches
	WHERE NOT (lower(account) LIKE ? ESCAPE '\' AND lower(opponent) LIKE ? ESCAPE '\')) AS views`

// sum implements rows.
func (d *sqlRows) sum(ctx context.Context, both *pair, f *Filter, g group) ([]Stats, error) {
	from, args := `matches`, []any(nil)
	if both != nil {
		from, args = bothViews, []any{likePattern(both.name), likePattern(both.other)}
	}
	if d.postgres && g.postgres != "" {
		g.sql = g.postgres
	}
	where, more := f.where()
	order, by := "2 DESC, 1", ` GROUP BY 1`
	if g.period {
		order = `CASE WHEN ` + g.sql + ` = '' THEN 1 ELSE 0 END, 1`
	}
	if g.name == "" {
		by = ` HAVING COUNT(*) > 0` // grouping by a constant would sort all matches
	}
	list := sums()
	q := `SELECT ` + g.sql + `, COUNT(*)`
	for _, s := range list {
		q += `, ` + s.sql
	}
	rows, err := d.db.QueryContext(ctx, d.bind(q+` FROM `+f.newest(from, where)+by+` ORDER BY `+order), append(args, more...)...)
	if err != nil {
		return nil, fmt.Errorf("statistics: %w", err)
	}
	defer rows.Close()
	out := []Stats{}
	for rows.Next() {
		var key string
		found := make(map[string]*Figure, len(list))
		var n int64
		to := []any{&key, &n}
		for _, sum := range list {
			found[sum.sql] = new(Figure)
			to = append(to, found[sum.sql])
		}
		if err := rows.Scan(to...); err != nil {
			return nil, fmt.Errorf("statistics: %w: %w", ErrRow, err)
		}
		out = append(out, summed(key, func(s Sum) Figure { return *found[s.sql] }))
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("statistics: %w", err)
	}
	return out, nil
}
