package matchbuilder

import (
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Pending reports whether a double waits for its answer.
func (s *Builder) Pending() bool { return s.pending > 0 }

// unanswered adds the take that is left out after a beaver.
func (s *Builder) unanswered() error {
	if s.pending == 0 {
		return nil
	}
	if s.pending == 1 {
		s.Warn("a double without an answer: taken as accepted")
	}
	return s.Take(1 - s.doubler)
}

// Double writes a double or beaver.
func (s *Builder) Double(player int) error {
	if s.pending > 0 && player == s.doubler {
		s.Warn("a double on top of the own double")
		return nil
	}
	s.pending++
	s.doubler = player
	return s.add(record.Action{Kind: record.Double, Player: player})
}

// Take writes an accepted double.
func (s *Builder) Take(player int) error {
	if player, ok := s.answers(player, "take"); ok {
		s.pending = 0
		return s.add(record.Action{Kind: record.Take, Player: player})
	}
	return nil
}

// Drop writes a refused double.
func (s *Builder) Drop(player int) error {
	if player, ok := s.answers(player, "drop"); ok {
		s.pending = 0
		return s.add(record.Action{Kind: record.Drop, Player: player})
	}
	return nil
}

// answers reports whether there is a double to answer, and by which player.
func (s *Builder) answers(player int, word string) (int, bool) {
	switch {
	case s.pending == 0:
		s.Warn("a %s without a double: left out", word)
		return player, false
	case player == s.doubler:
		s.Warn("a %s by the player who doubled: read as the other's", word)
		return 1 - player, true
	}
	return player, true
}

// Cube returns the value of the cube now.
func (s *Builder) Cube() int {
	s.position(0)
	return s.replay.State(0).Cube
}

// Owner returns who holds the cube now, record.NoPlayer for the centre.
func (s *Builder) Owner() int {
	s.position(0)
	switch s.replay.State(0).Owner {
	case match.Mine:
		return 0
	case match.Theirs:
		return 1
	}
	return record.NoPlayer
}
