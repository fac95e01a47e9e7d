package match

import "fibsbot/engine/board"

// DropRule says what giving up a game costs, as a multiple of the cube: passing a double, and
// resigning on servers that do not let players choose how much.
type DropRule uint8

const (
	// DropSingle is backgammon's rule: a refused double costs the cube as it stood.
	DropSingle DropRule = iota
	// DropByPosition is that of bgammon.org servers, as measured there: giving up costs
	// a backgammon with a checker on the bar or in the winner's home board, else a
	// gammon with none borne off, else a single game. The same
	// price ends a game on the board, also if the loser has borne off before a backgammon.
	DropByPosition
)

// Won returns what p's Me has won by bearing off the last checker, in times of the cube.
func (r DropRule) Won(p *board.Position) int { return max(p.Result(), r.Level(&p.Opp)) }

// Level returns what giving up costs the player with the checkers loser: 1 to 3 times the
// cube.
func (r DropRule) Level(loser *board.Checkers) int {
	if r != DropByPosition {
		return 1
	}
	n := 0
	for i, v := range loser {
		if v > 0 && i >= 18 {
			return 3
		}
		n += int(v)
	}
	if n >= board.MaxCheckers {
		return 2
	}
	return 1
}
