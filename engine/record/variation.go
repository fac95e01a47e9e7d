package record

import (
	"errors"
	"fmt"
	"strings"

	"fibsbot/engine/board"
)

// Variation is the game played. The zero value is ordinary backgammon.
type Variation string

// Variations with the names that SGF files use.
const (
	Backgammon  Variation = ""
	Nackgammon  Variation = "Nackgammon"
	Hypergammon Variation = "Hypergammon3" // also Hypergammon1 and Hypergammon2
	// Longgammon begins with all checkers on the 24 point. gnubg does not know it.
	Longgammon Variation = "Longgammon"
)

// ParseVariation reads the name of a variation as programs write it, in any case;
// false for one that is not known.
func ParseVariation(name string) (Variation, bool) {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "", "backgammon", "standard":
		return Backgammon, true
	case "nackgammon":
		return Nackgammon, true
	case "hypergammon", "hypergammon3", "hypergammon (3)":
		return Hypergammon, true
	case "hypergammon1", "hypergammon (1)":
		return "Hypergammon1", true
	case "hypergammon2", "hypergammon (2)":
		return "Hypergammon2", true
	case "longgammon":
		return Longgammon, true
	}
	return "", false
}

// ErrVariation is wrapped by errors about variations that are not known, or not played.
var ErrVariation = errors.New("unknown game")

// VariationNames are the names that ReadVariation reads, in words.
const VariationNames = "backgammon, nackgammon, longgammon or hypergammon (hypergammon1, hypergammon2 for 1 or 2 checkers)"

// ReadVariation reads the name of a variation. The error wraps ErrVariation.
func ReadVariation(name string) (Variation, error) {
	v, known := ParseVariation(name)
	if !known {
		return Backgammon, fmt.Errorf("%w: %.40q (use %s)", ErrVariation, name, VariationNames)
	}
	return v, nil
}

// FullGame reads the name of a variation of 15 checkers a side, which the nets can play:
// any but hypergammon. The error wraps ErrVariation.
func FullGame(name string) (Variation, error) {
	v, known := ParseVariation(name)
	if !known || v.Checkers() != board.MaxCheckers {
		return Backgammon, fmt.Errorf("%w: %.40q: want backgammon, nackgammon or longgammon", ErrVariation, name)
	}
	return v, nil
}

// Start returns the position that the variation begins with, for either player
// on roll. An unknown variation begins like backgammon.
func (v Variation) Start() board.Position {
	var c board.Checkers
	switch v {
	case Nackgammon:
		c = board.Checkers{5: 4, 7: 3, 12: 4, 22: 2, 23: 2}
	case "Hypergammon1":
		c = board.Checkers{23: 1}
	case "Hypergammon2":
		c = board.Checkers{23: 1, 22: 1}
	case Hypergammon:
		c = board.Checkers{23: 1, 22: 1, 21: 1}
	case Longgammon:
		c = board.Checkers{23: board.MaxCheckers}
	default:
		return board.Start
	}
	return board.Position{Me: c, Opp: c}
}

// Checkers returns how many checkers each side has.
func (v Variation) Checkers() int {
	p := v.Start()
	return p.Me.Count()
}

// Board is the rules of moving and winning in the variation, with the Egyptian rule or
// without.
func (v Variation) Board(egyptian bool) board.Rules {
	r := board.Rules{Egyptian: egyptian}
	if n := v.Checkers(); n != board.MaxCheckers {
		r.Checkers = uint8(n)
	}
	return r
}
