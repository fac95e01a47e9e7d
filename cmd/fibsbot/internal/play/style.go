package play

import (
	"fmt"
	"strings"

	"fibsbot/engine/tune"
)

// Persona is a named style: an opponent who errs as people do, with a strength and
// weaknesses of his own.
type Persona struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
	// Rating on FIBS that it plays at, 0 where setting says how it errs.
	Rating  float64 `json:"rating,omitempty"`
	setting tune.Setting
}

// Personas lists the named styles, weakest first. Amounts are those of the style human
// of package tune: how much of the errors that people make comes through.
func Personas() []Persona {
	human := func(checker, cube float64) tune.Setting {
		return tune.Setting{Style: tune.Human, Checker: checker, Cube: cube}
	}
	return []Persona{
		{Name: "newcomer", Summary: "knows the rules and hopes for the dice", Rating: 1350},
		{Name: "club player", Summary: "has the usual plays in hand, misses the quiet ones", Rating: 1550},
		{Name: "gambler", Summary: "plays well and turns the cube by feeling", setting: human(0.05, 0.5)},
		{Name: "accountant", Summary: "never errs with the cube, and often with the checkers", setting: human(0.25, 0)},
		{Name: "regular", Summary: "a good player who gives little away", Rating: 1700},
		{Name: "veteran", Summary: "small errors only", Rating: 1800},
	}
}

// persona finds a named style; upper case, blanks and hyphens do not matter.
func persona(name string) (Persona, bool) {
	plain := func(s string) string {
		return strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(s))
	}
	for _, p := range Personas() {
		if plain(p.Name) == plain(name) {
			return p, true
		}
	}
	return Persona{}, false
}

// foe is a persona at the board. Errors wrap ErrOptions.
func (p Persona) foe(length int) (Foe, error) {
	if p.Rating > 0 {
		f, err := Strength{Rating: p.Rating}.rated(length)
		f.Name = p.Name
		return f, err
	}
	pr, err := p.setting.Preset(p.Name)
	if err != nil {
		return Foe{}, fmt.Errorf("%w: opponent: %w", ErrOptions, err)
	}
	return Foe{Name: p.Name, Preset: pr}, nil
}

// StyleNames lists the names of Personas for a sentence.
func StyleNames() string {
	names := []string{}
	for _, p := range Personas() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}
