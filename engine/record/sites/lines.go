package sites

import (
	"io"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/matchbuilder"
)

// each reads a match line by line. what is the error for a file without a game.
func each(r io.Reader, what string, begin func(*matchbuilder.Builder), line func(s *matchbuilder.Builder, text string) error, end func(s *matchbuilder.Builder) error) (*record.Match, []record.Warning, error) {
	s := matchbuilder.New()
	s.Terse = true
	begin(s)
	lines := matchbuilder.NewLines(r)
	for {
		text, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, s.Warnings, err
		}
		s.Line = lines.Number
		if err := line(s, text); err != nil {
			return nil, s.Warnings, err
		}
	}
	if err := end(s); err != nil {
		return nil, s.Warnings, err
	}
	if s.Current() == nil && len(s.Match.Games) == 0 {
		return nil, s.Warnings, &record.SyntaxError{Line: max(lines.Number, 1), Column: 1, Problem: what + ": no game in the file"}
	}
	m, ws := s.Finish()
	return m, ws, nil
}

func nothing(*matchbuilder.Builder) error { return nil }

// odd warns about a line that is not understood.
func odd(s *matchbuilder.Builder, text string) { s.Warn("cannot read %q", short(text)) }

// short keeps quoted text of a file short, at a whole character.
func short(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 60 {
		text = strings.ToValidUTF8(text[:60], "")
	}
	return text
}

// dice reads two digits; false if they are not dice.
func dice(a, b byte) (board.Dice, bool) {
	d := board.Dice{A: a - '0', B: b - '0'}
	return d, d.Valid()
}

// yes reads the values of flags in these files.
func yes(v string) bool {
	v = strings.ToLower(strings.TrimSpace(v))
	return strings.HasPrefix(v, "y") || v == "1" || v == "on" || v == "true"
}

// moneyRules are those of a session whose file does not say.
func moneyRules(m *record.Match, jacoby bool) {
	if m.Length == 0 {
		m.Rules.Jacoby = jacoby
		m.Rules.Crawford = false
	}
}
