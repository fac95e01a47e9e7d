package cube

import (
	"math"
	"testing"

	"fibsbot/engine/board"
)

// In a one-sided bearoff x grows with the pips of the player on roll up to a bound; a set
// without a slope has one x for all.
func TestEfficiency_oneSidedByPips(t *testing.T) {
	short := board.Position{Me: board.Checkers{0: 7}, Opp: board.Checkers{0: 7}}
	long := board.Position{Me: board.Checkers{5: 15}, Opp: board.Checkers{5: 15}}
	if a, b := UsualEfficiency.Of(&short), UsualEfficiency.Of(&long); math.Abs(a-0.508) > 1e-12 || b != 0.68 {
		t.Errorf("%v with 7 pips, %v with 90", a, b)
	}
	if a, b := GnubgEfficiency.Of(&short), GnubgEfficiency.Of(&long); a != 0.6 || b != 0.6 {
		t.Errorf("gnubg's: %v, %v", a, b)
	}
}
