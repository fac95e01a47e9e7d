package input

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strings"

	"fibsbot/engine/advice"
)

// maxLine bounds a line in bytes.
const maxLine = 8 << 10

// Line is one line of several: a question, or why it cannot be read.
type Line struct {
	Number   int // from 1; the last one of a question over two lines
	Question Question
	Err      error
}

// What gnubg prints around the IDs: the board and the notes beside it.
var (
	drawing    = regexp.MustCompile(`^\s*(\+\d*-|[v^ ]*\||GNU Backgammon\s*$|(Cube|Pip counts?|Rolled|On roll)\b)`)
	firstHalf  = regexp.MustCompile(`(?i)position\s*id\s*:`)
	secondHalf = regexp.MustCompile(`(?i)match\s*id\s*:`)
)

// Lines reads a question from each line of r: a text in any form, or a Position as a JSON
// object; defaults holds what the line does not say. Empty lines, comments after # and the
// board that gnubg draws are skipped; "Position ID: ..." takes a "Match ID: ..." from the
// next line. A line that cannot be read does not end the sequence; an endless line and an
// error of r do.
func Lines(r io.Reader, defaults Position) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		in := bufio.NewScanner(r)
		in.Buffer(nil, maxLine)
		half, n, at := "", 0, 0 // "Position ID: ..." that waits for its other half, from line at
		ask := func(text string, number int) bool {
			q, err := readLine(text, defaults)
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

func readLine(text string, defaults Position) (Question, error) {
	p := Position{Position: text}
	if !strings.HasPrefix(text, "{") {
		p.fill(&defaults)
		return p.Question()
	}
	p.Position = ""
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil {
		return Question{}, JSONError(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return Question{}, errors.New("text follows the JSON object")
	}
	p.fill(&defaults)
	return p.Question()
}

// fill takes what p does not say from d.
func (p *Position) fill(d *Position) {
	if p.Dice == nil {
		p.Dice = d.Dice
	}
	p.OnRoll, p.Length, p.Score, p.Cube = cmp.Or(p.OnRoll, d.OnRoll), cmp.Or(p.Length, d.Length), cmp.Or(p.Score, d.Score), cmp.Or(p.Cube, d.Cube)
	p.Owner, p.Crawford, p.Jacoby, p.Beavers = cmp.Or(p.Owner, d.Owner), cmp.Or(p.Crawford, d.Crawford), cmp.Or(p.Jacoby, d.Jacoby), cmp.Or(p.Beavers, d.Beavers)
	p.Drops = cmp.Or(p.Drops, d.Drops)
	p.Variation, p.Egyptian = cmp.Or(p.Variation, d.Variation), p.Egyptian || d.Egyptian
}

// JSONError turns an error of encoding/json into an *advice.FieldError if it names a field.
func JSONError(err error) error {
	var kind *json.UnmarshalTypeError
	var field *advice.FieldError
	switch {
	case errors.As(err, &field):
		return field
	case errors.As(err, &kind):
		name := kind.Field[strings.LastIndex(kind.Field, ".")+1:]
		return wrong(name, "got a %s, want %s", kind.Value, advice.JSONType(kind.Type))
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return wrong(strings.Trim(name, `"`), "unknown field")
	}
	return fmt.Errorf("not valid JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
}
