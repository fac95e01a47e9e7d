// Package snowie reads what Snowie exchanged as text: a position on one line, or a match in the
// layout of package mat, where an illegal play is "Illegal play (position)".
package snowie

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/matchbuilder"
	"fibsbot/engine/record/internal/snowieline"
	"fibsbot/engine/record/mat"
)

// maxLine bounds a position line: 40 short fields and two names.
const maxLine = 1024

// maxPositions bounds what one file may ask for.
const maxPositions = 200_000

// Read reads a position line, or else a match text, and is the first of what ReadAll
// reads. Errors are those of ReadAll.
func Read(r io.Reader) (*record.Match, []record.Warning, error) {
	all, ws, err := ReadAll(r)
	if err != nil {
		return nil, ws, err
	}
	return all[0], ws, nil
}

// ReadAll reads position lines, at least one, each as a match of one game that begins with
// it; the player on roll keeps the number of the file. It warns about other lines between them.
// Any other text is read as matches. Errors are *record.SyntaxError or of r.
func ReadAll(r io.Reader) ([]*record.Match, []record.Warning, error) {
	in := bufio.NewReaderSize(r, 2*maxLine)
	head, err := in.Peek(maxLine)
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	line, _, _ := strings.Cut(strings.TrimLeft(strings.TrimPrefix(string(head), "\ufeff"), " \r\n"), "\n")
	if !IsPosition(line) {
		return mat.ReadAll(in)
	}
	var out []*record.Match
	var ws []record.Warning
	lines := matchbuilder.NewLines(in)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text)
		if line == "" {
			continue
		}
		warn := func(format string, args ...any) {
			ws = append(ws, record.Warning{Line: lines.Number, Text: fmt.Sprintf(format, args...)})
		}
		if !IsPosition(line) {
			warn("no position line: left out is %.60q", line)
			continue
		}
		m, odd, err := position(line)
		if s := (*record.SyntaxError)(nil); errors.As(err, &s) {
			return nil, ws, &record.SyntaxError{Line: lines.Number, Column: s.Column, Problem: s.Problem}
		} else if err != nil {
			return nil, ws, &record.SyntaxError{Line: lines.Number, Column: 1, Problem: err.Error()}
		}
		if len(out) >= maxPositions {
			return nil, ws, &record.SyntaxError{Line: lines.Number, Column: 1, Problem: fmt.Sprintf("more than %d positions", maxPositions)}
		}
		for _, text := range odd {
			warn("%s", text)
		}
		out = append(out, m)
	}
	if err := lines.Err(); err != nil {
		return nil, ws, err
	}
	if len(out) == 0 { // a first line that a lone carriage return ends in its middle
		return nil, ws, &record.SyntaxError{Line: 1, Column: 1, Problem: "no line of the text is a position"}
	}
	return out, ws, nil
}

// position makes a match of a position line.
func position(line string) (*record.Match, []string, error) {
	d, odd, err := snowieline.Parse(line)
	if err != nil {
		return nil, nil, err
	}
	m, err := d.Match()
	return m, odd, err
}

// IsPosition reports whether a line looks like a position line.
func IsPosition(line string) bool { return snowieline.Is(line) }

// WritePosition writes the last position of each game of a match, a line each. The error is
// w's.
func WritePosition(w io.Writer, m *record.Match) error {
	if m == nil {
		return record.ErrNoMatch
	}
	for i := range m.Games {
		if _, err := io.WriteString(w, snowieline.Format(record.LastDiagram(m, &m.Games[i]))+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// Write writes a match in Snowie's layout, or the line of a position that is all the
// match holds. The error is w's.
func Write(w io.Writer, m *record.Match) error {
	if m == nil {
		return record.ErrNoMatch
	}
	if !m.IsPosition() {
		return mat.WriteSnowie(w, m)
	}
	_, err := io.WriteString(w, snowieline.Format(record.LastDiagram(m, &m.Games[0]))+"\n")
	return err
}
