package index

import (
	"context"
	"database/sql"
	"errors"
	"fibsbot/internal/filename"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"
)

// FileName is the SQLite index in an archive's folder.
const FileName = "index.sqlite"

// formatVersion is that of the tables below; every change of them raises it. An index of an
// earlier format is rebuilt from the match files.
const formatVersion = 1

// tables create an empty index in SQLite and PostgreSQL.
var tables = []string{
	`CREATE TABLE matches (` + definitions + `)`,
	`CREATE TABLE games (
		match_id TEXT NOT NULL,
		number INTEGER NOT NULL,
		score_me INTEGER NOT NULL,
		score_opp INTEGER NOT NULL,
		result INTEGER NOT NULL,
		points INTEGER NOT NULL,
		resigned INTEGER NOT NULL,
		crawford INTEGER NOT NULL,
		PRIMARY KEY (match_id, number)
	)`,
	// Statistics read only this index, which is a quarter of the table.
	`CREATE INDEX matches_sums ON matches (opponent, account, preset, length, ` + summedColumns() + `)`,
	// Lists read this index in its order, and only those rows of the table that fit.
	`CREATE INDEX matches_listed ON matches (started DESC, finished DESC, file DESC, id, opponent, account, preset, length, result)`,
	// The Identity, which copies of a match share; an ID may have the start as well.
	`CREATE INDEX matches_same ON matches (same)`,
	// Has a row until Complete has read the match files.
	`CREATE TABLE incomplete (version INTEGER NOT NULL)`,
}

// ErrNewer means that a newer version of the program made the index.
var ErrNewer = errors.New("the index was made by a newer fibsbot")

// DB is an open index. It is safe for concurrent use.
type DB struct {
	db       *sql.DB
	postgres bool
	dir      string
}

// Open opens the index of the archive in dir and creates a missing one. dsn is a PostgreSQL
// connection string, or empty for SQLite in dir.
func Open(ctx context.Context, dir, dsn string) (*DB, error) {
	d := &DB{postgres: dsn != "", dir: dir}
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
		return nil, fmt.Errorf("open index: %w", hide(err, dsn))
	}
	return d, nil
}

// hide removes the DSN, which may have a password, from an error.
func hide(err error, dsn string) error {
	if dsn != "" && strings.Contains(err.Error(), dsn) {
		return errors.New(strings.ReplaceAll(err.Error(), dsn, "the DSN"))
	}
	return err
}

// Close closes the database.
func (d *DB) Close() error { return d.db.Close() }

// Dir returns the archive's folder.
func (d *DB) Dir() string { return d.dir }

// bind replaces each ? of a query by $1, $2 and so on for PostgreSQL.
func (d *DB) bind(q string) string {
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
func (d *DB) make(ctx context.Context) error {
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
