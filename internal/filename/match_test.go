package filename

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A folder's name is taken as it is, whatever it means in a pattern.
func TestMatch(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "matches [2026")
	var want []string
	for _, name := range []string{"a.lock", "b.lock", "sub/c.lock", "d.txt"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		want = append(want, path)
	}
	for _, tt := range []struct {
		pattern string
		want    []string
	}{
		{"*.lock", want[:2]},
		{"sub/*.lock", want[2:3]},
		{"*.none", nil},
	} {
		got, err := Match(dir, tt.pattern)
		if err != nil || !cmp.Equal(got, tt.want) && len(got)+len(tt.want) > 0 {
			t.Errorf("%s: %q, %v, want %q", tt.pattern, got, err, tt.want)
		}
	}
	if got, err := Match(filepath.Join(dir, "none"), "*"); len(got) > 0 || err != nil {
		t.Errorf("no folder: %q, %v", got, err)
	}
	if _, err := Match(dir, "[a"); err == nil {
		t.Error("a bad pattern is not told")
	}
	t.Chdir(dir)
	if got, err := Match("", "*.lock"); err != nil || !cmp.Equal(got, []string{"a.lock", "b.lock"}) {
		t.Errorf("here: %q, %v", got, err)
	}
}
