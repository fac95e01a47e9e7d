package index

import (
	"path/filepath"
	"sync"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/testsize"
)

// Two writers that read the same match both keep their analysis in the file; many at a time
// damage nothing.
func TestEdit_keepsWhatOthersWroteMeanwhile(t *testing.T) {
	testsize.Medium(t)
	db, err := Open(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	g := record.Game{Cube: 1}
	const n = 8
	for i := range n {
		pl := board.AppendPlays(nil, board.Start, board.Dice{A: 3, B: 1})[0]
		if i > 0 {
			g.Actions = append(g.Actions, record.Action{Kind: record.Move, Player: i % 2, Dice: board.Dice{A: 6, B: 6}, Illegal: true})
			continue
		}
		g.Actions = append(g.Actions, record.Action{Kind: record.Move, Player: 0, Dice: board.Dice{A: 3, B: 1}, Steps: pl.Steps[:pl.N]})
	}
	m := &record.Match{Length: 5, Players: [2]record.Player{{Name: "anna"}, {Name: "bert"}}, Games: []record.Game{g}}
	if _, err := db.Import(t.Context(), m, Meta{}); err != nil {
		t.Fatal(err)
	}
	row, err := db.Show(t.Context(), Identity(m))
	if err != nil {
		t.Fatal(err)
	}
	var edits [n]*Edition
	for i := range edits {
		if edits[i], err = db.Edit(row); err != nil {
			t.Fatal(err)
		}
		luck := float64(i)
		a := &edits[i].Match.Games[0].Actions[i]
		a.Analysis, a.Comment = &record.Analysis{Played: -1, Luck: &luck}, "by "+string(rune('a'+i))
	}
	var all sync.WaitGroup
	for i := range edits {
		all.Go(func() {
			if _, err := edits[i].Store(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got, _, err := sgf.ReadFile(filepath.Join(db.Dir(), filepath.FromSlash(row.File)))
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range got.Games[0].Actions {
		if a.Analysis == nil || a.Analysis.Luck == nil || *a.Analysis.Luck != float64(i) || a.Comment != "by "+string(rune('a'+i)) {
			t.Errorf("action %d: %+v, %q", i, a.Analysis, a.Comment)
		}
	}
}

// An annotated version of a known match adds its analysis and comments; a bare one, or the
// same again, changes nothing.
func TestImport_annotatedVersion(t *testing.T) {
	db, err := Open(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	d := board.Dice{A: 3, B: 1}
	match := func() *record.Match {
		pl := board.AppendPlays(nil, board.Start, d)[0]
		return &record.Match{Length: 5, Players: [2]record.Player{{Name: "anna"}, {Name: "bert"}}, Games: []record.Game{{Cube: 1,
			Actions: []record.Action{{Kind: record.Move, Dice: d, Steps: pl.Steps[:pl.N]}}}}}
	}
	judged := match()
	a := &judged.Games[0].Actions[0]
	a.Comment = "quite so"
	a.Analysis = &record.Analysis{Candidates: []record.Candidate{{Steps: a.Steps, Settings: record.Settings{Plies: 2, Cubeful: true}}}}
	for i, c := range []struct {
		m    *record.Match
		want Outcome
	}{{match(), WasAdded}, {judged, WasMerged}, {match(), WasKnown}, {judged, WasKnown}} {
		if got, err := db.Import(t.Context(), c.m, Meta{}); err != nil || got != c.want {
			t.Errorf("import %d: %v %v, want %v", i+1, got, err, c.want)
		}
	}
	row, err := db.Show(t.Context(), Identity(judged))
	if err != nil || row.Plies != 2 {
		t.Fatalf("%+v %v", row, err)
	}
	e, err := db.Edit(row)
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Match.Games[0].Actions[0]; got.Comment != "quite so" || got.Analysis == nil || len(got.Analysis.Candidates) != 1 {
		t.Errorf("%+v", got)
	}
}
