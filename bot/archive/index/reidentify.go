package index

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// startSchema is the schema from which on the start of a match is in the ID of its row.
const startSchema = 17

// maxRenamed bounds the rows that one statement renames; each takes two parameters.
const maxRenamed = 400

// reidentify gives the rows of an index of before startSchema the IDs of today. Matches
// that had the same are one row in it: Complete finds the others.
func (d *DB) reidentify(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, d.bind(`INSERT INTO incomplete (version) VALUES (?)`), startSchema); err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, `SELECT id, file FROM matches`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var ids []any // old, new, old, new ...
	for rows.Next() {
		var id, file string
		if err := rows.Scan(&id, &file); err != nil {
			return err
		}
		if now := rowID(sameOf(id), file); now != id {
			ids = append(ids, id, now)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for len(ids) > 0 {
		n := min(len(ids), 2*maxRenamed)
		list := `(VALUES (?, ?)` + strings.Repeat(`, (?, ?)`, n/2-1) + `) AS v`
		for _, q := range []string{
			`UPDATE matches SET id = v.column2 FROM ` + list + ` WHERE matches.id = v.column1`,
			`UPDATE games SET match_id = v.column2 FROM ` + list + ` WHERE games.match_id = v.column1`,
		} {
			if _, err := tx.ExecContext(ctx, d.bind(q), ids[:n]...); err != nil {
				return err
			}
		}
		ids = ids[n:]
	}
	return nil
}

// Complete reads the match files that have no row where the index is new, was emptied, or was
// made by a version that took some matches for one. Any other index it leaves alone. The report
// is nil unless the whole folder was read.
func (d *DB) Complete(ctx context.Context) (*Report, error) {
	var incomplete, any bool
	err := d.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM incomplete), EXISTS (SELECT 1 FROM matches)`).Scan(&incomplete, &any)
	if err != nil || !incomplete {
		return nil, err
	}
	if !any {
		return d.Rebuild(ctx, nil)
	}
	return nil, d.addMissing(ctx)
}

// addMissing reads the match files named as a bot names them that have no row.
func (d *DB) addMissing(ctx context.Context) error {
	known := map[string]bool{}
	if err := d.List(ctx, Filter{}, func(m *Match) error { known[m.File] = true; return nil }); err != nil {
		return err
	}
	err := filepath.WalkDir(d.dir, func(path string, e fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && path == d.dir {
			return err // it would pass for complete
		}
		if err != nil || e.IsDir() || !strings.EqualFold(filepath.Ext(path), ".sgf") || !ownName(path) {
			return nil // verify tells of what cannot be read
		}
		if rel, err := filepath.Rel(d.dir, path); err != nil || known[filepath.ToSlash(rel)] {
			return nil
		}
		m, err := Read(d.dir, path)
		if err != nil {
			return nil
		}
		return d.Add(ctx, m)
	})
	if err == nil {
		_, err = d.db.ExecContext(ctx, `DELETE FROM incomplete`)
	}
	if err != nil {
		return fmt.Errorf("complete the index: %w", err)
	}
	return nil
}

// OpenComplete is Open and Complete. Verify names the match files that cannot be read.
func OpenComplete(ctx context.Context, dir, dsn string) (*DB, error) {
	d, err := Open(ctx, dir, dsn)
	if err != nil {
		return nil, err
	}
	if _, err = d.Complete(ctx); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}
