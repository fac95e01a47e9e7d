// Package snowie reads what Snowie exchanged as text: a position on one line, or
// a match in the layout of package mat, where a play that is none stands as
// "Illegal play (position)".
package snowie

import (
	"bufio"
	"io"
	"strings"

	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/snowieline"
	"fibsbot/engine/record/mat"
)

// maxLine bounds a position line: 40 short fields and two names.
const maxLine = 1024

// Read reads a position line, or else a match text. A position becomes a match
// of one game that begins with it; the player on roll keeps his number. Errors
// are *record.SyntaxError or of r.
func Read(r io.Reader) (*record.Match, []record.Warning, error) {
	in := bufio.NewReaderSize(r, 2*maxLine)
	head, err := in.Peek(maxLine)
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	line, _, _ := strings.Cut(strings.TrimLeft(strings.TrimPrefix(string(head), "\ufeff"), " \r\n"), "\n")
	if !IsPosition(line) {
		return mat.Read(in)
	}
	d, err := snowieline.Parse(line)
	if err != nil {
		return nil, nil, err
	}
	m, err := d.Match()
	if err != nil {
		return nil, nil, &record.SyntaxError{Line: 1, Column: 1, Problem: err.Error()}
	}
	return m, nil, nil
}

// IsPosition tells whether a line looks like a position line.
func IsPosition(line string) bool { return snowieline.Is(line) }

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
