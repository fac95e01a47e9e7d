package advice

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/position"
)

// maxText bounds what Read looks at: gnubg's drawing of a board with both IDs has some
// thousand bytes.
const maxText = 8 << 10

var (
	positionLine = regexp.MustCompile(`(?i)position\s*id\s*:\s*([A-Za-z0-9+/]+)`)
	matchLine    = regexp.MustCompile(`(?i)match\s*id\s*:\s*([A-Za-z0-9+/]+)`)
	gnubgLine    = regexp.MustCompile(`(?i)gnubg\s*id\s*[:=\s]\s*([A-Za-z0-9+/]+)\s*:\s*([A-Za-z0-9+/]+)`)
	xgidText     = regexp.MustCompile(`(?i)xgid\s*=\s*(\S+)`)
)

// Read reads a situation in the forms that people paste: what match.ParseSituation reads, both
// gnubg IDs divided by a blank or a line end, an OGID, text that holds an XGID, the name of a
// variation of 15 checkers (its start), "GNUbg ID: P:M", or "Position ID: P" with "Match ID: M"
// anywhere in the text, such as gnubg's drawing of a board. It refuses a game of fewer
// checkers, because no position states its rules. A beaver or raccoon of an XGID is read as
// accepted. Read also checks the state. Errors fit in one line and are those of
// match.ParseSituation, or wrap match.ErrScore or match.ErrBadSituation.
func Read(text string) (match.Situation, error) {
	if len(text) > maxText {
		return match.Situation{}, fmt.Errorf("%w: longer than %d characters", match.ErrBadSituation, maxText)
	}
	if v, known := record.ParseVariation(text); known && v.Checkers() != board.MaxCheckers {
		return match.Situation{}, fmt.Errorf("%w: %s has rules of its own (name it as the variation and give the position as an ID)", match.ErrBadSituation, strings.TrimSpace(text))
	}
	if id, ok := position.FindOGID(text); ok {
		m, err := position.FromOGID(id)
		if err != nil {
			return match.Situation{}, fmt.Errorf("%w: %w", match.ErrBadSituation, err)
		}
		s, _ := position.Last(m, &m.Games[0])
		return s, nil
	}
	s, err := match.ParseSituation(locate(text))
	if err != nil {
		return s, err
	}
	if s.Redoubles > 0 {
		s = s.Taken()
	}
	return s, s.State.Validate()
}

// IsBoardLine reports whether text is a line of FIBS, which the bot reads.
func IsBoardLine(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "board:") }

// locate finds the ID in text and writes it in a form of match.ParseSituation.
func locate(text string) string {
	text = strings.TrimSpace(text)
	if v, err := record.FullGame(text); err == nil && text != "" {
		p := v.Start()
		return p.ID()
	}
	if m := xgidText.FindStringSubmatch(text); m != nil {
		return "XGID=" + m[1]
	}
	if m := gnubgLine.FindStringSubmatch(text); m != nil {
		return m[1] + ":" + m[2]
	}
	if p := positionLine.FindStringSubmatch(text); p != nil {
		if m := matchLine.FindStringSubmatch(text); m != nil {
			return p[1] + ":" + m[1]
		}
		return p[1]
	}
	if words := strings.Fields(text); len(words) == 2 {
		return words[0] + ":" + words[1]
	}
	return text
}

// isOGID reports whether text is an OGID.
func isOGID(text string) bool {
	_, ok := position.FindOGID(text)
	return ok
}

// JSONScore is a score in a request: two numbers, that of the player on roll first. As an
// array of Go it would take one number or three.
type JSONScore [2]int

// UnmarshalJSON implements [json.Unmarshaler]; its error is a [FieldError].
func (s *JSONScore) UnmarshalJSON(text []byte) error {
	var list []int
	if err := json.Unmarshal(text, &list); err != nil || len(list) != 2 {
		return &FieldError{Field: "score", Problem: "want two whole numbers, that of the player on roll first"}
	}
	*s = JSONScore(list)
	return nil
}

// JSONType names the JSON type of a value of type t, in the words of JSON.
func JSONType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "a whole number"
}
