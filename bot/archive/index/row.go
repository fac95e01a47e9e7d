package index

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

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
