//go:build unix

package backup

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"fibsbot/bot/archive/index"
)

// A named pipe without a writer is an error, as a backup and in an archive's folder: opening it
// must not wait.
func TestOpen_namedPipe(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.zip", "2026-11-23_070000_Robo-bob_1pt.sgf"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Skip(err)
		}
	}
	if _, err := Open(t.Context(), filepath.Join(dir, "b.zip"), nil); !errors.Is(err, ErrNoBackup) {
		t.Errorf("opened: %v", err)
	}
	db, err := index.Open(t.Context(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if r, err := db.Rebuild(t.Context(), nil); err != nil || r.Added != 0 {
		t.Errorf("the index is rebuilt with %+v: %v", r, err)
	}
}
