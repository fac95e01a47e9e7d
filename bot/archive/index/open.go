package index

import (
	"context"
	"errors"
)

// FileName is the SQLite index in an archive's folder.
const FileName = "index.sqlite"

// formatVersion is that of the tables; every change of them raises it. An index of an
// earlier format is rebuilt from the match files.
const formatVersion = 2

// ErrNewer means that a newer version of the program made the index.
var ErrNewer = errors.New("the index was made by a newer fibsbot")

// DB is an open index. It is safe for concurrent use.
type DB struct {
	rows rows
	dir  string
}

// Open opens the index of the archive in dir and creates a missing one. dsn is a PostgreSQL
// connection string, or empty for SQLite in dir; in a browser the index is kept in memory.
func Open(ctx context.Context, dir, dsn string) (*DB, error) {
	r, err := openRows(ctx, dir, dsn)
	if err != nil {
		return nil, err
	}
	return &DB{rows: r, dir: dir}, nil
}

// OpenMemory opens an index in memory of the archive in dir, which no other process sees. It
// is empty until Complete or Rebuild.
func OpenMemory(dir string) *DB { return &DB{rows: newMemory(), dir: dir} }

// Close closes the index.
func (d *DB) Close() error { return d.rows.Close() }

// Dir returns the archive's folder.
func (d *DB) Dir() string { return d.dir }
