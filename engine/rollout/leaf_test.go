package rollout

import (
	"context"
	"math"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
)

// Trials that end after one roll, over all 36 rolls, are what the search sees with
// one ply more, whatever the luck estimates say: the mean over the rolls of the
// leaf's value after the best play.
func TestRun_leavesAreSearched(t *testing.T) {
	o := options(t, contrary{}, nil) // no two plays are worth the same
	p := board.Position{Me: board.Checkers{5: 4, 7: 3, 12: 3, 20: 2}, Opp: board.Checkers{5: 5, 9: 2, 12: 3, 19: 2}}
	st := match.Money(false, 0)
	leaf := search.Settings{Plies: 1}
	want := 0.0
	for _, r := range board.Rolls {
		best, legal, err := o.Search.Best(context.Background(), p, r.Dice, st, search.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		next := p.Swap()
		if legal > 0 {
			next = best.Play.Result.Swap()
		}
		v, err := o.Search.Evaluate(context.Background(), next, st, leaf)
		if err != nil {
			t.Fatal(err)
		}
		want -= float64(r.Weight) / 36 * float64(v.Probs.Money())
	}
	for _, deep := range []bool{false, true} {
		s := Default()
		s.Trials, s.MinTrials, s.Cubeful, s.Truncate, s.Threads = 36, 36, false, 1, 1
		if deep {
			s.Leaf = leaf
		}
		j := job(t, o, p, st, s)
		j.AddPosition("here")
		if err := j.Run(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		got := j.Results()[0].Equity
		if near := math.Abs(got-want) < 1e-5; near != deep {
			t.Errorf("leaves searched %v: equity %.6f, the search says %.6f", deep, got, want)
		}
	}
	s := Default()
	s.Leaf.Plies = 9
	if err := s.Validate(); err == nil {
		t.Error("a leaf of 9 plies is not refused")
	}
}
