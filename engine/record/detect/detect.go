// Package detect finds out which format a match file has by looking at its
// beginning, and reads it.
package detect

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"

	"fibsbot/engine/record"
	"fibsbot/engine/record/jellyfish"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/oldmoves"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/record/snowie"
	"fibsbot/engine/record/xg"
)

// Format is a format that can be read.
type Format string

// The formats.
const (
	Unknown   Format = ""
	SGF       Format = "sgf"
	Mat       Format = "mat"
	Oldmoves  Format = "oldmoves"
	Snowie    Format = "snowie"
	Jellyfish Format = "jellyfish"
	XG        Format = "xg"
)

// ErrUnknown is returned for a file that is in none of the formats.
var ErrUnknown = errors.New("not a match file: want .sgf, .mat, FIBS oldmoves, Snowie text or a Jellyfish position")

// looked is how much of a file is looked at. Comments in front of a .mat may be
// long, but its first row comes within that.
const looked = 64 << 10

var (
	sgfStart    = regexp.MustCompile(`\(\s*;`)
	oldmoves1   = regexp.MustCompile(`Score is \d+-\d+ in an? `)
	matHeader   = regexp.MustCompile(`(?m)^\s*\d+ point match\b`)
	matRow      = regexp.MustCompile(`(?m)^\s*\d+\)(?:\s+[1-6][1-6]:|\s+Doubles)`)
	matGameLine = regexp.MustCompile(`(?m)^\s*Game \d+\s*$`)
)

// Sniff names the format of a file that begins with head.
func Sniff(head []byte) Format {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	line, _, _ := bytes.Cut(text, []byte("\n"))
	// The earliest sign decides, for names and comments may hold any text.
	signs := []struct {
		f Format
		r *regexp.Regexp
	}{{SGF, sgfStart}, {Oldmoves, oldmoves1}, {Mat, matHeader}, {Mat, matRow}, {Mat, matGameLine}}
	best, at := Unknown, len(text)+1
	switch {
	case bytes.HasPrefix(head, []byte(xg.Magic)):
		return XG
	case bytes.HasPrefix(head, []byte(jellyfish.Magic)):
		return Jellyfish
	case snowie.IsPosition(string(line)):
		return Snowie
	}
	for _, s := range signs {
		if m := s.r.FindIndex(text); m != nil && m[0] < at {
			best, at = s.f, m[0]
		}
	}
	return best
}

// Read finds the format of r and reads all its matches, at least one. Text in UTF-16
// with a byte order mark is decoded. The error is ErrUnknown, a *record.SyntaxError
// or of r.
func Read(r io.Reader) ([]*record.Match, Format, []record.Warning, error) {
	in := decoded(bufio.NewReaderSize(r, looked))
	head, err := in.Peek(looked)
	if err != nil && err != io.EOF {
		return nil, Unknown, nil, err
	}
	f := Sniff(head)
	var m *record.Match
	var ws []record.Warning
	switch f {
	case SGF:
		all, ws, err := sgf.ReadAll(in)
		return all, f, ws, err
	case Mat:
		all, ws, err := mat.ReadAll(in)
		return all, f, ws, err
	case Snowie:
		m, ws, err = snowie.Read(in)
	case XG:
		m, ws, err = xg.Read(in)
	case Jellyfish:
		m, ws, err = jellyfish.Read(in)
	case Oldmoves:
		all, ws, err := oldmoves.ReadAll(in)
		return all, f, ws, err
	default:
		return nil, f, nil, ErrUnknown
	}
	if err != nil {
		return nil, f, ws, err
	}
	return []*record.Match{m}, f, ws, nil
}
