// Package charset turns the bytes of match files into text: older programs wrote
// the Windows code page 1252, and some cut names in the middle of a character.
package charset

import (
	"strings"
	"unicode/utf8"

	"fibsbot/internal/sanitize"
)

// upper are the characters of code page 1252 from 0x80 to 0x9f; 0 where it has none.
var upper = [32]rune{
	'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ',
}

// Windows1252 decodes bytes of that code page; a byte without a character becomes U+FFFD.
func Windows1252(b []byte) string {
	var out strings.Builder
	out.Grow(len(b) + 8)
	for _, c := range b {
		r := rune(c)
		if c >= 0x80 && c < 0xa0 {
			if r = upper[c-0x80]; r == 0 {
				r = utf8.RuneError
			}
		}
		out.WriteRune(r)
	}
	return out.String()
}

// OneLine is text without control characters and blanks around it.
func OneLine(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s))
}

// Tame puts a character in the place of all that a terminal obeys, line ends among them.
func Tame(s string, instead rune) string {
	return strings.Map(func(r rune) rune {
		if sanitize.Obeyed(r) {
			return instead
		}
		return r
	}, s)
}

// Text decodes a piece of a file. What is not UTF-8 is code page 1252, unless other
// characters of it are UTF-8: then the odd bytes are what is left of a character
// that was cut, and become U+FFFD.
func Text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if n > 1 && r != utf8.RuneError {
			return strings.ToValidUTF8(string(b), "\ufffd")
		}
		i += n
	}
	return Windows1252(b)
}
