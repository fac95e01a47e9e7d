package play

import (
	"fmt"

	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// From is a position from which a match begins instead of the start of a game. Pairs and
// sides are those of the match.
type From struct {
	// Position is the Position ID as Side sees it, who is on roll.
	Position string `json:"position"`
	Side     int    `json:"side"`
	Score    [2]int `json:"score"`
	Cube     int    `json:"cube"`
	// Owner is the side that holds the cube, or record.NoPlayer.
	Owner    int  `json:"owner"`
	Crawford bool `json:"crawford,omitempty"`
	// Dice on the table, zero before the roll. Doubled: Side has doubled instead.
	Dice    [2]uint8 `json:"dice,omitzero"`
	Doubled bool     `json:"doubled,omitempty"`
}

// StartFrom sets position, length and score, and the rules of money play, to those of q.
// The person is the player on roll, or the one who has to answer a double; opponent gives
// the person the other side.
func (o *Options) StartFrom(q match.Situation, opponent bool) {
	side := You
	if opponent != q.Doubled {
		side = Opponent
	}
	f := &From{Position: q.Position.ID(), Side: side, Cube: q.State.Cube, Owner: record.NoPlayer, Crawford: q.State.Crawford, Doubled: q.Doubled}
	f.Score[side], f.Score[1-side] = q.State.Score[0], q.State.Score[1]
	switch q.State.Owner {
	case match.Mine:
		f.Owner = side
	case match.Theirs:
		f.Owner = 1 - side
	}
	if q.Dice.Valid() && !q.Doubled {
		f.Dice = [2]uint8{q.Dice.A, q.Dice.B}
	}
	o.From, o.Length = f, q.State.Length
	o.Jacoby, o.Beavers = nil, nil
	if o.Length == 0 {
		jacoby, beavers := q.State.Jacoby, q.State.Beavers
		o.Jacoby, o.Beavers = &jacoby, &beavers
	}
}

// situation is the position with the state of the match as Side sees it.
func (f *From) situation(o *Options) (q match.Situation, err error) {
	if f.Side != You && f.Side != Opponent || f.Owner < record.NoPlayer || f.Owner > 1 {
		return q, wrong("position", "side %d, owner %d", f.Side, f.Owner)
	}
	if q.Position, err = board.ParseID(f.Position); err != nil {
		return q, wrong("position", "%v", err)
	}
	q.State = match.State{Length: o.Length, Score: [2]int{f.Score[f.Side], f.Score[1-f.Side]}, Cube: f.Cube, Crawford: f.Crawford,
		Jacoby: o.jacoby(), Beavers: o.redoubles()}
	switch f.Owner {
	case f.Side:
		q.State.Owner = match.Mine
	case 1 - f.Side:
		q.State.Owner = match.Theirs
	}
	return q, nil
}

// check reports a position that no game of the match can reach, see wrong.
func (f *From) check(o *Options) error {
	q, err := f.situation(o)
	if err != nil {
		return err
	}
	rules := o.rules()
	dice := board.Dice{A: f.Dice[0], B: f.Dice[1]}
	switch {
	case max(q.Position.Me.Count(), q.Position.Opp.Count()) > o.Variation.Checkers():
		return wrong("position", "more than %d checkers on one side", o.Variation.Checkers())
	case rules.Result(&q.Position) != 0:
		return wrong("position", "the game is over in this position")
	case dice != (board.Dice{}) && !dice.Valid():
		return wrong("dice", "want two numbers from 1 to 6")
	case o.NoCube && (f.Cube > 1 || f.Doubled):
		return wrong("cube", "%d in a match without a cube", f.Cube)
	}
	if err := q.Position.Validate(); err != nil {
		return wrong("position", "%v", err)
	}
	if err := advice.CheckState(q.State); err != nil {
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	if f.Doubled && (!q.State.MayDouble() || q.State.DeadCube()) {
		return wrong("position", "the player on roll may not double here")
	}
	return nil
}

// place sets up the position of the match. It was checked before.
func (s *state) place() {
	f := s.opts.From
	side, owner, score := f.Side, f.Owner, f.Score
	if s.swapped {
		side, score = 1-side, [2]int{score[1], score[0]}
		if owner != record.NoPlayer {
			owner = 1 - owner
		}
	}
	p, _ := board.ParseID(f.Position)
	if side == Opponent {
		p = p.Swap()
	}
	s.posed, s.pos, s.turn, s.cube, s.owner, s.score, s.crawford = true, p, side, f.Cube, owner, score, f.Crawford
	switch {
	case f.Doubled:
		s.phase, s.turn = ToAnswer, 1-side
	case f.Dice != [2]uint8{}:
		s.phase, s.dice = ToMove, board.Dice{A: f.Dice[0], B: f.Dice[1]}
	default:
		s.phase = ToRoll
	}
}

// Tally counts the games that were played to their end from the position of a match.
type Tally struct {
	Games int `json:"games"`
	// Won, Gammons and Points are by side; a backgammon counts as a gammon.
	Won     [2]int `json:"won"`
	Gammons [2]int `json:"gammons"`
	Points  [2]int `json:"points"`
}

// add counts a game.
func (t *Tally) add(r Result) {
	t.Games++
	t.Won[r.Winner]++
	t.Points[r.Winner] += r.Points
	if r.Level > 1 && r.How != "drop" {
		t.Gammons[r.Winner]++
	}
}

func (t Tally) swap() Tally {
	flip := func(p [2]int) [2]int { return [2]int{p[1], p[0]} }
	return Tally{t.Games, flip(t.Won), flip(t.Gammons), flip(t.Points)}
}

// again begins the position of the match once more. A game in progress does not count.
func (s *state) again(a *Act) error {
	if s.opts.From == nil {
		return fmt.Errorf("%w: again is for a match that began from a position", ErrNotNow)
	}
	if s.phase == MatchOver {
		return s.notNow(a)
	}
	s.game++
	s.begin()
	s.place()
	return nil
}

// swap gives the person the other side, with its score, cube and checkers.
func (s *state) swap() error {
	switch s.phase {
	case ToRoll, ToMove, ToAnswer:
	default:
		return fmt.Errorf("%w: sides are swapped before a roll, a play or an answer", ErrNotNow)
	}
	if s.opts.Two {
		return fmt.Errorf("%w: each of two people keeps a side", ErrNotNow)
	}
	s.swapped = !s.swapped
	s.clock.left = [2]int64{s.clock.left[1], s.clock.left[0]}
	s.pos, s.turn = s.pos.Swap(), 1-s.turn
	s.score = [2]int{s.score[1], s.score[0]}
	s.tally = s.tally.swap()
	if s.owner != record.NoPlayer {
		s.owner = 1 - s.owner
	}
	// The acts of this game keep their checkers.
	entries := make([]Entry, len(s.entries))
	for i, e := range s.entries {
		if e.Game == s.game {
			e.Side = 1 - e.Side
		}
		entries[i] = e
	}
	s.entries = entries
	return nil
}
