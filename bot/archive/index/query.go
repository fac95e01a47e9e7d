package index

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Filter chooses matches. Zero fields do not restrict.
type Filter struct {
	Account, Opponent string   // ignore case; * matches anything
	Accounts          []string // any of these, spelled as in DB.Accounts
	Preset            string
	Tag               string // one of the user's tags; ignores case
	Server            string // where it was played; ignores case
	Length            int
	Unlimited         bool // only unlimited matches; Length is ignored
	From, To          time.Time
	Result            string // won, lost or unfinished
	Limit             int    // newest first; 0 for all
}

// ErrFilter means that a filter or a change is invalid.
var ErrFilter = errors.New("invalid filter")

// FieldError is an invalid field of a filter or a change, by its name in JSON. It
// wraps ErrFilter, ErrChange or ErrPlayer.
type FieldError struct {
	Field, Problem string
	kind           error
}

// Error implements error.
func (e *FieldError) Error() string { return e.Field + ": " + e.Problem }

// Unwrap returns the kind of error.
func (e *FieldError) Unwrap() error { return e.kind }

func badField(kind error, field, problem string, args ...any) error {
	return &FieldError{field, fmt.Sprintf(problem, args...), kind}
}

// likePattern is a name with * for any text as SQL has it, in lower case.
func likePattern(name string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, `*`, `%`).Replace(strings.ToLower(name))
}

func (f *Filter) where() (string, []any, error) {
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
	if f.Tag != "" {
		add(`lower(tags) LIKE ? ESCAPE '\'`, "%,"+likePattern(f.Tag)+",%")
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
	default:
		return "", nil, badField(ErrFilter, "result", "unknown value %.40q (use won, lost or unfinished)", f.Result)
	}
	if !f.From.IsZero() && !f.To.IsZero() && !f.From.Before(f.To) {
		return "", nil, badField(ErrFilter, "until", "the period ends before it begins")
	}
	if len(cond) == 0 {
		return "", nil, nil
	}
	return ` WHERE ` + strings.Join(cond, ` AND `), args, nil
}

// List calls yield with each match that fits, newest first, until yield returns an error,
// which List returns.
func (d *DB) List(ctx context.Context, f Filter, yield func(*Match) error) error {
	where, args, err := f.where()
	if err != nil {
		return err
	}
	q := `SELECT ` + allColumns + ` FROM matches` + where + ` ORDER BY started DESC, finished DESC, file DESC, id`
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

// ErrNotFound means that no match, or more than one, has the given ID.
var ErrNotFound = errors.New("no such match in the archive")

// Show returns a match with its games, by a prefix of its ID or a part of its file name that
// no other match has.
func (d *DB) Show(ctx context.Context, id string) (*Match, error) {
	if id == "" {
		return nil, ErrNotFound
	}
	like := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(id)
	rows, err := d.db.QueryContext(ctx, d.bind(`SELECT `+allColumns+` FROM matches WHERE id LIKE ? ESCAPE '\' OR file LIKE ? ESCAPE '\' ORDER BY CASE WHEN id = ? THEN 0 ELSE 1 END, started DESC LIMIT 2`), like+`%`, `%`+like+`%`, id)
	if err != nil {
		return nil, fmt.Errorf("show %s: %w", id, err)
	}
	defer rows.Close()
	var found []*Match
	for rows.Next() {
		m := &Match{}
		if err := m.scan(rows); err != nil {
			return nil, fmt.Errorf("show %s: %w", id, err)
		}
		found = append(found, m)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("show %s: %w", id, err)
	}
	switch {
	case len(found) == 0:
		return nil, fmt.Errorf("%w: %s", ErrNotFound, id)
	case len(found) == 2 && found[0].ID != id:
		return nil, fmt.Errorf("%w: %s may be %s or %s", ErrNotFound, id, found[0].named(), found[1].named())
	}
	m := found[0]
	games, err := d.db.QueryContext(ctx, d.bind(`SELECT number, score_me, score_opp, result, points, resigned, crawford FROM games WHERE match_id = ? ORDER BY number`), m.ID)
	if err != nil {
		return nil, fmt.Errorf("show %s: %w", id, err)
	}
	defer games.Close()
	for games.Next() {
		var g Game
		var resigned, crawford int
		if err := games.Scan(&g.Number, &g.Score[0], &g.Score[1], &g.Result, &g.Points, &resigned, &crawford); err != nil {
			return nil, fmt.Errorf("show %s: %w: a game of match %s: %w", id, ErrRow, m.ID, err)
		}
		g.Resigned, g.Crawford = resigned != 0, crawford != 0
		m.Rows = append(m.Rows, g)
	}
	if err := games.Err(); err != nil {
		return nil, fmt.Errorf("show %s: %w", id, err)
	}
	return m, nil
}

// named is an ID with the name of its file.
func (m *Match) named() string { return m.ID + " (" + m.File + ")" }
