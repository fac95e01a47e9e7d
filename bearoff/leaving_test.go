package bearoff

import (
	"math"
	"testing"

	"fibsbot/engine/board"
)

// fifteen returns the checkers at the given indices, the rest of fifteen on the 13 point.
func fifteen(at ...int) (c board.Checkers) {
	for _, i := range at {
		c[i]++
	}
	c[12] += uint8(15 - len(at))
	return c
}

func TestSource_backgammons(t *testing.T) {
	src := NewSource(Options{NoCache: true})
	oneRoll := board.Checkers{0: 2}
	for _, c := range []struct {
		name          string
		winner, loser board.Checkers
		first, second float64 // of the winner, on roll and not
	}{
		// The 1 pip is always there; without a roll all is lost.
		{"one pip", oneRoll, fifteen(18), 1, 0},
		// 11, 21 and 31 do not move a checker five pips.
		{"five pips", oneRoll, fifteen(22), 1, 5. / 36},
		// Two checkers on the first place need two numbers, which every roll has; three need a double.
		{"two checkers", oneRoll, fifteen(18, 18), 1, 0},
		{"three checkers", oneRoll, fifteen(18, 18, 18), 1, 30. / 36},
		// Ten do not leave in one roll.
		{"ten checkers", oneRoll, fifteen(18, 18, 18, 19, 19, 19, 20, 20, 20, 20), 1, 1},
		// Four on the ace point go at once with a double, or else with the second roll.
		{"two rolls", board.Checkers{0: 4}, fifteen(22), 6./36 + 30./36*5/36, 5. / 36 * 6 / 36},
	} {
		p := board.Position{Me: c.winner, Opp: c.loser}
		win, lose := src.Backgammons(&p)
		if math.Abs(float64(win)-c.first) > 2e-3 || lose != -1 {
			t.Errorf("%s: the winner on roll: %.4f, want %.4f; loses %v", c.name, win, c.first, lose)
		}
		p = p.Swap()
		if win, lose = src.Backgammons(&p); win != -1 || math.Abs(float64(lose)-c.second) > 2e-3 {
			t.Errorf("%s: the loser on roll: %.4f, want %.4f; wins %v", c.name, lose, c.second, win)
		}
	}
	for name, loser := range map[string]board.Checkers{
		"has left": fifteen(17), "has a checker off": {22: 1, 12: 13}, "too deep": fifteen(23),
	} {
		if win, lose := src.Backgammons(&board.Position{Me: oneRoll, Opp: loser}); win >= 0 || lose >= 0 {
			t.Errorf("%s: known, %v and %v", name, win, lose)
		}
	}
}
