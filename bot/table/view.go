package table

import (
	"errors"
	"fmt"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/fibs/clip"
)

// View is a FIBS board line turned into the engine's terms: colours and
// directions of play are gone. Me is the player whose board it is: the bot on
// its own boards, the watched player on others.
type View struct {
	// Mine tells that the board is the bot's own match ("You").
	Mine     bool
	Opponent string
	Length   int    // 0 unlimited
	Score    [2]int // by Side, before the running game
	Position board.Position
	// Turn is who has to act. While a double is pending FIBS flips it or not,
	// depending on the server; Doubler tells the truth then.
	Turn Side
	// Dice is the roll of the player on turn, zero when nothing is rolled.
	Dice  board.Dice
	Cube  int
	Owner match.Owner // seen from Me; while a double is pending, as before it
	// Doubler is who has doubled and waits for the answer, or Nobody.
	Doubler Side
	// PostCrawford is field 51. Clones fill it, fibs.com leaves it 0: true is
	// news, false is nothing.
	PostCrawford bool
	// Down tells whether Me moves from 24 to 1. It says nothing about the game and
	// is needed only to write moves the way the server wants them.
	Down bool
}

// ErrView is wrapped by every error of ViewOf: the board contradicts itself and
// a new one must be asked for.
var ErrView = errors.New("impossible board")

// ViewOf turns a board line into the engine's terms. Clones leave the bars of the
// point fields empty, so the counts of their own fields are used.
func ViewOf(b clip.Board) (View, error) {
	v := View{
		Mine: b.Own(), Opponent: b.Opponent, Length: lengthOf(b.Length),
		Score: [2]int{Us: b.PlayerScore, Them: b.OpponentScore},
		Cube:  b.Cube, PostCrawford: b.AfterCrawford == 1, Down: b.Direction < 0,
		Turn: Nobody, Doubler: Nobody,
	}
	for k := 1; k <= 24; k++ {
		n := int(b.Points[k]) * int(b.Colour)
		mine := k - 1 // own index of point k for somebody who moves down
		if !v.Down {
			mine = 24 - k
		}
		if n > 0 {
			v.Position.Me[mine] = uint8(n)
		} else if n < 0 {
			v.Position.Opp[23-mine] = uint8(-n)
		}
	}
	v.Position.Me[board.Bar] = b.PlayerBar
	v.Position.Opp[board.Bar] = b.OpponentBar
	if err := v.Position.Validate(); err != nil {
		return View{}, fmt.Errorf("%w: %w", ErrView, err)
	}
	switch b.PlayerTurn() {
	case 1:
		v.Turn, v.Dice = Us, diceOf(b.PlayerDice)
	case -1:
		v.Turn, v.Dice = Them, diceOf(b.OpponentDice)
	}
	switch {
	case b.PlayerMayDouble && !b.OpponentMayDouble:
		v.Owner = match.Mine
	case !b.PlayerMayDouble && b.OpponentMayDouble:
		v.Owner = match.Theirs
	}
	if b.DoublePending() && v.Turn != Nobody && !v.Dice.Valid() {
		// The turn field may or may not be flipped; only "was doubled" is sure.
		v.Doubler = Us
		if b.WasDoubled {
			v.Doubler = Them
		}
		v.Turn, v.Dice, v.Owner = v.Doubler, board.Dice{}, match.Centred
		if b.Cube > 1 {
			// Only the owner can have turned a cube that was turned before.
			v.Owner = match.Mine
			if v.Doubler == Them {
				v.Owner = match.Theirs
			}
		}
	}
	return v, nil
}

// Situation returns what stands on the table for the player to act, who becomes
// Me. crawford is the caller's knowledge: the board does not say. ok is false
// when nobody is to act.
func (v View) Situation(crawford bool) (s match.Situation, ok bool) {
	if v.Turn == Nobody {
		return s, false
	}
	s.Position = v.Position
	s.State = match.State{Length: v.Length, Cube: v.Cube, Owner: v.Owner, Crawford: crawford}
	if v.Length > 0 {
		s.State.Score = [2]int{v.Score[Us], v.Score[Them]}
	}
	s.Dice = v.Dice
	s.Doubled = v.Doubler != Nobody
	if v.Turn == Them {
		s.Position, s.State = s.Position.Swap(), s.State.Swap()
	}
	return s, true
}
