package matchbuilder

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/charset"
)

// Limits of a text file of matches. Rows are under 100 characters; comments and
// Snowie's illegal plays may be long, and PartyGammon has a whole game on one line.
const (
	maxLine    = 64 << 10
	maxText    = 64 << 20
	maxMatches = 200_000
)

// Lines reads a text file line by line without its line ends, byte order mark
// and control characters. A line ends with LF, CR LF or CR alone. Bytes that are
// not UTF-8 are taken as Windows-1252. The first error ends it.
type Lines struct {
	Text   string // of the current line
	Number int    // of it, from 1
	in     *bufio.Reader
	read   int // bytes
	cr     bool
	line   []byte
	err    error
}

// NewLines starts reading r.
func NewLines(r io.Reader) *Lines { return &Lines{in: bufio.NewReader(r)} }

// Scan reads the next line, and reports whether there is one.
func (l *Lines) Scan() bool {
	l.line = l.line[:0]
	for l.err == nil {
		c, err := l.in.ReadByte()
		if err == io.EOF && len(l.line) > 0 {
			break
		}
		if err != nil {
			l.err = err
			return false
		}
		afterCR := l.cr
		l.cr = c == '\r'
		if c == '\n' && afterCR {
			continue // the other half of a line end
		}
		if l.read++; l.read > maxText {
			l.fail(l.Number+1, 1, "longer than %d megabytes", maxText>>20)
			return false
		}
		if c == '\n' || c == '\r' {
			break
		}
		if len(l.line) == maxLine {
			l.fail(l.Number+1, maxLine, "a line of more than %d characters", maxLine)
			return false
		}
		l.line = append(l.line, c)
	}
	if l.err != nil {
		return false
	}
	l.Number++
	return l.decode()
}

// decode makes the text of the line that was read.
func (l *Lines) decode() bool {
	s := charset.Text(l.line)
	if l.Number == 1 {
		s = strings.TrimPrefix(s, "\ufeff")
	}
	// Programs for DOS end a file with this.
	s = strings.TrimRight(s, "\x1a")
	if i := strings.IndexByte(s, 0); i >= 0 {
		l.fail(l.Number, i+1, "a control character: this is no text file")
		return false
	}
	// Logs may have the bell of FIBS, page feeds or escapes, which have no meaning in a
	// match.
	l.Text = strings.Map(func(r rune) rune {
		switch {
		case r == '\a':
			return -1
		case r < ' ' && r != '\t' || r == 0x7f || r == '\u00a0':
			return ' '
		}
		return r
	}, s)
	return true
}

// Fail ends the reading with a syntax error on the current line.
func (l *Lines) Fail(format string, args ...any) { l.fail(l.Number, 1, format, args...) }

func (l *Lines) fail(line, column int, format string, args ...any) {
	if l.err == nil || l.err == io.EOF {
		l.err = &record.SyntaxError{Line: max(line, 1), Column: column, Problem: fmt.Sprintf(format, args...)}
	}
}

// Err returns the error that ended the reading, nil at the end of the file.
func (l *Lines) Err() error {
	if l.err == io.EOF {
		return nil
	}
	return l.err
}
