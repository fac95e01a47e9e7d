package bearoff

import (
	"testing"

	"fibsbot/engine/board"
)

// Far behind, the chance and not the mean chooses the play.
func TestBestPlay_desperation(t *testing.T) {
	o := home15()
	differ, best := 0, 0.0
	for x := range o.Len() {
		if x%97 != 0 || x == 0 {
			continue
		}
		me := Placement(x, 6)
		for _, opp := range []board.Checkers{{0: 2}, {0: 3}, {0: 4, 1: 1}} {
			if me.Count() > 8 || me.Count() < 3 {
				continue
			}
			p := board.Position{Me: me, Opp: opp}
			b, ok := o.BestPlay(&p, board.Dice{A: 2, B: 1})
			if !ok {
				t.Fatalf("%v: no play", me)
			}
			if b.Win < b.QuickWin {
				t.Fatalf("%v: best play wins %.5f, quickest %.5f", me, b.Win, b.QuickWin)
			}
			if b.Win > b.QuickWin {
				differ++
				best = max(best, b.Win-b.QuickWin)
			}
		}
	}
	t.Logf("%d positions where the quickest play is not the best one, by up to %.4f", differ, best)
	if differ == 0 {
		t.Error("the two never differ")
	}
}
