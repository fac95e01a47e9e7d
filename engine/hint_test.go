package engine_test

import (
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/internal/enginetest"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
)

// TestHint_comparesTwo: who asks sees the best two plays at the full depth, also where the
// filter sees no rival for the best.
func TestHint_comparesTwo(t *testing.T) {
	e := enginetest.Open(t)
	pr := enginetest.Preset(t, "worldclass")
	st, d := match.Money(true, 0), board.Dice{A: 3, B: 1}
	ranked, err := e.RankPlays(t.Context(), board.Start, d, st, pr)
	if err != nil {
		t.Fatal(err)
	}
	hint, err := e.Hint(t.Context(), board.Start, d, st, pr)
	if err != nil {
		t.Fatal(err)
	}
	if ranked[1].Plies == pr.Checker.Plies {
		t.Fatalf("the filter keeps a rival of 8/5 6/5: %+v", ranked[1])
	}
	if len(hint) != len(ranked) || hint[0].Plies != pr.Checker.Plies || hint[1].Plies != pr.Checker.Plies || hint[2].Plies == pr.Checker.Plies {
		t.Errorf("depths %d, %d, %d, want the best two at %d", hint[0].Plies, hint[1].Plies, hint[2].Plies, pr.Checker.Plies)
	}
	if cuts := search.Normal.AtLeast(2).Cuts; cuts[1][0].Accept < 2 || cuts[1][1].Accept >= 0 {
		t.Errorf("%+v", cuts)
	}
}
