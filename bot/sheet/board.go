package sheet

import (
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Board is a board of the server in the engine's terms: colours and directions
// of play are gone. Me is the player whose board it is: the bot on its own
// boards, the watched player on others.
type Board struct {
	// Mine tells that the board is the bot's own match.
	Mine bool
	// Player is whose board it is, when it is not the bot's.
	Player   string
	Opponent string
	Length   int    // 0 unlimited
	Score    [2]int // by Side, before the running game
	Position board.Position
	// Turn is who has to act. While a double is pending a server may or may not
	// give the turn to who has to answer; Doubler tells the truth then.
	Turn Side
	// Dice is the roll of the player on turn, zero when nothing is rolled.
	Dice  board.Dice
	Cube  int
	Owner match.Owner // seen from Me; while a double is pending, as before it
	// Doubler is who has doubled and waits for the answer, or Nobody.
	Doubler Side
	// PostCrawford is the server's word that the Crawford game has been played.
	// Some servers never say so: true is news, false is nothing.
	PostCrawford bool
	// Down tells whether Me moves from 24 to 1 in the server's numbering. It says
	// nothing about the game; some servers need it to understand a move.
	Down bool
}

// Situation returns what stands on the table for the player to act, who becomes
// Me. crawford is the caller's knowledge: the board does not say. ok is false
// when nobody is to act.
func (v Board) Situation(crawford bool) (s match.Situation, ok bool) {
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

// Turned is the board as its other player sees it.
func (v Board) Turned() Board {
	v.Player, v.Opponent = v.Opponent, v.Player
	v.Score = [2]int{Us: v.Score[Them], Them: v.Score[Us]}
	v.Position = v.Position.Swap()
	v.Turn, v.Doubler = v.Turn.Other(), v.Doubler.Other()
	switch v.Owner {
	case match.Mine:
		v.Owner = match.Theirs
	case match.Theirs:
		v.Owner = match.Mine
	}
	v.Down = !v.Down
	return v
}
