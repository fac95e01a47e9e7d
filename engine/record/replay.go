package record

import (
	"fmt"
	"iter"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Turn is one action of a game with position, cube and score before it.
type Turn struct {
	Index  int
	Action *Action
	// Player is who acts. Position and State are seen by that player, before
	// the action. When a double is pending State.Cube is still the old value
	// and State.Owner the old owner.
	Player   int
	Position board.Position
	State    match.State
	// Pending counts the doubles that wait for an answer: 0 none, 1 a double,
	// 2 a beaver, and so on.
	Pending int
	// Play is the play of a Move: its steps in a legal order and the result. An
	// illegal play has the steps of the record and the position that gnubg's
	// leniency gives: steps that cannot be made at all are left out.
	Play board.Play
	// Forced tells that a Move had at most one legal play.
	Forced bool
	// Legal is false when the rules did not allow the action; Problem says why.
	Legal   bool
	Problem string
}

// First returns who made the first of the doubles that a Double, Take or Drop belongs to:
// the player whose cube decision it all goes back to, beavers among them.
func (t *Turn) First() int {
	if t.Action.Kind == Double && t.Pending%2 == 0 || t.Action.Kind != Double && t.Pending > 0 && t.Pending%2 == 0 {
		return t.Player
	}
	return 1 - t.Player
}

// Doubler returns position and state of the cube decision that a Double, Take or Drop belongs to,
// as the first doubler sees them, and those of the player on roll for other actions.
func (t *Turn) Doubler() (board.Position, match.State) {
	if k := t.Action.Kind; (k == Double || k == Take || k == Drop) && t.First() != t.Player {
		return t.Position.Swap(), t.State.Swap()
	}
	return t.Position, t.State
}

// Replay follows one game. It never fails: what the rules forbid is carried out
// as far as it makes sense and reported.
type Replay struct {
	m       *Match
	g       *Game
	next    int
	boards  [2]board.Checkers
	live    match.Game
	onRoll  int // NoPlayer before the first action
	doubler int // who made the last of the doubles that wait
	over    bool
	winner  int
	points  int
	plays   []board.Play
}

// NewReplay starts before the first action of g, which is a game of m. A nil m is a money
// session by the usual rules, a nil g a game of which nothing is written.
func NewReplay(m *Match, g *Game) *Replay {
	if m == nil {
		m = &Match{}
	}
	if g == nil {
		g = &Game{}
	}
	start := m.Rules.Variation.Start()
	return &Replay{
		m: m, g: g,
		boards: [2]board.Checkers{start.Me, start.Me},
		live: match.Game{Length: m.Length, Score: g.Score, Crawford: g.Crawford, Cube: max(g.Cube, 1), Owner: NoPlayer,
			Jacoby: m.Rules.Jacoby, Beavers: m.Rules.Beavers, Drops: m.Rules.Drops},
		onRoll: NoPlayer,
		winner: NoPlayer,
	}
}

// Turns goes through all actions of a game.
func (m *Match) Turns(g *Game) iter.Seq[Turn] {
	return func(yield func(Turn) bool) {
		r := NewReplay(m, g)
		for {
			t, ok := r.Next()
			if !ok || !yield(t) {
				return
			}
		}
	}
}

// Position returns the position with the given player on roll.
func (r *Replay) Position(player int) board.Position {
	player &= 1
	return board.Position{Me: r.boards[player], Opp: r.boards[1-player]}
}

// State returns score and cube as the given player sees them.
func (r *Replay) State(player int) match.State { return r.live.State(player & 1) }

// Outcome returns who has won on the board or by a drop, and the points with
// the cube; NoPlayer and 0 while the game goes on. A resignation is not on the
// board: see Game.Result.
func (r *Replay) Outcome() (winner, points int) { return r.winner, r.points }

// Cube returns the value of the cube and who holds it, NoPlayer for the centre.
func (r *Replay) Cube() (value, owner int) { return r.live.Cube, r.live.Owner }

// End carries out all actions that are left and returns the dice of a last one that is a Roll.
func (r *Replay) End() (dice board.Dice) {
	for {
		t, ok := r.Next()
		if !ok {
			return dice
		}
		if dice = (board.Dice{}); t.Action.Kind == Roll {
			dice = t.Action.Dice
		}
	}
}

// OnRoll returns who is on roll, NoPlayer before the first action of a game.
func (r *Replay) OnRoll() int { return r.onRoll }

// Pending returns who made the double that waits for an answer, and how many wait:
// NoPlayer and 0 without one.
func (r *Replay) Pending() (doubler, n int) {
	if r.live.Pending == 0 {
		return NoPlayer, 0
	}
	return r.doubler, r.live.Pending
}

// Next carries out the next action and returns it with the situation before it.
func (r *Replay) Next() (Turn, bool) {
	if r.g == nil || r.next >= len(r.g.Actions) {
		return Turn{}, false
	}
	a := &r.g.Actions[r.next]
	player := a.Player
	if player != 0 && player != 1 {
		player = max(r.onRoll, 0)
	}
	t := Turn{
		Index: r.next, Action: a, Player: player, Legal: true,
		Position: r.Position(player), State: r.State(player), Pending: r.live.Pending,
	}
	r.next++
	if r.over && a.Kind != SetUp {
		t.fail("the game is over")
	}
	switch a.Kind {
	case Move:
		r.move(&t)
	case Roll:
		r.expectRoll(&t)
		r.onRoll = player
	case Double:
		r.double(&t)
	case Take, Drop:
		r.answer(&t)
	case SetUp:
		r.setUp(&t)
	default:
		t.fail("unknown action")
	}
	return t, true
}

func (t *Turn) fail(format string, args ...any) {
	if t.Legal {
		t.Legal, t.Problem = false, fmt.Sprintf(format, args...)
	}
}

// expectRoll checks that it is the actor's turn to roll.
func (r *Replay) expectRoll(t *Turn) {
	d := t.Action.Dice
	switch {
	case !d.Valid():
		t.fail("dice %d and %d", d.A, d.B)
	case r.live.Pending > 0:
		t.fail("a double waits for an answer")
		r.live.Pending = 0
	case r.onRoll != NoPlayer && r.onRoll != t.Player:
		t.fail("the other player is on roll")
	}
}

func (r *Replay) move(t *Turn) {
	r.expectRoll(t)
	a, p := t.Action, t.Position
	rules := r.m.Rules.Board()
	r.plays = rules.AppendPlays(r.plays[:0], p, a.Dice)
	t.Forced = len(r.plays) <= 1
	switch {
	case len(a.Steps) == 0:
		t.Play = board.Play{Result: p}
		if len(r.plays) > 0 {
			t.fail("did not move though there is a legal play")
		}
	default:
		result, steps, whole := apply(p, a.Steps)
		t.Play.Result, t.Play.N = result, uint8(copy(t.Play.Steps[:], steps))
		found := false
		for i := range r.plays {
			if r.plays[i].Result == result {
				found = true
				if !legalOrder(p, a.Dice, steps) {
					t.Play = r.plays[i]
				}
				break
			}
		}
		if !found || !whole {
			t.fail("not a legal play of %d and %d", a.Dice.A, a.Dice.B)
		}
	}
	r.boards[t.Player], r.boards[1-t.Player] = t.Play.Result.Me, t.Play.Result.Opp
	r.onRoll = 1 - t.Player
	if t.Play.Result.Me.Count() == 0 {
		r.finish(t.Player, r.level(&t.Play.Result)*r.live.Cube)
	}
}

// level is 1 to 3 for a player who has just borne off the last checker.
func (r *Replay) level(p *board.Position) int {
	if r.m.Length == 0 && r.m.Rules.Jacoby && r.live.Owner == NoPlayer {
		return 1
	}
	rules := r.m.Rules.Board()
	return max(rules.Result(p), r.m.Rules.Drops.Level(&p.Opp))
}

func (r *Replay) finish(winner, points int) {
	r.over, r.winner, r.points = true, winner, points
}

func (r *Replay) double(t *Turn) {
	switch {
	case r.live.Pending > 0:
		if r.doubler == t.Player {
			t.fail("doubles twice")
		} else if r.m.Length > 0 {
			t.fail("a beaver in a match")
		}
	case r.onRoll != NoPlayer && r.onRoll != t.Player:
		t.fail("doubles while the other player is on roll")
	case r.live.Owner == 1-t.Player:
		t.fail("doubles with the cube on the other side")
	case r.m.Rules.NoCube:
		t.fail("doubles in a match without a cube")
	case r.g.Crawford:
		t.fail("doubles in the Crawford game")
	case r.onRoll == NoPlayer:
		t.fail("doubles before the opening roll")
	}
	if r.live.Offered() >= maxCube {
		t.fail("the cube goes no higher")
		return
	}
	r.doubler = t.Player
	r.live.Double(t.Player)
}

// maxCube bounds what a hostile file can make of the cube.
const maxCube = 1 << 24

func (r *Replay) answer(t *Turn) {
	switch {
	case r.live.Pending == 0:
		t.fail("there is no double to answer")
		return
	case r.doubler == t.Player:
		t.fail("answers the own double")
	}
	if t.Action.Kind == Take {
		r.live.Take()
		r.onRoll = r.live.First
	} else {
		// A dropped beaver costs what the cube was worth before that last turn.
		other := t.Position.Swap()
		r.finish(1-t.Player, t.State.Passed(&other)<<(r.live.Pending-1))
	}
	r.live.Pending = 0
}

func (r *Replay) setUp(t *Turn) {
	a := t.Action
	if a.Player == 0 || a.Player == 1 {
		r.onRoll = a.Player
	}
	s := a.SetUp
	if s == nil {
		return
	}
	r.live.Pending = 0
	if s.Cube > 0 && s.Cube <= maxCube {
		r.live.Cube = s.Cube
	}
	if s.SetOwner {
		r.live.Owner = NoPlayer
		if s.Owner == 0 || s.Owner == 1 {
			r.live.Owner = s.Owner
		}
	}
	if s.Board != nil {
		p := board.Position{Me: s.Board[1], Opp: s.Board[0]}
		if err := p.Validate(); err != nil {
			t.fail("%v", err)
			return
		}
		r.boards, r.over, r.winner, r.points = *s.Board, false, NoPlayer, 0
	}
}

// maxWarnings bounds what a hostile file can make of the warnings.
const maxWarnings = 1000
