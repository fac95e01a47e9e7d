package record

import (
	"fmt"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
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

// ByPlayer returns the checkers of a position, which player sees, by the number of their player.
func ByPlayer(p board.Position, player int) *[2]board.Checkers {
	if player == 1 {
		p = p.Swap()
	}
	return &[2]board.Checkers{p.Me, p.Opp}
}

// check reports, in one line, a score, cube or dice that no game can have.
func (d Diagram) check() error {
	switch {
	case d.Cube < 1 || d.Cube > maxCube || d.Cube&(d.Cube-1) != 0:
		return fmt.Errorf("cube %d is not a power of two", d.Cube)
	case d.Length > match.MaxLength:
		return fmt.Errorf("a match of %d points: the longest has %d", d.Length, match.MaxLength)
	case d.Length < 0 || d.Score[0] < 0 || d.Score[1] < 0:
		return fmt.Errorf("score %d-%d in a match of %d points", d.Score[0], d.Score[1], d.Length)
	case d.Length > 0 && (d.Score[0] >= d.Length || d.Score[1] >= d.Length):
		return fmt.Errorf("score %d-%d is beyond the match of %d points", d.Score[0], d.Score[1], d.Length)
	case d.Length > 0 && d.Cube > 1 && d.Owner == NoPlayer:
		return fmt.Errorf("a cube of %d in the centre: a match has no automatic doubles", d.Cube)
	case d.Crawford && d.Length > 1 && (d.Cube > 1 || d.Owner != NoPlayer):
		return fmt.Errorf("a cube of %d that was turned in the Crawford game", d.Cube)
	case d.Dice != (board.Dice{}) && !d.Dice.Valid():
		return fmt.Errorf("dice %d and %d", d.Dice.A, d.Dice.B)
	}
	return nil
}

// Match returns the match of one game in which the position is set up. It fails, in one
// line, on what cannot be: see check and board.Position.Validate.
func (d Diagram) Match() (*Match, error) {
	p := board.Position{Me: d.Boards[1], Opp: d.Boards[0]}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if err := d.check(); err != nil {
		return nil, err
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

// LastDiagram returns the position after the last action of a game. A double that waits for
// its answer is not in it: the cube is still where it was.
func LastDiagram(m *Match, g *Game) Diagram {
	r := NewReplay(m, g)
	dice := r.End()
	return r.diagram(max(r.OnRoll(), 0), dice)
}

// diagram returns the current position with the given player on roll.
func (r *Replay) diagram(onRoll int, dice board.Dice) Diagram {
	d := Diagram{
		Players: r.m.Players, Length: r.m.Length, Score: r.g.Score, Crawford: r.g.Crawford,
		Jacoby: r.m.Length == 0 && r.m.Rules.Jacoby, Beavers: r.m.Rules.Beavers,
		Boards: r.boards, OnRoll: onRoll, Cube: r.live.Cube, Owner: r.live.Owner, Dice: dice,
	}
	if d.Length == 0 {
		d.Score = [2]int{}
	}
	return d
}

// Begins returns how many actions at the beginning of a game set it up, and the
// position they lead to.
func Begins(m *Match, g *Game) (n int, d Diagram) {
	r := NewReplay(m, g)
	for i := range r.g.Actions {
		// gnubg also keeps the dice that were edited away.
		if k := r.g.Actions[i].Kind; k == SetUp {
			n = i + 1
		} else if k != Roll {
			break
		}
	}
	for range n {
		r.Next()
	}
	return n, r.diagram(max(r.OnRoll(), 0), board.Dice{})
}

// CheckSetUps reports a game whose set-up position has a score or cube that no game can
// have. The error is a *SyntaxError where that is the only game; in a longer match it is a
// warning, as the other games are sound.
func CheckSetUps(m *Match) (ws []Warning, err error) {
	for i := range m.Games {
		n, d := Begins(m, &m.Games[i])
		if n == 0 {
			continue
		}
		bad := d.check()
		switch {
		case bad == nil:
		case len(m.Games) == 1:
			return nil, &SyntaxError{Line: 1, Column: 1, Problem: "impossible position: " + bad.Error()}
		default:
			ws = append(ws, Warning{Text: fmt.Sprintf("game %d begins with an impossible position: %v", i+1, bad)})
		}
	}
	return ws, nil
}

// IsOffer reports whether a match is one position alone in which a double waits for its
// answer.
func (m *Match) IsOffer() bool {
	if len(m.Games) != 1 {
		return false
	}
	game := m.Games[0]
	n := len(game.Actions)
	for n > 0 && game.Actions[n-1].Kind == Double {
		n--
	}
	offered := n < len(game.Actions)
	game.Actions = game.Actions[:n]
	return offered && (&Match{Games: []Game{game}}).IsPosition()
}

// OnlyPosition reports whether a match is a position that was set up, with or without dice or a
// double that waits for its answer: nothing to file as a match.
func (m *Match) OnlyPosition() bool {
	return (m.IsPosition() || m.IsOffer()) && m.Games[0].Actions[0].Kind == SetUp && !m.Games[0].Result.Finished()
}

// IsPosition reports whether a match is one position alone: nothing was played in it.
func (m *Match) IsPosition() bool {
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			if kind := m.Games[i].Actions[k].Kind; kind != SetUp && kind != Roll {
				return false
			}
		}
	}
	return len(m.Games) == 1 && len(m.Games[0].Actions) > 0
}
