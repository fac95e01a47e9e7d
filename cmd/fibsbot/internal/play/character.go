package play

import (
	"strings"

	"fibsbot/engine/tune/human"
)

// Character is a manner of erring, at any rating.
type Character struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
}

// Characters lists the characters.
func Characters() (list []Character) {
	for _, c := range human.Characters() {
		list = append(list, Character{Name: string(c), Summary: c.Summary()})
	}
	return list
}

// character finds a character; case, blanks and hyphens do not matter.
func character(name string) (human.Character, bool) {
	c := human.Character(strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(name)))
	return c, c.Known()
}
