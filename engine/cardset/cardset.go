package cardset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed" // the cards
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"fibsbot/engine/match"
)

// The sets.
const (
	Cubes    = "cubes"
	Bearoffs = "bearoffs"
	Races    = "races"
)

// The kinds of questions: a play of the dice, to double or roll, to take or pass.
const (
	Play   = "play"
	Double = "double"
	Take   = "take"
)

// Card is a decision with the values of its choices.
type Card struct {
	Set  string `json:"set"`
	Kind string `json:"kind"`
	// XGID has the decision: with dice for a play, with a pending double for a take.
	XGID string `json:"xgid"`
	// Plays are the choices of a play, the best first.
	Plays []Choice `json:"plays,omitempty"`
	// Cube has the values of a cube decision.
	Cube *Values `json:"cube,omitempty"`
	// Trials is the number of games of each rollout, 0 for exact values; Plies the number
	// after which a trial ended, 0 for the end of the game.
	Trials int `json:"trials,omitempty"`
	Plies  int `json:"plies,omitempty"`
}

// Choice is a play with its equity (EMG).
type Choice struct {
	Move   string  `json:"move"`
	Equity float64 `json:"equity"`
	StdErr float64 `json:"stderr,omitempty"`
}

// Values are the equities (EMG) of a cube decision for the player on roll; double and pass
// is 1.
type Values struct {
	NoDouble   float64 `json:"no_double"`
	DoubleTake float64 `json:"double_take"`
	// StdErr are the standard errors of the two, 0 for exact values.
	StdErr [2]float64 `json:"stderr,omitempty"`
}

// Situation returns the decision.
func (c *Card) Situation() (match.Situation, error) { return match.ParseSituation(c.XGID) }

// ErrCards is wrapped by errors about files that hold no cards.
var ErrCards = errors.New("not a file of cards")

// maxLine bounds a line, maxCards the cards of a file.
const (
	maxLine  = 1 << 14
	maxCards = 100_000
)

// check reports what is wrong with a card.
func (c *Card) check() error {
	s, err := c.Situation()
	switch {
	case err != nil:
		return err
	case c.Kind == Play && (len(c.Plays) < 2 || !s.Dice.Valid()):
		return errors.New("a play needs dice and two choices")
	case (c.Kind == Double || c.Kind == Take) && (c.Cube == nil || s.Doubled != (c.Kind == Take)):
		return errors.New("a cube decision needs its values")
	case c.Kind != Play && c.Kind != Double && c.Kind != Take:
		return fmt.Errorf("unknown kind %.20q", c.Kind)
	}
	return nil
}

// read reads a file of cards. The error wraps ErrCards and names the line.
func read(r io.Reader) (out []Card, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		var c Card
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("line %d: %w: %w", n, ErrCards, err)
		}
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("line %d: %w: %w", n, ErrCards, err)
		}
		if out = append(out, c); len(out) > maxCards {
			return nil, fmt.Errorf("%w: more than %d cards", ErrCards, maxCards)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCards, err)
	}
	return out, nil
}

//go:embed cards.jsonl.gz
var shipped []byte

// Shipped returns the cards in the program; do not change them.
var Shipped = sync.OnceValue(func() []Card {
	z, err := gzip.NewReader(bytes.NewReader(shipped))
	if err != nil {
		panic(err) // the file is in the binary
	}
	cards, err := read(z)
	if err != nil {
		panic(err) // a test reads it
	}
	return cards
})
