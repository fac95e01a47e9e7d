package lockfile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/internal/lockfile"
)

func TestTake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	release, err := lockfile.Take(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockfile.Take(path, 0o600); !errors.Is(err, lockfile.ErrLocked) {
		t.Errorf("a second lock: %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	release, err = lockfile.Take(path, 0o600)
	if err != nil {
		t.Fatalf("after the release: %v", err)
	}
	defer release()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := lockfile.Take(filepath.Join(path, "no", "folder"), 0o600); err == nil || errors.Is(err, lockfile.ErrLocked) {
		t.Errorf("no folder: %v", err)
	}
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results")
	f, err := lockfile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, "one\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := lockfile.Open(path); !errors.Is(err, lockfile.ErrLocked) || !strings.Contains(err.Error(), path) {
		t.Errorf("opened twice: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	f, err = lockfile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if data, err := io.ReadAll(f); err != nil || string(data) != "one\n" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := lockfile.Open(t.TempDir()); err == nil {
		t.Error("a folder is no file")
	}
}
