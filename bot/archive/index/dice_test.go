package index

import (
	"math"
	"testing"

	"fibsbot/engine/board"
)

// TestDiceTest_fairAndLoaded tests the expected rolls of fair dice, including first rolls of
// games, and of loaded dice.
func TestDiceTest_fairAndLoaded(t *testing.T) {
	// 36,000 rolls of free dice and 3,000 first rolls on each side: 6,000 games.
	fair := DiceSum{Games: 6000}
	for i, r := range board.Rolls {
		for side := range fair.Dice {
			fair.Dice[side][i] = 1000 * r.Weight
			if !r.Dice.Double() {
				fair.Dice[side][i] += 100 * r.Weight
			}
		}
	}
	got := fair.Test(1)
	if got.Rolls != 39000 || got.ChiSq > 1e-9 || got.P < 0.999 || math.Abs(got.Doubles-6000.0/39000) > 1e-12 || math.Abs(got.Fair-got.Doubles) > 1e-12 {
		t.Errorf("fair dice: %+v", got)
	}
	plain := fair
	plain.Games = 0 // as if a first roll could be a double
	if got := plain.Test(1); got.P > 0.01 {
		t.Errorf("first rolls are not told apart: %+v", got)
	}
	loaded := fair
	loaded.Dice[0][20] += 200 // 66 every fifth time too often
	if got := loaded.Test(0); got.P > 0.01 || got.Doubles <= got.Fair {
		t.Errorf("loaded dice: %+v", got)
	}
	if got := loaded.Test(1); got.P < 0.999 {
		t.Errorf("the other side: %+v", got)
	}
	// 20 degrees of freedom: 31.41 is the upper 5% point of the tables.
	one := DiceSum{}
	for i, r := range board.Rolls {
		one.Dice[0][i] = 1000 * r.Weight
	}
	shift := int(math.Sqrt(31.41 / 2 * 2000)) // two rolls of weight 2, off by this much each way
	one.Dice[0][1] += shift
	one.Dice[0][3] -= shift
	if got := one.Test(0); math.Abs(got.P-0.05) > 0.002 {
		t.Errorf("at the 5%% point: %+v", got)
	}
	if got := (&DiceSum{}).Test(0); got.Rolls != 0 || got.Doubles+got.Fair+got.ChiSq+got.P != 0 {
		t.Errorf("no rolls: %+v", got)
	}
}
