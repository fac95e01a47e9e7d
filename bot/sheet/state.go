package sheet

import "fibsbot/engine/board"

// Turn is who has to roll or play, as far as is known.
func (s *Sheet) Turn() Side { return s.turn }

// Dice is the roll that waits to be played, zero when there is none.
func (s *Sheet) Dice() board.Dice { return s.dice }

// Cube is the value of the cube.
func (s *Sheet) Cube() int { return s.cube }

// Doubler is who has doubled and waits for the answer, or Nobody.
func (s *Sheet) Doubler() Side { return s.doubled }

// Resigner is who has offered to resign and waits for the answer, or Nobody.
func (s *Sheet) Resigner() Side { return s.resigned }

// Offer is how many points the Resigner offers, 0 when that was not told.
func (s *Sheet) Offer() int { return s.offer }

// CanPlay tells whether the roll on the table leaves the player on turn a play.
func (s *Sheet) CanPlay() bool { return s.hasPlay(s.turn, s.dice) }

// Left tells whether the bot has left the match by a command of its own.
func (s *Sheet) Left() bool { return s.left }

// Begun counts the games that were begun, those given up included.
func (s *Sheet) Begun() int { return s.begun }

// Key identifies the state of a match: two states with the same key ask the same
// question of the player, for servers repeat themselves. That a list of moves mends
// what is behind it does not change it.
type Key struct {
	game     int
	step     int
	position board.Position
	turn     Side
	dice     board.Dice
	cube     int
	doubler  Side
	offer    int
}

// Key returns the key of the state that the running game is in, the zero Key
// between two games.
func (s *Sheet) Key() Key {
	g := s.Current()
	if g == nil {
		return Key{}
	}
	return Key{game: len(s.Games), step: s.step, position: s.pos, turn: s.turn, dice: s.dice,
		cube: s.cube, doubler: s.doubled, offer: s.offer}
}
