package index

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fibsbot/engine/analyse"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/testsize"
)

// Rows are read as they were written, dice included.
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
	if diff := cmp.Diff(want, got, nearFigures); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if bad, err := ReadPruned(t.TempDir(), nil); err != nil || bad != nil {
		t.Errorf("an archive of which nothing was pruned: %v %v", bad, err)
	}
}

// A line of an earlier version claims nothing that it does not know.
func TestPruned_earlierLines(t *testing.T) {
	m, err := parsePruned([]byte(`{"id":"` + strings.Repeat("a", 20) + `","file":"a.sgf","account":"a","opponent":"b","rating":[0,1600],"rating_after":[0,0],"plies":-1,"error":[null,0.5],"counted_decisions":[0,50],"dice":"` +
		strings.TrimSpace(strings.Repeat("1 ", 42)) + `"}`))
	if err != nil {
		t.Fatal(err)
	}
	if m.Plies.Known() || m.Rating[0].Known() || m.Rating[1] != 1600 || m.RatingAfter[0].Known() || m.PR[0].Known() || m.PR[1] != 5 {
		t.Errorf("%+v", m)
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

// A pruned match imported without its analysis keeps its figures, also over a rebuild, until
// it has a new analysis.
func TestKeep_bareImport(t *testing.T) {
	testsize.Medium(t)
	dir := archive(t)
	path := filepath.Join(dir, "match5.sgf")
	full, _, err := sgf.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	row, err := Read(dir, path)
	if err != nil {
		t.Fatal(err)
	}
	if err := WritePruned(dir, []*Match{row}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	db, err := Open(t.Context(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rebuild := func() {
		t.Helper()
		if _, err := db.Rebuild(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	check := func(when string, kept bool) {
		t.Helper()
		got, err := db.Show(t.Context(), row.ID)
		if err != nil {
			t.Fatal(err)
		}
		want := *row
		want.Kept, got.Rows, want.Rows = kept, nil, nil
		want.Started, want.Finished = got.Started, got.Finished
		if diff := cmp.Diff(&want, got, cmpopts.EquateApprox(0, 1e-5), nearFigures); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	rebuild()
	if got, err := db.Import(t.Context(), analyse.Bare(full), Meta{}); err != nil || got != WasMerged {
		t.Fatal(got, err)
	}
	check("after the import", true)
	rebuild()
	check("after a rebuild", true)
	if got, err := db.Import(t.Context(), full, Meta{}); err != nil || got != WasMerged {
		t.Fatal(got, err)
	}
	check("analysed", false)
	rebuild()
	check("analysed, after a rebuild", false)
}

// nearFigures compares figures that a file may have rounded.
var nearFigures = cmp.Comparer(func(a, b Figure) bool {
	return !a.Known() && !b.Known() || math.Abs(float64(a-b)) <= 1e-5
})
