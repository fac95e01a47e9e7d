//go:build !js

package index

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
)

// likePattern is a text with * for any text as SQL has it, in lower case.
func likePattern(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, `*`, `%`).Replace(strings.ToLower(text))
}

// where returns the condition of a filter in SQL.
func (f *Filter) where() (string, []any) {
	var all []string
	var args []any
	for _, list := range f.conditions() {
		var one []string
		for _, c := range list {
			if c.compare == "like" {
				one, args = append(one, `lower(`+c.column+`) LIKE ? ESCAPE '\'`), append(args, likePattern(c.value.(string)))
				continue
			}
			one, args = append(one, c.column+` `+c.compare+` ?`), append(args, c.value)
		}
		all = append(all, `(`+strings.Join(one, ` OR `)+`)`)
	}
	if len(all) == 0 {
		return "", nil
	}
	return ` WHERE ` + strings.Join(all, ` AND `), args
}

const newestFirst = ` ORDER BY started DESC, clock DESC, finished DESC, file DESC, id`

// asker is a database or a transaction.
type asker interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// list implements rows.
func (d *sqlRows) list(ctx context.Context, f *Filter, names []string, yield func(*Match) error) error {
	return d.listFrom(ctx, d.db, f, names, yield)
}

func (d *sqlRows) listFrom(ctx context.Context, from asker, f *Filter, names []string, yield func(*Match) error) error {
	where, args := f.where()
	q := `SELECT ` + strings.Join(names, `, `) + ` FROM matches` + where + newestFirst
	if f.Limit > 0 {
		q += ` LIMIT ` + strconv.Itoa(f.Limit)
	}
	rows, err := from.QueryContext(ctx, d.bind(q), args...)
	if err != nil {
		return fmt.Errorf("list matches: %w", err)
	}
	defer rows.Close()
	read := make([]*column, len(names))
	for i, name := range names {
		read[i] = columnOf(name)
	}
	to := make([]any, len(names))
	for rows.Next() {
		m := &Match{}
		for i, c := range read {
			to[i] = c.field(m)
		}
		if err := rows.Scan(to...); err != nil {
			return fmt.Errorf("list matches: %w: match %s: %w", ErrRow, m.ID, err)
		}
		if err := yield(m); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("list matches: %w", err)
	}
	return nil
}

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
