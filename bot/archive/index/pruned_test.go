package index

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPruned_rowsComeBackWhole: what is written is what is read, dice and all.
func TestPruned_rowsComeBackWhole(t *testing.T) {
	dir := archive(t)
	var want []*Match
	for _, name := range []string{"match3.sgf", "match5.sgf"} {
		m, err := Read(dir, filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := WritePruned(dir, []*Match{m}); err != nil {
			t.Fatal(err)
		}
		m.Pruned = true
		want = append(want, m)
	}
	var got []*Match
	bad, err := ReadPruned(dir, func(m *Match) error { got = append(got, m); return nil })
	if err != nil || len(bad) > 0 {
		t.Fatal(bad, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if bad, err := ReadPruned(t.TempDir(), nil); err != nil || bad != nil {
		t.Errorf("an archive of which nothing was pruned: %v %v", bad, err)
	}
}

func FuzzReadPruned(f *testing.F) {
	f.Add(`{"id":"ab","file":"a.sgf","account":"a","opponent":"b","me":1,"dice":"` + strings.TrimSpace(strings.Repeat("1 ", 42)) + `"}` + "\n{\n")
	f.Add("{}\n\n[]")
	f.Fuzz(func(t *testing.T, text string) {
		n := 0
		bad, err := readPruned(strings.NewReader(text), func(m *Match) error {
			n++
			if m.ID == "" || !m.Pruned || m.Me != 0 && m.Me != 1 {
				t.Fatalf("%+v", m)
			}
			return nil
		})
		if err != nil || n+len(bad) > strings.Count(text, "\n")+1 {
			t.Fatalf("%d rows, %d bad, %v", n, len(bad), err)
		}
	})
}
