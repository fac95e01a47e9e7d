package analyse

import (
	"bytes"
	"path/filepath"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/search"
	"fibsbot/internal/testsize"
)

// A rolled out cube is not lost where the play of its action is due, nor a deep play where
// the cube is.
func TestTakeOver_partOfAnAction(t *testing.T) {
	testsize.Medium(t)
	name := filepath.Join("testdata", "gnubg", "match3.sgf")
	a := newAnalyst(t)
	earlier := strip(load(t, name))
	if _, err := a.Analyse(t.Context(), earlier); err != nil {
		t.Fatal(err)
	}
	both := func(act *record.Action) bool {
		d := act.Analysis
		return act.Kind == record.Move && d != nil && d.Cube != nil && len(d.Candidates) > 1
	}
	cubes, plays := 0, 0
	for i := range earlier.Games {
		for j := range earlier.Games[i].Actions {
			if act := &earlier.Games[i].Actions[j]; both(act) {
				if (cubes+plays)%2 == 0 {
					act.Analysis.Cube.Rollout = &record.Rollout{Trials: 1296}
					cubes++
				} else {
					for c := range act.Analysis.Candidates {
						act.Analysis.Candidates[c].Rollout = &record.Rollout{Trials: 1296}
					}
					plays++
				}
			}
		}
	}
	if cubes < 3 || plays < 3 {
		t.Fatalf("%d cubes and %d plays to take over", cubes, plays)
	}
	deeper := *a
	deeper.Checker.Plies, deeper.Cube.Plies = 1, 1
	deeper.Checker.Filter = search.Normal
	m := strip(load(t, name))
	deeper.TakeOver(m, earlier)
	if _, err := deeper.Analyse(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	for i := range m.Games {
		for j := range m.Games[i].Actions {
			act, was := &m.Games[i].Actions[j], &earlier.Games[i].Actions[j]
			if !both(was) {
				continue
			}
			d, w := act.Analysis, was.Analysis
			if rolledOut(w.Cube.Rollout) {
				if !rolledOut(d.Cube.Rollout) {
					t.Errorf("game %d, action %d: the rolled out cube is lost", i+1, j)
				}
				cubes--
			} else if d.Cube.Settings.Plies != 1 {
				t.Errorf("game %d, action %d: the cube at %d plies", i+1, j, d.Cube.Settings.Plies)
			}
			if rolledOut(w.Candidates[0].Rollout) {
				if !rolledOut(d.Candidates[0].Rollout) {
					t.Errorf("game %d, action %d: the rolled out play is lost", i+1, j)
				}
				plays--
			}
		}
	}
	if cubes != 0 || plays != 0 {
		t.Errorf("%d cubes and %d plays not seen again", cubes, plays)
	}
}

// A play without a rival within the filter is judged as deep as it is going to be: a second
// run over the file has nothing left to do.
func TestAnalyse_nothingIsDueTwice(t *testing.T) {
	testsize.Large(t)
	a := newAnalyst(t)
	a.Checker.Plies, a.Checker.Filter = 2, search.Tiny
	m := strip(load(t, filepath.Join("testdata", "gnubg", "match3.sgf")))
	if _, err := a.Analyse(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	shallow := 0
	for i := range m.Games {
		for j := range m.Games[i].Actions {
			if d := m.Games[i].Actions[j].Analysis; d != nil && len(d.Candidates) > 1 && d.Candidates[0].Settings.Plies < 2 {
				shallow++
			}
		}
	}
	if shallow == 0 {
		t.Fatal("no play without a rival, the match tries nothing")
	}
	var file bytes.Buffer
	if err := sgf.Write(&file, m); err != nil {
		t.Fatal(err)
	}
	again, _, err := sgf.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(a.due(again)); n != 0 {
		t.Errorf("%d decisions are due again, %d have no rival", n, shallow)
	}
	deeper := *a
	deeper.Checker.Filter = search.Huge
	if n := len(deeper.due(again)); n == 0 {
		t.Error("a wider filter finds no rivals")
	}
}
