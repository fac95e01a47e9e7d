package lockfile_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"fibsbot/internal/atomicfile"
	"fibsbot/internal/lockfile"
)

// Many that count one up in a file, each by a new file, lose none of the counts.
func TestTakeReplaced_noUpdateIsLost(t *testing.T) {
	path := filepath.Join(t.TempDir(), "count")
	if err := os.WriteFile(path, []byte("0"), 0o644); err != nil {
		t.Fatal(err)
	}
	const writers, times = 6, 15
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for range times {
				release, err := lockfile.TakeReplaced(t.Context(), path)
				if err != nil {
					t.Error(err)
					return
				}
				b, err := os.ReadFile(path)
				n, _ := strconv.Atoi(string(b))
				if err == nil {
					err = atomicfile.WriteBytesUnsynced(path, 0o644, []byte(strconv.Itoa(n+1)))
				}
				if err := errors.Join(err, release()); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	if b, _ := os.ReadFile(path); string(b) != strconv.Itoa(writers*times) {
		t.Errorf("%s, want %d", b, writers*times)
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 && filepath.Separator == '/' {
		t.Errorf("%d files", len(files))
	}
}

func TestTakeReplaced_givesUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if _, err := lockfile.TakeReplaced(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	release, err := lockfile.TakeReplaced(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := lockfile.TakeReplaced(ctx, path); !errors.Is(err, lockfile.ErrLocked) {
		t.Errorf("%v", err)
	}
}
