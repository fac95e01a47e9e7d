package index

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

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

// ErrRow means that a row of the index has invalid content.
var ErrRow = errors.New("unreadable row of the index (run fibsbot archive rebuild)")

func (d *Dice) text() string {
	var b strings.Builder
	for p := range d {
		for i, n := range d[p] {
			if p+i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(strconv.Itoa(n))
		}
	}
	return b.String()
}

// Value implements driver.Valuer.
func (d *Dice) Value() (driver.Value, error) { return d.text(), nil }

// Scan implements sql.Scanner.
func (d *Dice) Scan(v any) error { return scanText(v, d.parse) }

func (d *Dice) parse(s string) error {
	f := strings.Fields(s)
	if len(f) != 42 {
		return fmt.Errorf("index: dice column with %d numbers, want 42", len(f))
	}
	for i, w := range f {
		n, err := strconv.Atoi(w)
		if err != nil {
			return fmt.Errorf("index: dice column: %w", err)
		}
		d[i/21][i%21] = n
	}
	return nil
}

// Add adds a match to the index or replaces its row. It skips an imported copy of a match
// that a bot filed itself.
func (d *DB) Add(ctx context.Context, m *Match) error {
	return inFile(m, d.rows.update(ctx, func(tx edits) error { return add(ctx, tx, m) }))
}

// add adds or replaces a row, see DB.Add.
func add(ctx context.Context, tx edits, m *Match) error {
	leave, err := yield(ctx, tx, m)
	if err == nil && !leave {
		err = tx.remove(m.ID)
	}
	if err != nil || leave {
		return err
	}
	return tx.insert(m)
}

func inFile(m *Match, err error) error {
	if err != nil {
		return fmt.Errorf("index %s: %w", m.File, err)
	}
	return nil
}
