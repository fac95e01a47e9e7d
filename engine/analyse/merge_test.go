package analyse

import (
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/record"
)

// TestMerge takes the analysis and the comments of an annotated file into a plain one.
func TestMerge(t *testing.T) {
	file := filepath.Join("testdata", "gnubg", "match5.sgf")
	plain := func() *record.Match {
		m := load(t, file)
		m.Event = ""
		for i := range m.Games {
			m.Games[i].Statistics = nil
			for k := range m.Games[i].Actions {
				a := &m.Games[i].Actions[k]
				a.Analysis, a.Comment, a.Marks = nil, "", record.Marks{}
			}
		}
		return m
	}
	m, full := plain(), load(t, file)
	full.Event, full.Games[0].Actions[2].Comment = "Cup", "why not the bar point?"
	want := Summarise(full, nil, DefaultLimits)
	n, changed := Merge(m, full, nil, DefaultLimits)
	if n < 50 || !changed || m.Event != "Cup" || m.Games[0].Actions[2].Comment != "why not the bar point?" || m.Games[0].Statistics == nil {
		t.Fatalf("%d actions, changed %v, event %q", n, changed, m.Event)
	}
	if got := Summarise(m, nil, DefaultLimits); got.Players[0].Error() != want.Players[0].Error() || got.Players[1].Luck != want.Players[1].Luck {
		t.Errorf("errors %v, want %v", got.Players[0].Error(), want.Players[0].Error())
	}
	if n, changed := Merge(m, full, nil, DefaultLimits); n != 0 || changed {
		t.Errorf("again: %d actions, changed %v", n, changed)
	}
	// What is shallower is not taken, what is deeper is; an own comment stays first.
	deep := load(t, file)
	move := func(m *record.Match) *record.Action {
		for i := range m.Games[0].Actions {
			if a := &m.Games[0].Actions[i]; a.Analysis != nil && len(a.Analysis.Candidates) > 2 {
				return a
			}
		}
		t.Fatal("no play with candidates")
		return nil
	}
	a, b := move(m), move(deep)
	b.Analysis.Candidates[1].Rollout = &record.Rollout{Trials: 1296}
	a.Comment, b.Comment = "mine", "theirs"
	if n, _ := Merge(m, deep, nil, DefaultLimits); n != 1 || move(m).Analysis.Candidates[1].Rollout == nil || move(m).Comment != "mine\ntheirs" {
		t.Errorf("deeper: %d, comment %q", n, move(m).Comment)
	}
	// The evaluation stays beside the rollout; merged again it is not there twice.
	had, fresh := a.Analysis.Candidates, plain()
	if list := move(m).Analysis.Beside; len(list) != 1 || list[0].By != m.Judge.Program || len(list[0].Candidates) != len(had) {
		t.Errorf("beside the rollout: %+v", list)
	}
	Merge(fresh, m, nil, DefaultLimits)
	Merge(fresh, deep, nil, DefaultLimits)
	if list := move(fresh).Analysis.Beside; len(list) != 1 {
		t.Errorf("beside the rollout of a copy: %+v", list)
	}
	if n, _ := Merge(m, load(t, file), nil, DefaultLimits); n != 0 || move(m).Analysis.Candidates[1].Rollout == nil {
		t.Errorf("a shallower analysis replaced %d", n)
	}
	// Of equal depth the less noisy one is taken, whichever came first.
	noisy, clean := load(t, file), load(t, file)
	for _, m := range []*record.Match{noisy, clean} {
		for i := range move(m).Analysis.Candidates {
			move(m).Analysis.Candidates[i].Settings.Noise = 0
		}
	}
	move(noisy).Analysis.Candidates[0].Settings.Noise = 0.02
	move(noisy).Analysis.Candidates[0].Outcome.Cubeful = 0.5
	for i := range move(noisy).Analysis.Candidates {
		move(noisy).Analysis.Candidates[i].Settings.Noise = 0.02
	}
	if n, _ := Merge(clean, noisy, nil, DefaultLimits); n != 0 {
		t.Errorf("%d noisy judgements taken", n)
	}
	if n, _ := Merge(noisy, clean, nil, DefaultLimits); n != 1 || move(noisy).Analysis.Candidates[0].Outcome.Cubeful == 0.5 {
		t.Errorf("%d judgements without noise taken", n)
	}
	// Another match of the same players contributes only its header.
	other := load(t, filepath.Join("testdata", "gnubg", "match3.sgf"))
	if n, _ := Merge(plain(), other, nil, DefaultLimits); n != 0 {
		t.Errorf("%d actions of another match", n)
	}
	if strings.Count(move(m).Comment, "theirs") != 1 {
		t.Error(move(m).Comment)
	}
}
