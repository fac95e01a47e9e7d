//go:build !js

package index

import (
	"context"
	"database/sql"
	"fmt"
)

// incomplete implements rows.
func (d *sqlRows) incomplete(ctx context.Context) (yes bool, err error) {
	err = d.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM incomplete)`).Scan(&yes)
	return yes, err
}

// update implements rows.
func (d *sqlRows) update(ctx context.Context, do func(edits) error) error {
	if d.why != nil {
		return d.why
	}
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return d.plain(err)
	}
	defer tx.Rollback()
	if err = do(&sqlChanges{ctx, d, tx}); err == nil {
		err = tx.Commit()
	}
	return d.plain(err)
}

// sqlChanges are changes in a transaction.
type sqlChanges struct {
	ctx context.Context // of the update
	d   *sqlRows
	tx  *sql.Tx
}

func (c *sqlChanges) exec(query string, args ...any) (sql.Result, error) {
	return c.tx.ExecContext(c.ctx, c.d.bind(query), args...)
}

// clear implements edits.
func (c *sqlChanges) clear() error {
	for _, t := range []string{"games", "matches", "incomplete"} {
		if _, err := c.exec(`DELETE FROM ` + t); err != nil {
			return err
		}
	}
	return nil
}

// insert implements edits.
func (c *sqlChanges) insert(m *Match) error {
	if _, err := c.exec(insertMatch, m.values()...); err != nil {
		return err
	}
	for _, g := range m.Rows {
		if _, err := c.exec(`INSERT INTO games (match_id, number, score_me, score_opp, result, points, resigned, end_unknown, crawford)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, m.ID, g.Number, g.Score[0], g.Score[1], g.Result, g.Points, oneIf(g.Resigned), oneIf(g.EndUnknown), oneIf(g.Crawford)); err != nil {
			return fmt.Errorf("game %d: %w", g.Number, err)
		}
	}
	return nil
}

// remove implements edits.
func (c *sqlChanges) remove(id string) error {
	gone, err := c.exec(`DELETE FROM matches WHERE id = ?`, id)
	if err != nil {
		return err
	}
	if n, err := gone.RowsAffected(); err == nil && n == 0 {
		return nil
	}
	_, err = c.exec(`DELETE FROM games WHERE match_id = ?`, id)
	return err
}

// files implements edits.
func (c *sqlChanges) files(identity string) (out []string, err error) {
	rows, err := c.tx.QueryContext(c.ctx, c.d.bind(`SELECT file FROM matches WHERE same = ?`), identity)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var file string
		if err := rows.Scan(&file); err != nil {
			return nil, err
		}
		out = append(out, file)
	}
	return out, rows.Err()
}
