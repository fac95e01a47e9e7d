//go:build !js

package index

import (
	"context"
	"database/sql"
	"strings"
)

// insertMatch writes a row.
var insertMatch = `INSERT INTO matches (` + strings.Join(columnNames(func(*column) bool { return true }), `, `) + `) VALUES (?` + strings.Repeat(`, ?`, len(columns)-1) + `)`

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
	for _, t := range []string{"matches", "incomplete"} {
		if _, err := c.exec(`DELETE FROM ` + t); err != nil {
			return err
		}
	}
	return nil
}

// insert implements edits.
func (c *sqlChanges) insert(m *Match) error {
	values := make([]any, len(columns))
	for i := range columns {
		values[i] = columns[i].stored(m)
	}
	_, err := c.exec(insertMatch, values...)
	return err
}

// remove implements edits.
func (c *sqlChanges) remove(id string) error {
	_, err := c.exec(`DELETE FROM matches WHERE id = ?`, id)
	return err
}

// list implements edits.
func (c *sqlChanges) list(ctx context.Context, f *Filter, names []string, yield func(*Match) error) error {
	return c.d.listFrom(ctx, c.tx, f, names, yield)
}
