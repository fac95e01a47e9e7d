package collection

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fibsbot/engine/record/detect"
)

// The positions of a file go into the collection of its name, with what the file says.
func TestStore_Import(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "collections.json"))
	for path, want := range map[string]struct {
		n    int
		note string
	}{
		"../../../../engine/record/xg/testdata/cube.xgp":                  {1, "no double +"},
		"../../../../engine/record/position/testdata/xgid-in-comment.txt": {1, ""},
	} {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		all, _, _, err := detect.ReadFile(path, f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			if !m.OnlyPosition() {
				t.Fatalf("%s: not a position", path)
			}
		}
		name, err := s.Import(path, all, time.Unix(1, 0))
		if err != nil || name+filepath.Ext(path) != filepath.Base(path) {
			t.Fatal(name, err)
		}
		c, err := s.Get(name)
		if err != nil || len(c.Items) != want.n || c.Items[0].Note == "" || !strings.Contains(c.Items[0].Note, want.note) {
			t.Errorf("%s: %v %+v", path, err, c.Items)
		}
	}
}
