package sheet

import (
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Board is a board of the server in the engine's terms, without colours and directions of
// play. Me is the player whose board it is: the bot on its own boards, otherwise the
// watched player.
type Board struct {
	// Mine reports whether the board is of the bot's own match.
	Mine bool
	// Player is the player whose board it is, if that is not the bot.
	Player   string
	Opponent string
	Length   int    // 0 unlimited
	Score    [2]int // by Side, before the running game
	Position board.Position
	// Turn is who has to act. While a double is pending, servers differ about the turn;
	// then only Doubler is reliable.
	Turn Side
	// Dice is the roll of the player on turn, zero before the roll.
	Dice  board.Dice
	Cube  int
	Owner match.Owner // seen from Me; while a double is pending, as before it
	// Doubler is the side whose double is unanswered, or Nobody.
	Doubler Side
	// PostCrawford means that the Crawford game has been played. Some servers never set it,
	// so false proves nothing.
	PostCrawford bool
	// Down reports whether Me moves from 24 to 1 in the server's numbering. Some servers
	// need it to understand a move.
	Down bool
}

// Situation returns the position, dice and state for the player to act, who becomes Me.
// crawford comes from the caller, because boards do not show it. ok is false if neither
// player is to act.
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

// Turned returns the board from the other player's side.
func (v Board) Turned() Board {
	v.Player, v.Opponent = v.Opponent, v.Player
	v.Score = [2]int{Us: v.Score[Them], Them: v.Score[Us]}
	v.Position = v.Position.Swap()
	v.Turn, v.Doubler = v.Turn.Other(), v.Doubler.Other()
	v.Owner = match.State{Owner: v.Owner}.Swap().Owner
	v.Down = !v.Down
	return v
}

// Side is one of the two players of a match. As in the archive, the opponent is player 0 and
// the bot player 1. On the sheet of a match between other players, the watched player takes
// the bot's place.
type Side int8

// The sides. Between two games the turn is Nobody.
const (
	Nobody Side = -1
	Them   Side = 0
	Us     Side = 1
)

// Other returns the other player.
func (s Side) Other() Side {
	if s == Nobody {
		return Nobody
	}
	return 1 - s
}

// Owner returns the owner of a cube on s's side of the board, as seen by Us.
func (s Side) Owner() match.Owner {
	if s == Us {
		return match.Mine
	}
	return match.Theirs
}
