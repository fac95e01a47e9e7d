package index

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// decisions is how many decisions count for an error rate, 0 without an analysis.
func (m *Match) decisions(side int) int {
	if m.Plies < 0 {
		return 0
	}
	return m.Unforced[side] + m.Close[side]
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
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("index %s: %w", m.File, err)
	}
	defer tx.Rollback()
	if err := d.add(ctx, tx, m); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("index %s: %w", m.File, err)
	}
	return nil
}

func (d *DB) add(ctx context.Context, tx *sql.Tx, m *Match) error {
	leave, err := d.yield(ctx, tx, m)
	if err == nil && !leave {
		err = d.remove(ctx, tx, m.ID)
	}
	if err != nil || leave {
		return inFile(m, err)
	}
	if _, err := tx.ExecContext(ctx, d.bind(insertMatch), m.values()...); err != nil {
		return fmt.Errorf("index %s: %w", m.File, err)
	}
	for _, g := range m.Rows {
		if _, err := tx.ExecContext(ctx, d.bind(`INSERT INTO games (match_id, number, score_me, score_opp, result, points, resigned, crawford)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`), m.ID, g.Number, g.Score[0], g.Score[1], g.Result, g.Points, oneIf(g.Resigned), oneIf(g.Crawford)); err != nil {
			return fmt.Errorf("index %s, game %d: %w", m.File, g.Number, err)
		}
	}
	return nil
}

func inFile(m *Match, err error) error {
	if err != nil {
		return fmt.Errorf("index %s: %w", m.File, err)
	}
	return nil
}
