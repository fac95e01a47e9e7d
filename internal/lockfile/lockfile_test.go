package lockfile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
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

// Of many that take a lock and give it back one holds it at a time, though its file comes
// and goes, and nothing is left.
func TestTakeBeside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var held atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for had := 0; had < 50; {
				release, err := lockfile.TakeBeside(path, 0o600)
				if errors.Is(err, lockfile.ErrLocked) {
					runtime.Gosched()
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				had++
				if n := held.Add(1); n != 1 {
					t.Errorf("%d hold it", n)
				}
				held.Add(-1)
				if err := release(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is left: %v", err)
	}
	release, err := lockfile.TakeBeside(path, 0o600)
	if err == nil {
		err = errors.Join(os.Remove(path), release())
	}
	if err != nil && runtime.GOOS != "windows" {
		t.Errorf("the file was removed: %v", err)
	}
	if _, err := lockfile.TakeBeside(filepath.Join(path, "no", "folder"), 0o600); err == nil || errors.Is(err, lockfile.ErrLocked) {
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
		t.Error("a folder was opened as a file")
	}
}
