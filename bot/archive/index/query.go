package index

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Filter chooses matches. Zero fields do not restrict.
type Filter struct {
	Account, Opponent string   // ignore case; * matches anything
	Accounts          []string // any of these, spelled as in DB.Accounts
	Preset            string
	Tag               string // one of the user's tags; ignores case
	Event             string // ignores case; * matches anything
	Text              string // part of the account, the opponent, the event or a tag; ignores case
	Server            string // where it was played; ignores case
	Length            int
	Unlimited         bool // only unlimited matches; Length is ignored
	From, To          time.Time
	Result            string   // won, lost or unfinished
	IDs               []string // any of these
	Limit             int      // newest first; 0 for all
	id                string   // just this one
	name              string   // the beginning of an ID, or part of a file name
	same              string   // an Identity
	pair              string   // both players, see pairOf
	between           pair     // on either side
}

// pair are two players as patterns.
type pair struct{ name, other string }

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

// results are the values of Filter.Result.
var results = map[string]int{"won": 1, "lost": -1, "unfinished": 0}

// check returns an error for a filter that is invalid.
func (f *Filter) check() error {
	if _, ok := results[f.Result]; !ok && f.Result != "" {
		return badField(ErrFilter, "result", "unknown value %.40q (use won, lost or unfinished)", f.Result)
	}
	if !f.From.IsZero() && !f.To.IsZero() && !f.From.Before(f.To) {
		return badField(ErrFilter, "until", "the period ends before it begins")
	}
	return nil
}

// List calls yield with each match that fits, newest first, until yield returns an error,
// which List returns.
func (d *DB) List(ctx context.Context, f Filter, yield func(*Match) error) error {
	return d.list(ctx, f, listed, yield)
}

// list is List with the named columns.
func (d *DB) list(ctx context.Context, f Filter, columns []string, yield func(*Match) error) error {
	if err := f.check(); err != nil {
		return err
	}
	return d.rows.list(ctx, &f, columns, yield)
}

// condition is one of a filter: the column compares so with value. With "like" it is text in
// which * of value is any text, and case is ignored.
type condition struct {
	column, compare string // =, >=, < or like
	value           any    // as column.stored
}

// conditions returns what a filter, which was checked, asks of a match: one of each list.
func (f *Filter) conditions() (all [][]condition) {
	oneOf := func(asked bool, list ...condition) {
		if asked {
			all = append(all, list)
		}
	}
	like := func(value string, columns ...string) (list []condition) {
		for _, c := range columns {
			list = append(list, condition{c, "like", value})
		}
		return list
	}
	var accounts []condition
	for _, a := range f.Accounts {
		accounts = append(accounts, condition{"account", "=", a})
	}
	var ids []condition
	for _, id := range f.IDs {
		ids = append(ids, condition{"id", "=", id})
	}
	result, decided := results[f.Result]
	oneOf(f.Account != "", like(f.Account, "account")...)
	oneOf(f.Opponent != "", like(f.Opponent, "opponent")...)
	oneOf(f.Preset != "", like(f.Preset, "preset")...)
	oneOf(f.Event != "", like(f.Event, "event")...)
	oneOf(f.id != "", condition{"id", "=", f.id})
	oneOf(f.same != "", condition{"same", "=", f.same})
	oneOf(f.pair != "", condition{"pair", "=", f.pair})
	oneOf(len(accounts) > 0, accounts...)
	oneOf(len(ids) > 0, ids...)
	oneOf(f.name != "", condition{"id", "like", f.name + "*"}, condition{"file", "like", "*" + f.name + "*"})
	oneOf(f.between != pair{}, like(f.between.name, "account", "opponent")...)
	oneOf(f.between != pair{}, like(f.between.other, "account", "opponent")...)
	oneOf(f.Tag != "", like("*,"+f.Tag+",*", "tags")...)
	oneOf(f.Text != "", like("*"+f.Text+"*", "account", "opponent", "event", "tags")...)
	// Imported files do not say where they were played.
	oneOf(f.Server != "", condition{"server", "=", ""}, condition{"server", "like", f.Server})
	oneOf(f.Unlimited, condition{"length", "=", int64(0)})
	oneOf(f.Length > 0 && !f.Unlimited, condition{"length", "=", int64(f.Length)})
	oneOf(!f.From.IsZero(), condition{"started", ">=", f.From.Unix()})
	oneOf(!f.To.IsZero(), condition{"started", "<", f.To.Unix()})
	oneOf(decided, condition{"result", "=", int64(result)})
	return all
}

// ErrNotFound means that no match, or more than one, has the given ID.
var ErrNotFound = errors.New("no such match in the archive")

// Show returns a match with its games, by a prefix of its ID or a part of its file name that
// no other match has.
func (d *DB) Show(ctx context.Context, id string) (*Match, error) {
	if id == "" {
		return nil, ErrNotFound
	}
	found, err := collect(ctx, d.rows, &Filter{id: id}, shown...)
	if err == nil && len(found) == 0 {
		found, err = collect(ctx, d.rows, &Filter{name: id, Limit: 2}, shown...)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("show %s: %w", id, err)
	case len(found) == 0:
		return nil, fmt.Errorf("%w: %s", ErrNotFound, id)
	case len(found) == 2:
		return nil, fmt.Errorf("%w: %s may be %s or %s", ErrNotFound, id, found[0].named(), found[1].named())
	}
	return found[0], nil
}

// named is an ID with the name of its file.
func (m *Match) named() string { return m.ID + " (" + m.File + ")" }

// Days restricts a Filter to matches from the day since to the day until, inclusive. Both are
// YYYY-MM-DD in UTC; an empty day sets no limit. The error is a *FieldError of since or until.
func (f *Filter) Days(since, until string) error {
	for _, d := range []struct {
		name, text string
		into       *time.Time
		plus       int
	}{{"since", since, &f.From, 0}, {"until", until, &f.To, 1}} {
		if d.text == "" {
			continue
		}
		day, err := time.Parse(time.DateOnly, d.text)
		if err != nil {
			return badField(ErrFilter, d.name, "%.40q is not a date (use YYYY-MM-DD)", d.text)
		}
		*d.into = day.AddDate(0, 0, d.plus)
	}
	return nil
}

// Day formats the start of a match in local time. Midnight in UTC is a day without a time,
// and is not converted.
func Day(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	if u := t.UTC(); u.Equal(u.Truncate(24 * time.Hour)) {
		return u.Format(time.DateOnly)
	}
	return t.Local().Format("2006-01-02 15:04")
}

// DayAlone is Day without the time, and "" for an unknown day.
func DayAlone(t time.Time) string {
	day, _, _ := strings.Cut(Day(t), " ")
	return strings.TrimPrefix(day, "-")
}
