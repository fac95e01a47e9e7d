package scribe

import (
	"bufio"
	"io"
	"strings"
	"unicode/utf8"

	"fibsbot/engine/record"
)

// Limits of a text file of matches. Rows are under 100 characters; comments and
// Snowie's illegal plays may be long.
const (
	maxLine = 8192
	maxText = 64 << 20
)

// Lines reads a text file line by line without its line ends, byte order mark
// and control characters. Bytes that are not UTF-8 are taken as Latin-1.
type Lines struct {
	in     *bufio.Reader
	Number int // of the line returned last, from 1
	read   int // bytes
}

// NewLines starts reading r.
func NewLines(r io.Reader) *Lines { return &Lines{in: bufio.NewReader(r)} }

// Next returns the next line, io.EOF after the last.
func (l *Lines) Next() (string, error) {
	var line []byte
	for {
		part, err := l.in.ReadSlice('\n')
		line = append(line, part...)
		if l.read += len(part); l.read > maxText {
			return "", &record.SyntaxError{Line: l.Number + 1, Column: 1, Problem: "longer than 64 megabytes"}
		}
		if len(line) > maxLine {
			return "", &record.SyntaxError{Line: l.Number + 1, Column: maxLine, Problem: "a line of more than 8192 characters"}
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err == io.EOF && len(line) > 0 {
			break
		}
		if err != nil {
			return "", err
		}
		break
	}
	l.Number++
	s := string(line)
	if l.Number == 1 {
		s = strings.TrimPrefix(s, "\ufeff")
	}
	if !utf8.ValidString(s) {
		r := make([]rune, 0, len(s))
		for i := range len(s) {
			r = append(r, rune(s[i]))
		}
		s = string(r)
	}
	// Logs of accounts that have FIBS's bell on ring it.
	s = strings.ReplaceAll(strings.TrimRight(s, "\r\n"), "\a", "")
	if i := strings.IndexFunc(s, control); i >= 0 {
		return "", &record.SyntaxError{Line: l.Number, Column: i + 1, Problem: "a control character: this is no text file"}
	}
	return s, nil
}

func control(r rune) bool { return r < ' ' && r != '\t' && r != '\f' || r == 0x7f }
