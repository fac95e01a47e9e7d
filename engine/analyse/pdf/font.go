//go:build !js

package pdf

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"

	"fibsbot/engine/record"
	"fibsbot/internal/texts"
)

// ErrFont means that Options.Font cannot be used.
var ErrFont = errors.New("not a TrueType font (.ttf) that a PDF can hold")

// noFont is the sentence of a PDF whose fonts lack letters. It is in English, which every
// font has.
const noFont = "Some letters of this match or language are not in the fonts of this program: name a TrueType font that has them, " +
	"as fibsbot analyse --format pdf --font FILE.ttf, or print the page of the match in a browser."

// faces are the fonts of a PDF, and the letters that they have.
type faces struct {
	plain, bold []byte
	font        *sfnt.Font
	buffer      sfnt.Buffer
	had         map[rune]bool
}

// fonts returns the Go fonts, or own in their place.
func fonts(own []byte) (*faces, error) {
	out := &faces{plain: goregular.TTF, bold: gobold.TTF, had: map[rune]bool{}}
	if own != nil {
		// The library reads outlines of TrueType only.
		if len(own) < 4 || string(own[:4]) != "\x00\x01\x00\x00" && string(own[:4]) != "true" {
			return nil, fmt.Errorf("%w: it is another kind of file (not .otf, .ttc or .woff)", ErrFont)
		}
		out.plain, out.bold = own, own
	}
	var err error
	if out.font, err = sfnt.Parse(out.plain); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFont, err)
	}
	return out, nil
}

// letter reports whether the fonts have r.
func (f *faces) letter(r rune) bool {
	has, known := f.had[r]
	if !known {
		i, err := f.font.GlyphIndex(&f.buffer, r)
		has = err == nil && i > 0 && r <= 0xffff // the library has no more characters
		f.had[r] = has
	}
	return has
}

// has reports whether the fonts have all letters of a text.
func (f *faces) has(text string) bool {
	for _, r := range text {
		if !unicode.IsSpace(r) && !unicode.IsControl(r) && !f.letter(r) {
			return false
		}
	}
	return true
}

// printable replaces what the fonts do not have by ?, and leaves out controls.
func (f *faces) printable(s string) string {
	return cmp.Or(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r):
			return -1
		case unicode.IsSpace(r):
			return r
		case !f.letter(r):
			return '?'
		}
		return r
	}, strings.ToValidUTF8(s, "?")), " ")
}

func (p *printer) printable(s string) string { return p.faces.printable(s) }

// lettersOf are the letters of all texts of a language.
func lettersOf(c *texts.Catalogue) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, strings.Join(slices.Collect(maps.Values(c.All())), ""))
}

// written are the texts of a match that its players wrote.
func written(m *record.Match) []string {
	out := []string{m.Players[0].Name, m.Players[1].Name, m.Event, m.Round, m.Place, m.Annotator}
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			out = append(out, m.Games[i].Actions[k].Comment)
		}
	}
	return out
}
