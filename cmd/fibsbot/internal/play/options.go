package play

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/dice"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Options are the terms of a match: in Go, in saved matches and in requests of the HTTP API.
type Options struct {
	// Length of the match in points, 0 for money play.
	Length int `json:"length,omitempty"`
	// NoCrawford plays a match without the Crawford rule, NoCube without a cube.
	NoCrawford bool `json:"no_crawford,omitempty"`
	NoCube     bool `json:"no_cube,omitempty"`
	// Jacoby (gammons count only after a double) and Beavers (how often players may
	// redouble at once: 1 beavers, 2 or more raccoons too) are rules of money play; nil
	// is true and match.DefaultBeavers, as for positions.
	Jacoby  *bool `json:"jacoby,omitempty"`
	Beavers *int  `json:"beavers,omitempty"`
	// Strength of the opponent; Name of the person, "you" if empty.
	Strength
	Name string `json:"name,omitempty"`
	// Seed of dice and of the opponent's errors; 0 draws one.
	Seed uint64 `json:"seed,omitempty"`
	// Variation is the game, one of record.VariationNames.
	Variation record.Variation `json:"variation,omitempty"`
	// Egyptian: no play puts a sixth checker on a point.
	Egyptian bool `json:"egyptian,omitempty"`
	// AutoDoubles is how often equal dice of an opening throw turn the cube of a game of
	// money play, which stays in the centre; 0 to MaxAutoDoubles.
	AutoDoubles int `json:"auto_doubles,omitempty"`
	// Dice throws the dice. Rolls, digits as dice.Read returns them, come before it.
	// ByHand leaves all dice to the person.
	Dice   dice.Generator `json:"rng,omitempty"`
	Rolls  string         `json:"rolls,omitempty"`
	ByHand bool           `json:"by_hand,omitempty"`
	// Two is a match of two people: Name and Opponent, "opponent" if empty. Event names the
	// occasion, as a tournament.
	Two      bool   `json:"two_players,omitempty"`
	Opponent string `json:"opponent_name,omitempty"`
	Event    string `json:"event,omitempty"`
	// Clock is the time of both sides, nil for none.
	Clock *Clock `json:"clock,omitempty"`
	// From is the position to begin from, see StartFrom; nil begins a game.
	From *From `json:"-"`
}

// UsualLength and UsualPreset are the defaults for a new match in the terminal, the browser
// and the API.
const (
	UsualLength = 5
	UsualPreset = "expert"
)

// maxAutoDoubles bounds Options.AutoDoubles.
const maxAutoDoubles = 6

// rules returns the rules of moving and winning.
func (o *Options) rules() board.Rules { return o.Variation.Board(o.Egyptian) }

// engine returns e for the game of the match.
func (o *Options) engine(ctx context.Context, e *engine.Engine) (*engine.Engine, error) {
	v, err := e.With(ctx, o.rules())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOptions, err)
	}
	return v, nil
}

// Ready returns why e cannot play the match: hypergammon may lack its database. The error
// wraps ErrOptions.
func (o *Options) Ready(ctx context.Context, e *engine.Engine) error {
	_, err := o.engine(ctx, e)
	return err
}

// other finds who plays against Name.
func (o *Options) other() (Foe, error) {
	if o.Two {
		return Foe{Name: cmp.Or(o.Opponent, "opponent")}, nil
	}
	return o.resolve(o.Length)
}

// maxName bounds the name of a player, in runes.
const maxName = 40

// jacoby reports whether the Jacoby rule holds.
func (o *Options) jacoby() bool {
	return o.Length == 0 && (o.Jacoby == nil || *o.Jacoby)
}

// redoubles is how many instant redoubles are allowed, as match.State counts them.
func (o *Options) redoubles() int {
	switch {
	case o.Length > 0:
		return 0
	case o.Beavers == nil:
		return match.DefaultBeavers
	}
	return *o.Beavers
}

// wrong is the error of an option, by its name in JSON. It wraps ErrOptions and an
// *advice.FieldError.
func wrong(field, format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrOptions, &advice.FieldError{Field: field, Problem: fmt.Sprintf(format, args...)})
}

// check reports the first option that makes no sense, see wrong.
func (o *Options) check() error {
	state := advice.Overrides{Length: &o.Length, Jacoby: o.Jacoby, Beavers: o.Beavers}
	if err := state.Apply(&match.Situation{Position: board.Start, State: match.Money(true, match.DefaultBeavers)}); err != nil {
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	for _, text := range []struct{ field, value string }{{"name", o.Name}, {"opponent_name", o.Opponent}, {"event", o.Event}} {
		if utf8.RuneCountInString(text.value) > maxName || !utf8.ValidString(text.value) || strings.ContainsFunc(text.value, unicode.IsControl) {
			return wrong(text.field, "want at most %d printable characters", maxName)
		}
	}
	v, err := record.ReadVariation(string(o.Variation))
	o.Variation = v
	switch {
	case err != nil:
		return wrong("variation", "%v", err)
	case o.AutoDoubles < 0 || o.AutoDoubles > maxAutoDoubles:
		return wrong("auto_doubles", "%d is not between 0 and %d", o.AutoDoubles, maxAutoDoubles)
	case o.AutoDoubles > 0 && (o.Length > 0 || o.NoCube):
		return wrong("auto_doubles", "a rule of money play with a cube")
	case o.Two && (o.Preset != "" && o.Own == nil || o.Rating != 0 || o.Character != ""):
		return wrong("two_players", "two people need no preset, rating or character")
	case o.Two && cmp.Or(o.Opponent, "opponent") == cmp.Or(o.Name, "you"):
		return wrong("opponent_name", "both players have the name %s", o.Opponent)
	case !o.Two && o.Opponent != "":
		return wrong("opponent_name", "names the second of two people (give two_players too)")
	case o.ByHand && o.Rolls != "":
		return wrong("rolls", "dice come from a file or by hand, not both")
	}
	if o.Rolls != "" {
		if err := dice.Check(o.Rolls); err != nil {
			return wrong("rolls", "%v", err)
		}
	}
	if err := o.Dice.Check(); err != nil {
		return wrong("rng", "%v", err)
	}
	if o.From != nil {
		if err := o.From.check(o); err != nil {
			return err
		}
	}
	if o.Clock != nil {
		if err := o.Clock.check(); err != nil {
			return err
		}
	}
	foe, err := o.other()
	if err == nil && foe.Benchmark && o.rules() != (board.Rules{}) {
		err = wrong("preset", "%s plays only games of 15 checkers without the Egyptian rule", foe.Name)
	}
	return err
}
