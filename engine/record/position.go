package record

import (
	"fmt"

	"fibsbot/engine/board"
)

// Diagram is a single position as position files hold it, seen from outside:
// everything by player number.
type Diagram struct {
	Players  [2]Player
	Length   int
	Score    [2]int
	Crawford bool
	Jacoby   bool
	Beavers  int
	Boards   [2]board.Checkers // each in its owner's numbering
	OnRoll   int
	Cube     int
	Owner    int // NoPlayer for the centre
	Dice     board.Dice
}

// Match returns the match of one game in which the position is set up. It
// fails, in one line, on what cannot be: see board.Position.Validate.
func (d Diagram) Match() (*Match, error) {
	p := board.Position{Me: d.Boards[1], Opp: d.Boards[0]}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	switch {
	case d.Cube < 1 || d.Cube > maxCube || d.Cube&(d.Cube-1) != 0:
		return nil, fmt.Errorf("cube %d is not a power of two", d.Cube)
	case d.Length < 0 || d.Length > 1<<15 || d.Score[0] < 0 || d.Score[1] < 0:
		return nil, fmt.Errorf("score %d-%d in a match of %d points", d.Score[0], d.Score[1], d.Length)
	case d.Length > 0 && (d.Score[0] >= d.Length || d.Score[1] >= d.Length):
		return nil, fmt.Errorf("score %d-%d is beyond the match of %d points", d.Score[0], d.Score[1], d.Length)
	case d.Dice != (board.Dice{}) && !d.Dice.Valid():
		return nil, fmt.Errorf("dice %d and %d", d.Dice.A, d.Dice.B)
	}
	boards := d.Boards
	actions := []Action{{Kind: SetUp, Player: d.OnRoll, SetUp: &Setup{Board: &boards}}}
	if d.Cube > 1 || d.Owner != NoPlayer {
		actions = append(actions,
			Action{Kind: SetUp, Player: NoPlayer, SetUp: &Setup{Cube: d.Cube}},
			Action{Kind: SetUp, Player: NoPlayer, SetUp: &Setup{Owner: d.Owner, SetOwner: true}})
	}
	if d.Dice.Valid() {
		actions = append(actions, Action{Kind: Roll, Player: d.OnRoll, Dice: d.Dice})
	}
	return &Match{
		Players: d.Players,
		Length:  d.Length,
		Rules:   Rules{Crawford: d.Length > 0, Jacoby: d.Length == 0 && d.Jacoby, Beavers: d.Beavers},
		Games:   []Game{{Score: d.Score, Crawford: d.Crawford && d.Length > 0, Cube: 1, Actions: actions}},
	}, nil
}
