package engine_test

import (
	"testing"

	"fibsbot/engine/bench"
	"fibsbot/engine/board"
	"fibsbot/engine/internal/enginetest"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
)

// TestPlays_noUnsearchedPlayLeads: a ply deeper a centred cube under the Jacoby rule, the cube in reach at a
// score, may lower all plays together; one that the filter left behind is searched then, and so is one that
// the play made, judged beside the others, leaves ahead.
func TestPlays_noUnsearchedPlayLeads(t *testing.T) {
	e := enginetest.Open(t)
	questions, err := bench.NaturalQuestions(t.Context(), e, 120)
	if err != nil {
		t.Fatal(err)
	}
	filter, err := search.ParseFilter("0:2:0.02")
	if err != nil {
		t.Fatal(err)
	}
	s := search.Settings{Plies: 1, Cubeful: true, Prune: true, Filter: filter}
	more := 0
	for i, q := range questions {
		for _, st := range []match.State{match.Money(true, 3), match.Money(false, 0), {Length: 3, Cube: 1, Score: [2]int{1, 0}}} {
			list, err := e.Search().Plays(t.Context(), q.Position, q.Dice, st, s)
			if err != nil {
				t.Fatal(err)
			}
			if len(list) < 2 {
				continue
			}
			if len(list) > 2 && list[2].Plies > 0 {
				more++
			}
			last := list[len(list)-1].Play.Result
			beside, err := e.Search().PlaysBeside(t.Context(), q.Position, q.Dice, st, s, &last)
			if err != nil {
				t.Fatal(err)
			}
			made := false
			for n, l := range [][]search.Candidate{list, beside} {
				for _, c := range l {
					if l[0].Plies > 0 && c.Equity > l[0].Equity+0.0005 {
						t.Errorf("%d, list %d: %+v at %d plies leads %+v at %d", i, n, c.Equity, c.Plies, l[0].Equity, l[0].Plies)
					}
					made = made || n == 1 && c.Play.Result == last && (c.Plies == s.Plies || len(l) == 1)
				}
			}
			if !made || beside[0].Plies != s.Plies || beside[1].Plies != s.Plies {
				t.Errorf("%d: the play made and the best two are not all at %d plies", i, s.Plies)
			}
		}
	}
	if more == 0 {
		t.Error("no decision has a third play searched: the test shows nothing")
	}
}

// TestPlays_deeperLooksAgree: in two money games with a centred cube the play that a search of two plies
// had left behind is better, by rollouts of 1,296 trials, by 0.070 and 0.094.
func TestPlays_deeperLooksAgree(t *testing.T) {
	e := enginetest.Open(t)
	world := enginetest.Preset(t, "worldclass")
	for _, c := range []struct{ xgid, want string }{
		{"XGID=aBBB-ACD----b--aacbc-b--A-:0:0:1:32:0:0:3:0:10", "7/5 6/3"},
		{"XGID=-BBaabDAC--Bb--Aac-c---b--:0:0:1:63:0:0:3:0:10", "15/6"},
	} {
		s, err := match.ParseSituation(c.xgid)
		if err != nil {
			t.Fatal(err)
		}
		best, ok, err := e.BestPlay(t.Context(), s.Position, s.Dice, s.State, world)
		if err != nil || !ok || board.FormatPlay(s.Position, best.Play) != c.want {
			t.Errorf("%s: %s, want %s (%v)", c.xgid, board.FormatPlay(s.Position, best.Play), c.want, err)
		}
	}
}
