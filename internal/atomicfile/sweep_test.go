package atomicfile

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fibsbot/internal/lockfile"
)

// The first write into a folder removes what killed programs left there, and nothing that is
// still written or that has another name.
func TestWrite_sweeps(t *testing.T) {
	if !locks {
		t.Skip("skipped: temporary files are not locked here")
	}
	dir := t.TempDir()
	for _, name := range []string{".tmp-old.zip-17", ".tmp-b[1].zip-2", ".tmp-live.zip-3", ".tmp-notes", ".tmp-x-1y", "tmp-a-1"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	release, err := lockfile.Take(filepath.Join(dir, ".tmp-live.zip-3"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if err := Write(filepath.Join(dir, "new.zip"), 0o600, func(f *os.File) error {
		sweep(dir) // as another program
		_, err := f.WriteString("x")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	var left []string
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		left = append(left, e.Name())
	}
	if want := []string{".tmp-live.zip-3", ".tmp-notes", ".tmp-x-1y", "new.zip", "tmp-a-1"}; !slices.Equal(left, want) {
		t.Errorf("left %q, want %q", left, want)
	}
}
