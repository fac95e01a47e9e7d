package sheet

import "fibsbot/engine/board"

// Turn returns who has to roll or play, as far as known.
func (s *Sheet) Turn() Side { return s.turn }

// Dice returns the roll that waits to be played, or zero.
func (s *Sheet) Dice() board.Dice { return s.dice }

// Cube returns the value of the cube.
func (s *Sheet) Cube() int { return s.cube }

// Doubler returns the side whose double is unanswered, or Nobody.
func (s *Sheet) Doubler() Side { return s.doubled }

// Resigner returns the side whose offer to resign is unanswered, or Nobody.
func (s *Sheet) Resigner() Side { return s.resigned }

// Offer returns how many points the Resigner offers, 0 if unknown.
func (s *Sheet) Offer() int { return s.offer }

// CanPlay reports whether the player on turn has a legal play with the present roll.
func (s *Sheet) CanPlay() bool { return s.hasPlay(s.turn, s.dice) }

// Left reports whether the bot has left the match by a command of its own.
func (s *Sheet) Left() bool { return s.left }

// Begun returns the number of games that were begun, including abandoned ones.
func (s *Sheet) Begun() int { return s.begun }

// Key identifies the state of a match. Servers repeat lines: two states with the same key
// ask the player the same question. Mending earlier acts does not change the key.
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

// Key returns the key of the running game's state, or the zero Key between two games.
func (s *Sheet) Key() Key {
	g := s.Current()
	if g == nil {
		return Key{}
	}
	return Key{game: len(s.Games), step: s.step, position: s.pos, turn: s.turn, dice: s.dice,
		cube: s.cube, doubler: s.doubled, offer: s.offer}
}
