package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/config"
)

// TestGroup: an opponent of any name gets a folder, and two opponents get two.
func TestGroup(t *testing.T) {
	c := config.Default()
	c.Archive.Group = "opponent"
	dir := t.TempDir()
	seen := map[string]bool{}
	for _, name := range []string{"bob", "../../etc", strings.Repeat("n", 255), strings.Repeat("n", 254), strings.Repeat("x", 10_000)} {
		part := group(c, &job{them: name})
		if err := os.Mkdir(filepath.Join(dir, part), 0o755); err != nil || seen[part] || !filepath.IsLocal(part) {
			t.Errorf("%.20s: %q: %v", name, part, err)
		}
		seen[part] = true
	}
}

// TestMoveAll: a match never overwrites another one, and an interrupted move is completed.
func TestMoveAll(t *testing.T) {
	dir := t.TempDir()
	to := filepath.Join(dir, "bob")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files := []string{filepath.Join(dir, "m.sgf"), filepath.Join(dir, "m.fibs")}
	write(files[0], "sgf")
	write(files[1], "fibs")
	moved, err := moveAll(files, to)
	if err != nil || moved[0] != filepath.Join(to, "m.sgf") {
		t.Fatal(moved, err)
	}
	write(files[1], "fibs") // as if an earlier move was interrupted after the first file
	if err := os.Remove(moved[1]); err != nil {
		t.Fatal(err)
	}
	if again, err := moveAll(files, to); err != nil || again[1] != moved[1] {
		t.Fatal(again, err)
	}
	write(files[0], "another") // the clock was set back, and the journals pruned
	write(files[1], "another")
	if again, err := moveAll(files, to); err != nil || again[0] != files[0] || again[1] != files[1] {
		t.Errorf("%q, %v", again, err)
	}
	if text, err := os.ReadFile(moved[0]); err != nil || string(text) != "sgf" {
		t.Errorf("%q, %v", text, err)
	}
}
