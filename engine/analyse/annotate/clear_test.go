package annotate

import (
	"math"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/rollout"
	"fibsbot/internal/figure"
)

// A rollout overturns an analysis only by two standard errors.
func TestRolled_clear(t *testing.T) {
	plays := board.AppendPlays(nil, board.Start, board.Dice{A: 3, B: 1})[:2]
	cube := func(nd, dt, se float64) Rolled {
		return Rolled{Results: []rollout.Result{{Equity: nd, EquityErr: figure.Figure(se)}, {Equity: dt, EquityErr: figure.Figure(se)}}}
	}
	for name, c := range map[string]struct {
		r    Rolled
		best int // number of a play; there is no play 2
		want bool
	}{
		"clear":                         {Rolled{Plays: plays, Results: []rollout.Result{{}, {JSD: 3}}}, 1, true},
		"within the error":              {Rolled{Plays: plays, Results: []rollout.Result{{}, {JSD: 1.4}}}, 1, false},
		"the best was not rolled out":   {Rolled{Plays: plays, Results: []rollout.Result{{}, {JSD: 3}}}, 2, false},
		"a clear double and take":       {cube(.5, .7, .02), 0, true},
		"a double within the error":     {cube(.5, .53, .02), 0, false},
		"a take within the error":       {cube(.5, .97, .02), 0, false},
		"without a standard error":      {cube(.5, .7, math.NaN()), 0, false},
		"too good, and the pass is not": {cube(1.2, 1.5, .02), 0, true},
	} {
		best := board.Start
		if c.best < 2 {
			best = plays[c.best].Result
		}
		if got := c.r.Clear(best); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
