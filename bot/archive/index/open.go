package index

import (
	"context"
	"errors"

	"fibsbot/bot/internal/changes"
)

// FileName is the SQLite index in an archive's folder.
const FileName = "index.sqlite"

// formatVersion is that of the tables; every change of them raises it. An index of an
// earlier format is rebuilt from the match files.
const formatVersion = 8

// ErrNewer means that a newer version of the program made the index.
var ErrNewer = errors.New("the index was made by a newer fibsbot")

// DB is an open index. It is safe for concurrent use.
type DB struct {
	rows rows
	dir  string
	log  *changes.Log
}

// Open opens the index of the archive in dir and creates a missing one. dsn is a PostgreSQL
// connection string, or empty for SQLite in dir; in a browser the index is kept in memory. It
// finishes changes that other programs left.
func Open(ctx context.Context, dir, dsn string) (*DB, error) {
	r, err := openRows(ctx, dir, dsn)
	if err != nil {
		return nil, err
	}
	d := newDB(r, dir)
	if d.log.Open() {
		// The change that holds the lock finishes them too, and a folder may be read-only. What
		// stays is finished by the next change, and verify reports it.
		now, stop := context.WithCancel(ctx)
		stop()
		_ = d.Finish(now)
	}
	return d, nil
}

// OpenMemory opens an index in memory of the archive in dir, which no other process sees. It
// is empty until Complete or Rebuild.
func OpenMemory(dir string) *DB { return newDB(newMemory(), dir) }

func newDB(r rows, dir string) *DB { return &DB{rows: r, dir: dir, log: &changes.Log{Dir: dir}} }

// Close closes the index.
func (d *DB) Close() error { return d.rows.Close() }

// Dir returns the archive's folder.
func (d *DB) Dir() string { return d.dir }
