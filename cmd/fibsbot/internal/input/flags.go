//go:build !js

package input

import (
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"fibsbot/engine/advice"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// option is a flag whose target stays nil until the flag is given.
type option[T any] struct {
	to    **T
	parse func(string) (T, error)
	kind  string // as pflag names types
	usual string // printed as the default
}

// Set, Type and String implement pflag.Value.
func (o option[T]) Set(text string) error {
	v, err := o.parse(text)
	if err == nil {
		*o.to = &v
	}
	return err
}
func (o option[T]) Type() string   { return o.kind }
func (o option[T]) String() string { return o.usual }

func text(s string) (string, error) { return s, nil }

func truth(s string) (bool, error) {
	v, err := strconv.ParseBool(s)
	if err != nil {
		return v, fmt.Errorf("%.20q: want true or false", s)
	}
	return v, nil
}

func whole(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil {
		return n, fmt.Errorf("%.20q is not a whole number", s)
	}
	return n, nil
}

// Text is a flag whose target stays nil until the flag is given.
func Text(to **string) pflag.Value { return option[string]{to, text, "string", ""} }

// AddState adds the flags of the state to fl. --cube is separate: see AddCube.
func (p *Position) AddState(fl *pflag.FlagSet) {
	fl.Var(option[int]{&p.Length, whole, "int", "0"}, "length", fmt.Sprintf("match length in points, 1 to %d, 0 for money play", match.MaxLength))
	p.AddScore(fl)
	AddMoneyRules(fl, &p.Jacoby, &p.Beavers)
}

// AddScore adds the flags of the score and of the owner of the cube.
func (p *Position) AddScore(fl *pflag.FlagSet) {
	fl.Var(option[advice.JSONScore]{&p.Score, score, "A-B", ""}, "score", "score A-B, the points of the player on roll first")
	fl.Var(Text(&p.Owner), "owner", "who has the cube: me (the player on roll), opponent or centre")
	fl.Var(option[bool]{&p.Crawford, truth, "bool", "false"}, "crawford", "this is the Crawford game")
	fl.Lookup("crawford").NoOptDefVal = "true"
}

// AddMoneyRules adds --jacoby and --beavers; their targets stay nil until they are given.
func AddMoneyRules(fl *pflag.FlagSet, jacoby **bool, beavers **int) {
	fl.Var(option[bool]{jacoby, truth, "bool", "true"}, "jacoby", "money play: use the Jacoby rule")
	fl.Lookup("jacoby").NoOptDefVal = "true"
	fl.Var(option[int]{beavers, whole, "int", strconv.Itoa(match.DefaultBeavers)}, "beavers", "money play: most immediate redoubles after a double: 1 beaver, 2 raccoon, 0 none")
}

// AddOnRoll adds --on-roll.
func (p *Position) AddOnRoll(fl *pflag.FlagSet) {
	fl.StringVar(&p.OnRoll, "on-roll", "me", "who is on roll: me (the one that POSITION says) or opponent")
}

// AddCube adds --cube, the value of the cube.
func (p *Position) AddCube(fl *pflag.FlagSet) {
	fl.Var(option[int]{&p.Cube, whole, "int", "1"}, "cube", "value of the cube")
}

// AddDice adds --dice with that usage text.
func (p *Position) AddDice(fl *pflag.FlagSet, usage string) {
	fl.Func("dice", usage, func(s string) error {
		d, err := Dice(s)
		p.Dice = Roll{int(d.A), int(d.B)}
		return err
	})
}

// AddRules adds --variation, --egyptian and --drops.
func (p *Position) AddRules(fl *pflag.FlagSet) {
	fl.Func("variation", "the game: "+record.VariationNames+" (default backgammon)", func(s string) error {
		_, err := record.ReadVariation(s)
		p.Variation = s
		return err
	})
	fl.BoolVar(&p.Egyptian, "egyptian", false, "Egyptian rule: at most five checkers on a point")
	fl.Var(Text(&p.Drops), "drops", "price of a pass: single (default) or position")
}
