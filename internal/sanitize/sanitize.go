// Package sanitize makes foreign text, such as chat or a name in a match file, safe to show:
// terminals, editors and spreadsheets obey some characters.
//
// Removed characters stay visible, as \x1b or \u202e. JSON, which escapes control characters
// itself, stays the same document.
package sanitize

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns s as one line without characters that a terminal obeys. Control characters,
// including line ends, and those that change the direction of text are written as escapes.
// Invalid UTF-8 is, too, since terminals may read it as Latin-1.
func Text(s string) string { return clean(s, false) }

// Lines is Text for text of several lines: line ends and tabs stay.
func Lines(s string) string { return clean(s, true) }

// Cell is Text for a cell of a table. A spreadsheet runs a cell that begins with =, +, - or @ as a
// formula; a leading quote makes it text. The program's own numbers need no Cell.
func Cell(s string) string {
	s = Text(s)
	if t := strings.TrimLeft(s, " "); t != "" && strings.ContainsRune("=+-@\uff1d\uff0b\uff0d\uff20", first(t)) {
		return "'" + s
	}
	return s
}

func first(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// Obeyed reports whether a character is obeyed rather than shown, including line ends and tabs,
// for file formats with their own escapes.
func Obeyed(r rune) bool { return harmful(r, false) }

// harmful reports whether a character is obeyed rather than shown.
func harmful(r rune, lines bool) bool {
	switch {
	case r == '\n' || r == '\t':
		return !lines
	case r < 0x20 || r >= 0x7f && r < 0xa0: // C0, DEL, C1
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069: // direction
		return true
	case r == 0x2028 || r == 0x2029, r == 0xfeff, r >= 0x200b && r <= 0x200d, r == 0x2060: // lines and nothing at all
		return true
	case r >= 0xe0000 && r <= 0xe007f: // invisible letters
		return true
	}
	return false
}

func clean(s string, lines bool) string {
	bad := strings.IndexFunc(s, func(r rune) bool { return r == utf8.RuneError || harmful(r, lines) })
	if bad < 0 {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:bad])
	for i := bad; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !harmful(r, lines):
			b.WriteRune(r)
		case r < 0x20:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r) // as JSON has them
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		}
		i += n
	}
	return b.String()
}

// Mask replaces a secret.
const Mask = "********"

// Secret masks a secret in a line: anywhere, or only as a whole word if it is so short that it
// could be part of any word.
func Secret(line, secret string) string {
	if secret == "" {
		return line
	}
	if len(secret) >= 4 {
		return strings.ReplaceAll(line, secret, Mask)
	}
	words := strings.Split(line, " ")
	for i := range words {
		if words[i] == secret {
			words[i] = Mask
		}
	}
	return strings.Join(words, " ")
}

// Writer returns a writer to w that passes all text through Lines, for commands that show foreign
// text.
func Writer(w io.Writer) io.Writer { return &writer{w: w} }

type writer struct {
	w    io.Writer
	part []byte // of a character whose rest is still to come
}

// Write implements io.Writer. It reports all of p as written or none.
func (s *writer) Write(p []byte) (int, error) {
	text := append(s.part, p...)
	s.part = nil
	if cut := len(text) - unfinished(text); cut < len(text) {
		s.part = append([]byte(nil), text[cut:]...)
		text = text[:cut]
	}
	if _, err := io.WriteString(s.w, Lines(string(text))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Below returns what a Writer writes to, or w itself, to find out whether that is a terminal.
func Below(w io.Writer) io.Writer {
	for {
		s, ok := w.(*writer)
		if !ok {
			return w
		}
		w = s.w
	}
}

// unfinished returns the length of an incomplete character at the end of p.
func unfinished(p []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(p); n++ {
		tail := p[len(p)-n:]
		if utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return n
			}
			return 0
		}
	}
	return 0
}
