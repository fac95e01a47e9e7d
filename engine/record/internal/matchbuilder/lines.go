package matchbuilder

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"

	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/charset"
)

// Limits of a text file of matches. Rows are under 100 characters; comments and
// Snowie's illegal plays may be long, and PartyGammon has a whole game on one line.
const (
	maxLine = 64 << 10
	maxText = 64 << 20
)

// Lines reads a text file line by line without its line ends, byte order mark
// and control characters. A line ends with LF, CR LF or CR alone. Bytes that are
// not UTF-8 are taken as Windows-1252.
type Lines struct {
	in     *bufio.Reader
	Number int // of the line returned last, from 1
	read   int // bytes
	cr     bool
	line   []byte
}

// NewLines starts reading r.
func NewLines(r io.Reader) *Lines { return &Lines{in: bufio.NewReader(r)} }

// Next returns the next line, io.EOF after the last.
func (l *Lines) Next() (string, error) {
	l.line = l.line[:0]
	for {
		c, err := l.in.ReadByte()
		if err == io.EOF && len(l.line) > 0 {
			break
		}
		if err != nil {
			return "", err
		}
		afterCR := l.cr
		l.cr = c == '\r'
		if c == '\n' && afterCR {
			continue // the other half of a line end
		}
		if l.read++; l.read > maxText {
			return "", &record.SyntaxError{Line: l.Number + 1, Column: 1, Problem: fmt.Sprintf("longer than %d megabytes", maxText>>20)}
		}
		if c == '\n' || c == '\r' {
			break
		}
		if len(l.line) == maxLine {
			return "", &record.SyntaxError{Line: l.Number + 1, Column: maxLine, Problem: fmt.Sprintf("a line of more than %d characters", maxLine)}
		}
		l.line = append(l.line, c)
	}
	l.Number++
	s := charset.Text(l.line)
	if l.Number == 1 {
		s = strings.TrimPrefix(s, "\ufeff")
	}
	// Programs for DOS end a file with this.
	s = strings.TrimRight(s, "\x1a")
	if i := strings.IndexByte(s, 0); i >= 0 {
		return "", &record.SyntaxError{Line: l.Number, Column: i + 1, Problem: "a control character: this is no text file"}
	}
	// Logs may have the bell of FIBS, page feeds or escapes, which have no meaning in a
	// match.
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\a':
			return -1
		case r < ' ' && r != '\t' || r == 0x7f || r == '\u00a0':
			return ' '
		}
		return r
	}, s), nil
}

var (
	// playWord is one part of a play: 24/18*/13, 13/7*(2), bar/21, 6/off, 6/-1.
	playWord = regexp.MustCompile(`(?i)^(?:bar|b|\d{1,2})\*?(?:[/-]\*?(?:bar|off|home|o|b|-?\d{1,2})\*?)+(?:\([1-4]\))?\*?[,;.]?$`)
	// rollInside is text that is not a comment: dice or the play of another turn.
	rollInside = regexp.MustCompile(`(?i)\d\d:|(?:\d|bar)\*?/\*?(?:\d|off)|(?:^|\s)/\d`)
	starLast   = regexp.MustCompile(`(\([1-4]\))\*`)
	below      = regexp.MustCompile(`/-\d{1,2}`)
	noMove     = regexp.MustCompile(`(?i)^\(?(?:cannot move|can't move|can’t move|cant move|no moves?|nomove|no legal moves?|no legal plays?|no plays?|danc(?:es?|ed)|fan(?:s|ned)?|0/0|o-o|-{1,3})\)?(?:\s|[.,;!]|$)`)
)

// Split divides the text after dice into the play, in words that board.ParsePlay knows, and the
// rest. Both are empty for a roll alone.
func Split(text string) (play, rest string) {
	text = strings.TrimSpace(text)
	if at := noMove.FindString(text); at != "" {
		return "", strings.TrimSpace(strings.TrimLeft(text[len(at):], " .,;!"))
	}
	var parts []string
	left := text
	for left != "" {
		word := left
		if i := strings.IndexAny(left, " \t"); i >= 0 {
			word = left[:i]
		}
		if !playWord.MatchString(word) && strings.Trim(word, ",;.") != "" {
			break
		}
		left = strings.TrimLeft(left[len(word):], " \t")
		if word = strings.Trim(word, ",;."); word != "0/0" && word != "" {
			parts = append(parts, word)
		}
	}
	if len(parts) == 0 {
		return "", text
	}
	play = strings.Join(parts, " ")
	play = starLast.ReplaceAllString(play, "*$1")
	play = strings.ReplaceAll(strings.ReplaceAll(play, "**", "*"), "/*", "/")
	return below.ReplaceAllString(play, "/off"), left
}
