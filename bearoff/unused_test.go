package bearoff

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSource_unused: what a folder holds that cannot be used is remembered for who looks later.
func TestSource_unused(t *testing.T) {
	dir := t.TempDir()
	two, err := BuildTwoSided(t.Context(), 6, 2, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "two.bearoff")
	if err := two.Save(path); err != nil {
		t.Fatal(err)
	}
	unused := func() []string {
		s := NewSource(Options{Dir: dir, NoCache: true})
		defer s.Close()
		return s.Unused()
	}
	if lines := unused(); len(lines) > 0 {
		t.Errorf("sound: %q", lines)
	}
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, st.Size()-1); err != nil {
		t.Fatal(err)
	}
	if lines := unused(); len(lines) != 1 || !strings.Contains(lines[0], path) {
		t.Errorf("cut short: %q", lines)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if lines := unused(); len(lines) != 1 || !strings.Contains(lines[0], dir) {
		t.Errorf("gone: %q", lines)
	}
}
