package input

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strings"

	"fibsbot/engine/advice"
	"fibsbot/engine/board"
)

// maxLine bounds a line in bytes.
const maxLine = 8 << 10

// Line is one line of many: a question, or what is wrong with it.
type Line struct {
	Number   int // from 1; of the last one where a question takes two
	Question Question
	Err      error
}

// object is a line of JSON, with the fields of the HTTP API.
type object struct {
	Position string            `json:"position"`
	Dice     []int             `json:"dice"`
	Length   *int              `json:"length"`
	Score    *advice.JSONScore `json:"score"`
	Cube     *int              `json:"cube"`
	Owner    *string           `json:"owner"`
	Crawford *bool             `json:"crawford"`
	Jacoby   *bool             `json:"jacoby"`
	Beavers  *int              `json:"beavers"`
	OnRoll   *string           `json:"on_roll"`
}

// What gnubg prints around the IDs: the board and the notes beside it.
var (
	drawing    = regexp.MustCompile(`^\s*(\+[-0-9]|[v^ ]*\||GNU Backgammon\s*$|(Cube|Pip counts?|Rolled|On roll)\b)`)
	firstHalf  = regexp.MustCompile(`(?i)position\s*id\s*:`)
	secondHalf = regexp.MustCompile(`(?i)match\s*id\s*:`)
)

// Lines reads a question from each line of r: a text in any form, or a JSON object with
// "position" and what else the HTTP API takes; what the object does not say, o and dice
// do. A text may have its roll behind it. Empty lines, comments after # and the board that gnubg draws are skipped; "Position
// ID: ..." takes a "Match ID: ..." from the next line. A line that cannot be read does
// not end the sequence; a line without end does, and an error of r.
func Lines(r io.Reader, o advice.Overrides, dice board.Dice) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		in := bufio.NewScanner(r)
		in.Buffer(nil, maxLine)
		half, n, at := "", 0, 0 // "Position ID: ..." that waits for its other half, from line at
		ask := func(text string, number int) bool {
			q, err := readLine(text, o, dice)
			return yield(Line{number, q, err})
		}
		for in.Scan() {
			n++
			text := in.Text()
			if n == 1 {
				text = strings.TrimPrefix(text, "\ufeff") // as Windows editors begin a file
			}
			text = strings.TrimSpace(text)
			if half != "" && secondHalf.MatchString(text) {
				text, half = half+" "+text, ""
			} else if half != "" && text != "" {
				if !ask(half, at) {
					return
				}
				half = ""
			}
			switch {
			case text == "", strings.HasPrefix(text, "#"), drawing.MatchString(text):
			case firstHalf.MatchString(text) && !secondHalf.MatchString(text):
				half, at = text, n
			default:
				if !ask(text, n) {
					return
				}
			}
		}
		if half != "" && !ask(half, at) {
			return
		}
		if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
			yield(Line{Number: n + 1, Err: fmt.Errorf("longer than %d bytes", maxLine)})
		} else if err != nil {
			yield(Line{Number: n + 1, Err: err})
		}
	}
}

func readLine(text string, o advice.Overrides, dice board.Dice) (Question, error) {
	if !strings.HasPrefix(text, "{") {
		return Read(text, o, dice)
	}
	var in object
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		var kind *json.UnmarshalTypeError
		var field *advice.FieldError
		switch {
		case errors.As(err, &field):
			return Question{}, field
		case errors.As(err, &kind):
			return Question{}, &advice.FieldError{Field: kind.Field, Problem: fmt.Sprintf("a %s stands where %s is wanted", kind.Value, advice.JSONType(kind.Type))}
		}
		return Question{}, errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := dec.Token(); err != io.EOF {
		return Question{}, errors.New("something follows the object")
	}
	if in.Dice != nil {
		d := board.Dice{}
		if len(in.Dice) == 2 && min(in.Dice[0], in.Dice[1]) >= 1 && max(in.Dice[0], in.Dice[1]) <= 6 {
			d = board.Dice{A: uint8(in.Dice[0]), B: uint8(in.Dice[1])}
		}
		if dice = d; !d.Valid() && len(in.Dice) > 0 {
			return Question{}, &advice.FieldError{Field: "dice", Problem: "want two numbers from 1 to 6"}
		}
	}
	put(&o.Length, in.Length)
	put(&o.Score, (*[2]int)(in.Score))
	put(&o.Cube, in.Cube)
	put(&o.Owner, in.Owner)
	put(&o.Crawford, in.Crawford)
	put(&o.Jacoby, in.Jacoby)
	put(&o.Beavers, in.Beavers)
	if in.OnRoll != nil {
		if *in.OnRoll != "me" && *in.OnRoll != "opponent" {
			return Question{}, &advice.FieldError{Field: "on_roll", Problem: fmt.Sprintf("%.20q: want me or opponent", *in.OnRoll)}
		}
		o.Swap = *in.OnRoll == "opponent"
	}
	return Read(in.Position, o, dice)
}

// put replaces what is there by v, if v says anything.
func put[T any](to **T, v *T) {
	if v != nil {
		*to = v
	}
}
