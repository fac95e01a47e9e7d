package record

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fibsbot/engine/board"
)

// Variation is the game played. The zero value is ordinary backgammon.
type Variation string

// Variations that the code asks for; Variations has all.
const (
	Backgammon  Variation = ""
	Nackgammon  Variation = "Nackgammon"
	Hypergammon Variation = "Hypergammon3"
)

// VariationInfo is a variation: what it is called, and what it begins with.
type VariationInfo struct {
	Variation // the name in SGF files
	// Word is the name in flags, addresses and the API.
	Word string
	// Title is the name in menus.
	Title string
	// Also are further names that programs write, in lower case.
	Also []string
	// GNU is gnubg's name in .mat files; without one it takes the game for backgammon.
	GNU string
	// XG and TrueMoney are the numbers in files of these programs, 0 for none.
	XG, TrueMoney int
	start         board.Checkers // of each side
}

// Variations are the games that are played, in the order of menus; the first is backgammon. Both
// sides begin alike, with all 15 checkers, which the nets judge, or with 1 to 3, for which there
// are databases. docs/architecture.md lists what belongs to a new one.
var Variations = []VariationInfo{
	{Variation: Backgammon, Word: "backgammon", Title: "backgammon", Also: []string{"standard"}, start: board.Start.Me},
	{Variation: Nackgammon, Word: "nackgammon", Title: "nackgammon", GNU: "NackGammon", XG: 1, TrueMoney: 2, start: board.Checkers{5: 4, 7: 3, 12: 4, 22: 2, 23: 2}},
	// All checkers on the 24 point. gnubg does not know it.
	{Variation: "Longgammon", Word: "longgammon", Title: "longgammon", XG: 3, start: board.Checkers{23: board.MaxCheckers}},
	{Variation: Hypergammon, Word: "hypergammon", Title: "hypergammon", Also: []string{"hypergammon (3)"}, GNU: "HyperGammon (3)", XG: 2,
		start: board.Checkers{23: 1, 22: 1, 21: 1}},
	{Variation: "Hypergammon2", Word: "hypergammon2", Title: "hypergammon (2 checkers)", Also: []string{"hypergammon (2)"}, GNU: "HyperGammon (2)",
		start: board.Checkers{23: 1, 22: 1}},
	{Variation: "Hypergammon1", Word: "hypergammon1", Title: "hypergammon (1 checker)", Also: []string{"hypergammon (1)"}, GNU: "HyperGammon (1)",
		start: board.Checkers{23: 1}},
}

// Info returns what is known about the variation; false for an unknown one, which is played like
// backgammon.
func (v Variation) Info() (VariationInfo, bool) {
	for _, g := range Variations {
		if g.Variation == v {
			return g, true
		}
	}
	return Variations[0], false
}

// ParseVariation reads the name of a variation as programs write it, in any case; false for one
// that is not known.
func ParseVariation(name string) (Variation, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	for _, g := range Variations {
		if name == g.Word || name == strings.ToLower(string(g.Variation)) || slices.Contains(g.Also, name) {
			return g.Variation, true
		}
	}
	return Backgammon, false
}

// ErrVariation is wrapped by errors about variations that are not known, or not played.
var ErrVariation = errors.New("unknown game")

// VariationNames are the words of all variations, in a sentence.
var VariationNames = words(func(VariationInfo) bool { return true })

// words lists the words of some variations.
func words(of func(VariationInfo) bool) string {
	var out []string
	for _, g := range Variations {
		if of(g) {
			out = append(out, g.Word)
		}
	}
	last := len(out) - 1
	return strings.Join(out[:last], ", ") + " or " + out[last]
}

// full reports whether a game has all checkers, so that the nets can play it.
func full(g VariationInfo) bool { return g.Checkers() == board.MaxCheckers }

// ReadVariation reads the name of a variation. The error wraps ErrVariation.
func ReadVariation(name string) (Variation, error) {
	v, known := ParseVariation(name)
	if !known {
		return Backgammon, fmt.Errorf("%w: %.40q (use %s)", ErrVariation, name, VariationNames)
	}
	return v, nil
}

// ReadFullVariation reads the name of a variation of 15 checkers a side, which the nets can play:
// any but hypergammon. The error wraps ErrVariation.
func ReadFullVariation(name string) (Variation, error) {
	v, known := ParseVariation(name)
	if !known || v.Checkers() != board.MaxCheckers {
		return Backgammon, fmt.Errorf("%w: %.40q: want %s", ErrVariation, name, words(full))
	}
	return v, nil
}

// Start returns the position that the variation begins with, for either player
// on roll. An unknown variation begins like backgammon.
func (v Variation) Start() board.Position {
	g, _ := v.Info()
	return board.Position{Me: g.start, Opp: g.start}
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
