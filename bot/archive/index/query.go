package index

import (
	"context"
	"errors"
	"fmt"
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
	Result            string // won, lost or unfinished
	Limit             int    // newest first; 0 for all
	pair              string // both players, see pairOf
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

// check returns an error for a filter that is invalid.
func (f *Filter) check() error {
	switch f.Result {
	case "", "won", "lost", "unfinished":
	default:
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
	if err := f.check(); err != nil {
		return err
	}
	return d.rows.list(ctx, &f, yield)
}

// ErrNotFound means that no match, or more than one, has the given ID.
var ErrNotFound = errors.New("no such match in the archive")

// Show returns a match with its games, by a prefix of its ID or a part of its file name that
// no other match has.
func (d *DB) Show(ctx context.Context, id string) (*Match, error) {
	if id == "" {
		return nil, ErrNotFound
	}
	found, err := d.rows.named(ctx, id)
	switch {
	case err != nil:
		return nil, fmt.Errorf("show %s: %w", id, err)
	case len(found) == 0:
		return nil, fmt.Errorf("%w: %s", ErrNotFound, id)
	case len(found) == 2 && found[0].ID != id:
		return nil, fmt.Errorf("%w: %s may be %s or %s", ErrNotFound, id, found[0].named(), found[1].named())
	}
	m := found[0]
	if m.Rows, err = d.rows.games(ctx, m.ID); err != nil {
		return nil, fmt.Errorf("show %s: %w", id, err)
	}
	return m, nil
}

// named is an ID with the name of its file.
func (m *Match) named() string { return m.ID + " (" + m.File + ")" }
