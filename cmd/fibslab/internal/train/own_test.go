package train

import (
	"math"
	"math/rand/v2"
	"testing"

	"fibsbot/engine/board"
)

// TestOwn_onePlyInFull: the label of one ply is the mean over the rolls of the best static value
// after each, no play left out.
func TestOwn_onePlyInFull(t *testing.T) {
	e, err := Options{}.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	own, static := Own(e), e.Model().Evaluator()
	rng := rand.New(rand.NewPCG(6, 1))
	for range 60 {
		p := StartOf(Crashed, rng)
		want := 0.0
		for _, r := range board.Rolls {
			best := math.Inf(-1)
			for _, play := range board.AppendPlays(nil, p, r.Dice) {
				after := play.Result.Swap()
				best = max(best, -float64(static.Eval(&after).Money()))
			}
			if math.IsInf(best, -1) {
				other := p.Swap()
				best = -float64(static.Eval(&other).Money())
			}
			want += best * float64(r.Weight) / 36
		}
		var out [1]Label
		if err := own.Label(t.Context(), []board.Key{p.Key()}, 1, out[:]); err != nil {
			t.Fatal(err)
		}
		if got := float64(out[0].Probs().Money()); math.Abs(got-want) > 1e-4 {
			t.Errorf("%s: %.5f, want %.5f", p.ID(), got, want)
		}
	}
}
