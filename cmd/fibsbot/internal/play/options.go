package play

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/dice"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Options say what is played.
type Options struct {
	// Length of the match in points, 0 for money play.
	Length int `json:"length"`
	// NoCrawford plays a match without the Crawford rule, NoCube without a cube.
	NoCrawford bool `json:"no_crawford,omitempty"`
	NoCube     bool `json:"no_cube,omitempty"`
	// Jacoby: gammons count in money play only when the cube was turned.
	Jacoby bool `json:"jacoby,omitempty"`
	// Beavers: in money play who is doubled may turn the cube again and keep it.
	Beavers bool `json:"beavers,omitempty"`
	// Raccoons: with Beavers, who is beavered may turn the cube once more.
	Raccoons bool `json:"raccoons,omitempty"`
	// Opponent says who plays against You; Name is what You are called.
	Opponent Strength `json:"opponent"`
	Name     string   `json:"name,omitempty"`
	// Seed of dice and of the opponent's errors; 0 draws one.
	Seed uint64 `json:"seed"`
	// Variation is what the game begins with.
	Variation record.Variation `json:"variation,omitempty"`
	// Egyptian: no play puts a sixth checker on a point.
	Egyptian bool `json:"egyptian,omitempty"`
	// AutoDoubles is how often equal dice of an opening throw turn the cube of a game of
	// money play, which stays in the centre; 0 to MaxAutoDoubles.
	AutoDoubles int `json:"auto_doubles,omitempty"`
	// Dice throws the dice; Rolls, digits as dice.Read gives them, come first where there
	// are any; ByHand leaves all dice to the person.
	Dice   dice.Generator `json:"dice,omitempty"`
	Rolls  string         `json:"rolls,omitempty"`
	ByHand bool           `json:"by_hand,omitempty"`
}

// MaxAutoDoubles bounds Options.AutoDoubles.
const MaxAutoDoubles = 6

// rules are those of moving and winning.
func (o *Options) rules() board.Rules { return o.Variation.Board(o.Egyptian) }

// engine is the one for the game that is played.
func (o *Options) engine(e *engine.Engine) (*engine.Engine, error) {
	v, err := e.With(o.rules())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOptions, err)
	}
	return v, nil
}

// Ready says why e cannot play the match: hypergammon has no database. The error wraps
// ErrOptions.
func (o *Options) Ready(e *engine.Engine) error {
	_, err := o.engine(e)
	return err
}

// maxName bounds the name of a player, in runes.
const maxName = 40

// redoubles is how many instant redoubles are allowed, as match.State counts them.
func (o *Options) redoubles() int {
	switch {
	case o.Length > 0 || !o.Beavers:
		return 0
	case o.Raccoons:
		return 2
	}
	return 1
}

// check reports the first option that makes no sense.
func (o *Options) check() error {
	if o.Length < 0 || o.Length > match.MaxLength {
		return fmt.Errorf("%w: length %d: want 1 to %d points, or 0 for money play", ErrOptions, o.Length, match.MaxLength)
	}
	if utf8.RuneCountInString(o.Name) > maxName || !utf8.ValidString(o.Name) || strings.ContainsFunc(o.Name, unicode.IsControl) {
		return fmt.Errorf("%w: name: want at most %d printable characters", ErrOptions, maxName)
	}
	v, err := record.ReadVariation(string(o.Variation))
	o.Variation = v
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrOptions, err)
	case o.AutoDoubles < 0 || o.AutoDoubles > MaxAutoDoubles:
		return fmt.Errorf("%w: automatic doubles: %d is not between 0 and %d", ErrOptions, o.AutoDoubles, MaxAutoDoubles)
	case o.AutoDoubles > 0 && (o.Length > 0 || o.NoCube):
		return fmt.Errorf("%w: automatic doubles: a rule of money play with a cube", ErrOptions)
	case o.ByHand && o.Rolls != "":
		return fmt.Errorf("%w: dice: by hand or out of a file, not both", ErrOptions)
	}
	if o.Rolls != "" {
		if err := dice.Check(o.Rolls); err != nil {
			return fmt.Errorf("%w: %w", ErrOptions, err)
		}
	}
	if err := o.Dice.Check(); err != nil {
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	foe, err := o.Opponent.resolve(o.Length)
	if err == nil && foe.Benchmark && o.rules() != (board.Rules{}) {
		err = fmt.Errorf("%w: opponent: %s plays games of 15 checkers without the Egyptian rule", ErrOptions, foe.Name)
	}
	return err
}
