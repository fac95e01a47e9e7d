//go:build !js

package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	sqlite "modernc.org/sqlite"        // and the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"fibsbot/internal/filename"
)

// tables create an empty index in SQLite and PostgreSQL.
var tables = []string{
	`CREATE TABLE matches (` + definitions() + `)`,
	// Lists and statistics read this index in its order. A statistic needs nothing of the table,
	// a list only those rows that fit.
	`CREATE INDEX matches_listed ON matches (started DESC, clock DESC, finished DESC, file DESC, id, account, opponent, preset, length, result, ` + strings.Join(summedColumns(), `, `) + `)`,
	// The Identity, which copies of a match share; an ID may have the start as well.
	`CREATE INDEX matches_same ON matches (same)`,
	`CREATE INDEX matches_pair ON matches (pair)`,
	// Has a row until Complete has read the match files.
	`CREATE TABLE incomplete (version INTEGER NOT NULL)`,
}

// definitions are the columns with their types.
func definitions() string {
	var out []string
	for i := range columns {
		out = append(out, columns[i].name+" "+columns[i].kind)
	}
	return strings.Join(out, ", ")
}

// sqlRows are rows in SQLite or PostgreSQL.
type sqlRows struct {
	db       *sql.DB
	postgres bool
	dir      string // of SQLite's file
	why      error  // nothing can be written
}

// openRows opens the rows of the archive in dir, see Open.
func openRows(ctx context.Context, dir, dsn string) (rows, error) {
	d := &sqlRows{postgres: dsn != "", dir: dir}
	driver, source := "pgx", dsn
	if dsn == "" {
		// SQLite gives its other files the same permissions. It reports other errors itself.
		if f, err := os.OpenFile(filepath.Join(dir, FileName), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600); err == nil {
			_ = f.Close() // nothing was written
		}
		// WAL allows reading while a bot writes; the timeout lets two writers wait for each
		// other.
		driver = "sqlite"
		source = "file:" + filename.URI(filepath.Join(dir, FileName)) + "?_pragma=journal_mode(wal)&_pragma=busy_timeout(10000)&_pragma=synchronous(normal)&_txlock=immediate"
	}
	var err error
	if d.db, err = sql.Open(driver, source); err != nil {
		return nil, fmt.Errorf("open index: %w", hide(err, dsn))
	}
	if err := d.make(ctx); err != nil {
		d.db.Close()
		return nil, fmt.Errorf("open index: %w", hide(d.plain(err), dsn))
	}
	return d, nil
}

// readRows opens the SQLite rows in dir without writing, as on a full or read-only disk, where
// why is the error of openRows. Rows that are not in the file itself yet are an error.
func readRows(ctx context.Context, dir string, why error) (rows, error) {
	path := filepath.Join(dir, FileName)
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
		return nil, why
	}
	db, err := sql.Open("sqlite", "file:"+filename.URI(path)+"?mode=ro&immutable=1")
	if err != nil {
		return nil, err
	}
	var format int
	err = db.QueryRowContext(ctx, `SELECT version FROM format WHERE NOT EXISTS (SELECT 1 FROM incomplete)`).Scan(&format)
	if err != nil || format != formatVersion {
		db.Close()
		return nil, why
	}
	return &sqlRows{db: db, dir: dir, why: why}, nil
}

// plain returns the system's error for SQLite's that there is no room.
func (d *sqlRows) plain(err error) error {
	var e *sqlite.Error
	if errors.As(err, &e) && (e.Code() == sqlite3.SQLITE_FULL || e.Code() == sqlite3.SQLITE_IOERR_SHMSIZE) {
		return &fs.PathError{Op: "write", Path: filepath.Join(d.dir, FileName), Err: syscall.ENOSPC}
	}
	return err
}

// hide removes the DSN, which may have a password, from an error.
func hide(err error, dsn string) error {
	if dsn != "" && strings.Contains(err.Error(), dsn) {
		return errors.New(strings.ReplaceAll(err.Error(), dsn, "the DSN"))
	}
	return err
}

// Close implements rows.
func (d *sqlRows) Close() error { return d.db.Close() }

// damagedFile reports whether an error of SQLite means that its file is damaged.
func damagedFile(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	code := e.Code() & 0xff
	return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
}

// check implements rows. PostgreSQL checks its own pages.
func (d *sqlRows) check(ctx context.Context) error {
	if d.postgres {
		return nil
	}
	var text string
	if err := d.db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&text); err != nil {
		return fmt.Errorf("check index: %w", err)
	}
	if text != "ok" {
		return fmt.Errorf("%w: %s", ErrCorrupt, strings.TrimSpace(text))
	}
	return nil
}

// bind replaces each ? of a query by $1, $2 and so on for PostgreSQL.
func (d *sqlRows) bind(q string) string {
	if !d.postgres {
		return q
	}
	var b strings.Builder
	n := 0
	for _, r := range q {
		if r == '?' {
			n++
			fmt.Fprintf(&b, "$%d", n)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// makeLimit bounds the time for creating the tables.
const makeLimit = time.Minute

// make creates the tables of a new index, and replaces those of an earlier format.
func (d *sqlRows) make(ctx context.Context) error {
	if _, err := d.db.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS format (version INTEGER NOT NULL)`); err != nil {
		return err
	}
	// The database has answered. A deadline would make creating the tables start over each time,
	// so only a cancellation stops it.
	asked := ctx
	ctx, cancel := context.WithTimeout(context.WithoutCancel(asked), makeLimit)
	defer cancel()
	defer context.AfterFunc(asked, func() {
		if errors.Is(asked.Err(), context.Canceled) {
			cancel()
		}
	})()
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var have int
	switch err := tx.QueryRowContext(ctx, `SELECT version FROM format`).Scan(&have); {
	case errors.Is(err, sql.ErrNoRows):
		if _, err := tx.ExecContext(ctx, `INSERT INTO format (version) VALUES (0)`); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	if have > formatVersion {
		return fmt.Errorf("%w: format %d, this one reads %d (update fibsbot, or move the index away and run fibsbot archive rebuild)", ErrNewer, have, formatVersion)
	}
	if have == formatVersion {
		return nil
	}
	for _, table := range []string{"games", "matches", "incomplete", "schema_version"} {
		if _, err := tx.ExecContext(ctx, `DROP TABLE IF EXISTS `+table); err != nil {
			return fmt.Errorf("table %s: %w", table, err)
		}
	}
	for i, q := range tables {
		if _, err := tx.ExecContext(ctx, q); err != nil {
			return fmt.Errorf("create tables, step %d: %w", i+1, err)
		}
	}
	// The match files are not read yet.
	if _, err := tx.ExecContext(ctx, `INSERT INTO incomplete (version) VALUES (0)`); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, d.bind(`UPDATE format SET version = ?`), formatVersion); err != nil {
		return err
	}
	return tx.Commit()
}
