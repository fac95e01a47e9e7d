package play

import (
	"strings"

	"fibsbot/engine/tune"
)

// Character is a named opponent who errs as people do, with a strength and weaknesses of
// its own.
type Character struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
	// Rating on FIBS that it plays at, 0 where setting has how it errs.
	Rating  float64 `json:"rating,omitempty"`
	setting tune.Setting
}

// Characters lists the characters, weakest first. Amounts are those of the style human of
// package tune: the share of human errors that are made.
func Characters() []Character {
	human := func(checker, cube float64) tune.Setting {
		return tune.Setting{Style: tune.Human, Checker: checker, Cube: cube}
	}
	return []Character{
		{Name: "newcomer", Summary: "knows the rules and hopes for the dice", Rating: 1350},
		{Name: "club player", Summary: "has the usual plays in hand, misses the quiet ones", Rating: 1550},
		{Name: "gambler", Summary: "plays well and turns the cube by feeling", setting: human(0.05, 0.5)},
		{Name: "accountant", Summary: "never errs with the cube, and often with the checkers", setting: human(0.25, 0)},
		{Name: "regular", Summary: "a good player who gives little away", Rating: 1700},
		{Name: "veteran", Summary: "small errors only", Rating: 1800},
	}
}

// character finds a character; case, blanks and hyphens do not matter.
func character(name string) (Character, bool) {
	plain := func(s string) string {
		return strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(s))
	}
	for _, p := range Characters() {
		if plain(p.Name) == plain(name) {
			return p, true
		}
	}
	return Character{}, false
}

// foe is the character as it plays. Errors wrap ErrOptions.
func (p Character) foe(length int) (Foe, error) {
	if p.Rating > 0 {
		f, err := Strength{Rating: p.Rating}.rated(length)
		f.Name = p.Name
		return f, err
	}
	pr, err := p.setting.Preset(p.Name)
	if err != nil {
		return Foe{}, wrong("character", "%v", err)
	}
	return Foe{Name: p.Name, Preset: pr}, nil
}

// CharacterNames lists the names of Characters for a sentence.
func CharacterNames() string {
	names := []string{}
	for _, p := range Characters() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}
