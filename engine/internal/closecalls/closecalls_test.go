package closecalls

import (
	"math"
	"testing"

	"fibsbot/engine/eval"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
	"fibsbot/internal/figure"
)

// TestBlend: a part of 0 is the rollout, 1 the search, between them their mean; the error that
// chance leaves shrinks with the rollout's part. A play searched at another depth takes the mean
// shift of the others.
func TestBlend(t *testing.T) {
	list := []search.Candidate{
		{Plies: 3, Equity: 0.20, Cubeless: 0.18, MWC: 0.60, Probs: eval.Probs{0.60, 0.2}},
		{Plies: 3, Equity: 0.10, Cubeless: 0.08, MWC: 0.55, Probs: eval.Probs{0.55, 0.2}},
		{Plies: 2, Equity: 0.90, Cubeless: 0.90, MWC: 0.90, Probs: eval.Probs{0.90, 0.9}},
	}
	at := func(v float64) *float64 { return &v }
	rolled := func() []rollout.Result {
		return []rollout.Result{
			{Equity: 0.10, Cubeless: 0.10, MWC: at(0.50), Probs: [5]float64{0.50, 0.1}, EquityErr: 0.008, ProbsErr: [5]figure.Figure{0.01}},
			{Equity: 0.12, Cubeless: 0.10, MWC: at(0.51), Probs: [5]float64{0.51, 0.1}, EquityErr: 0.008, ProbsErr: [5]figure.Figure{0.01}},
			{Equity: 0.05, Cubeless: 0.05, MWC: at(0.49), Probs: [5]float64{0.49, 0.1}, EquityErr: 0.008, ProbsErr: [5]figure.Figure{0.01}},
		}
	}
	for _, c := range []struct {
		part   float64
		equity [3]float64 // the third moves as the first two do on the mean: by part of 0.04
		win    float64    // of the first
		err    float64
	}{
		{0, [3]float64{0.10, 0.12, 0.05}, 0.50, 0.008},
		{0.25, [3]float64{0.125, 0.115, 0.06}, 0.525, 0.006},
		{1, [3]float64{0.20, 0.10, 0.09}, 0.60, 0},
	} {
		res := rolled()
		blend(res, list, c.part)
		for i := range res {
			if math.Abs(res[i].Equity-c.equity[i]) > 1e-9 || math.Abs(float64(res[i].EquityErr)-c.err) > 1e-9 {
				t.Errorf("part %v, play %d: %v +- %v, want %v +- %v", c.part, i+1, res[i].Equity, res[i].EquityErr, c.equity[i], c.err)
			}
		}
		if math.Abs(res[0].Probs[0]-c.win) > 1e-6 {
			t.Errorf("part %v: wins %v, want %v", c.part, res[0].Probs[0], c.win)
		}
	}
	blend(nil, list, 0.5) // a rollout that its time ended has no results
}
