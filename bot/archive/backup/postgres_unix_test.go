//go:build unix

package backup

import (
	"os"
	"path/filepath"
	"testing"

	"fibsbot/bot/archive/index"
	"fibsbot/internal/postgrestest"
	"fibsbot/internal/testsize"
)

// The index in PostgreSQL is rebuilt. If it cannot be reached, the folder is restored and the
// error says what is left to do.
func TestRestore_postgres(t *testing.T) {
	testsize.Medium(t)
	db := postgrestest.New(t)
	b, err := openBytes(t, written(t, sample(t)))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "archive")
	r, err := b.Restore(t.Context(), Target{Dir: dir, DSN: db.DSN})
	if err != nil || r.IndexError != nil {
		t.Fatal(err, r.IndexError)
	}
	d, err := index.Open(t.Context(), dir, db.DSN)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	rows := 0
	if err := d.List(t.Context(), index.Filter{}, func(*index.Match) error { rows++; return nil }); err != nil || rows == 0 || rows != r.Index.Added {
		t.Errorf("%d rows for %d matches (%v)", rows, r.Index.Added, err)
	}
	dir += "2"
	r, err = b.Restore(t.Context(), Target{Dir: dir, DSN: "postgres://nobody:secret@127.0.0.1:1/none"})
	if err != nil || r.IndexError == nil {
		t.Errorf("an index out of reach: %v, %v", err, r.IndexError)
	}
	if _, err := os.Stat(filepath.Join(dir, index.FileName)); err != nil {
		t.Error(err)
	}
}
