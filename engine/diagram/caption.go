package diagram

import (
	"strings"
	"unicode/utf8"
)

// Sizes of a caption: letters and lines in SVG units, columns of a line, most lines.
const (
	captionSize  = 15
	captionLine  = 21
	captionWide  = 70
	captionLines = 16
)

// captionHeight is the room that lines need below the board.
func captionHeight(lines []string) int {
	if len(lines) == 0 {
		return 0
	}
	return len(lines)*captionLine + captionLine/2
}

func (p *painter) caption(lines []string) {
	for i, line := range lines {
		p.text("text", p.left(), p.tall()+captionSize+i*captionLine, captionSize, "start", p.theme.Text, line)
	}
}

// captionLines breaks the paragraphs of the caption into lines.
func (p *painter) captionLines() (out []string) {
	for _, text := range p.Caption {
		line, used := "", 0
		for _, word := range words(text) {
			n := columns(word)
			if line != "" && used+n > captionWide {
				out = append(out, strings.TrimSpace(line))
				line, used = "", 0
			}
			line, used = line+word, used+n
		}
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	if len(out) > captionLines {
		out = append(out[:captionLines-1], "…")
	}
	return out
}

// words splits a text where a line may end: after a space, and around letters as wide as high.
func words(text string) (out []string) {
	from := 0
	for i, r := range text {
		next := i + utf8.RuneLen(r)
		switch {
		case r == utf8.RuneError:
			continue
		case wide(r):
			if from < i {
				out = append(out, text[from:i])
			}
			out, from = append(out, text[i:next]), next
		case r == ' ' || columns(text[from:next]) >= captionWide:
			out, from = append(out, text[from:next]), next
		}
	}
	return append(out, text[from:])
}

// wide reports whether a letter is as wide as it is high, as in Japanese.
func wide(r rune) bool { return r >= 0x2e80 }

// columns is the width of a text, in letters that are not wide.
func columns(text string) (n int) {
	for _, r := range text {
		n++
		if wide(r) {
			n++
		}
	}
	return n
}
