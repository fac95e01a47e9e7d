//go:build unix

package bearoff

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestUnusable_namedPipe: pipes without a writer are listed among the unusable files. A bot
// whose folder had one waited for ever at its start.
func TestUnusable_namedPipe(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"one-6.bearoff", "gnubg.bd"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Skip(err)
		}
	}
	lines, err := Unusable(dir)
	if err != nil || len(lines) != 2 {
		t.Errorf("%q, %v", lines, err)
	}
}
