//go:build !js

package pdf

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"

	"fibsbot/engine/diagram"
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

// drawing puts the shapes of a diagram's SVG on a page: rectangles, circles, texts, and
// paths of straight lines and quadratic curves, which is what package diagram draws.
type drawing struct {
	f     *fpdf.Fpdf
	faces *faces
	x, y  float64 // of its left upper corner, mm
	scale float64 // mm a unit
	group map[string]string
}

// board draws d with its left upper corner at x, y and returns how high it is.
func (p *printer) board(d diagram.Diagram, x, y, w float64) (high float64, err error) {
	f := p.f
	dec := xml.NewDecoder(strings.NewReader(d.SVG()))
	g := drawing{f: f, faces: p.faces, x: x, y: y}
	defer f.SetAlpha(1, "Normal")
	for {
		tok, err := dec.Token()
		if err == io.EOF {
			return high, nil
		}
		if err != nil {
			return 0, fmt.Errorf("draw: %w", err)
		}
		switch e := tok.(type) {
		case xml.EndElement:
			if e.Name.Local == "g" {
				g.group = nil
			}
		case xml.StartElement:
			a := attributes(e)
			switch e.Name.Local {
			case "svg":
				box := strings.Fields(a["viewBox"])
				if len(box) != 4 {
					return 0, fmt.Errorf("draw: no size in %q", a["viewBox"])
				}
				g.scale = w / number(box[2])
				high = number(box[3]) * g.scale
			case "g":
				g.group = a
			case "text":
				var text string
				if err := dec.DecodeElement(&text, &e); err != nil {
					return 0, fmt.Errorf("draw: %w", err)
				}
				g.text(a, text)
			default:
				g.shape(e.Name.Local, a)
			}
		}
	}
}

func attributes(e xml.StartElement) map[string]string {
	out := map[string]string{}
	for _, a := range e.Attr {
		out[a.Name.Local] = a.Value
	}
	return out
}

func number(s string) float64 {
	v, _ := strconv.ParseFloat(s, 64)
	return v
}

// hex reads #rrggbb.
func hex(s string) (shade, bool) {
	v, err := strconv.ParseUint(strings.TrimPrefix(s, "#"), 16, 32)
	if err != nil || len(s) != 7 {
		return shade{}, false
	}
	return shade{int(v >> 16), int(v >> 8 & 255), int(v & 255)}, true
}

// style sets colours and returns fpdf's word for what is drawn, "" for nothing.
func (g *drawing) style(a map[string]string) string {
	get := func(name string) string {
		if v, ok := a[name]; ok {
			return v
		}
		return g.group[name]
	}
	out, alpha := "", 1.0
	if c, ok := hex(get("fill")); ok {
		g.f.SetFillColor(c[0], c[1], c[2])
		out = "F"
	}
	if c, ok := hex(get("stroke")); ok {
		g.f.SetDrawColor(c[0], c[1], c[2])
		g.f.SetLineWidth(max(number(get("stroke-width")), 0.5) * g.scale)
		out += "D"
		if v := get("stroke-opacity"); v != "" {
			alpha = number(v)
		}
	}
	if v := get("opacity"); v != "" {
		alpha = number(v)
	}
	g.f.SetAlpha(alpha, "Normal")
	return out
}

func (g *drawing) shape(kind string, a map[string]string) {
	style := g.style(a)
	if style == "" {
		return
	}
	at := func(name string) float64 { return number(a[name]) * g.scale }
	switch kind {
	case "rect":
		x, y := g.x+at("x"), g.y+at("y")
		if r := at("rx"); r > 0 {
			g.f.RoundedRect(x, y, at("width"), at("height"), r, "1234", style)
			return
		}
		g.f.Rect(x, y, at("width"), at("height"), style)
	case "circle":
		g.f.Circle(g.x+at("cx"), g.y+at("cy"), at("r"), style)
	case "path":
		if a["stroke-linecap"] == "round" {
			g.f.SetLineCapStyle("round")
			defer g.f.SetLineCapStyle("butt")
		}
		g.path(a["d"], style)
	}
}

var pathWord = regexp.MustCompile(`[A-Za-z]|-?[0-9.]+`)

// path draws M, L, H, V and Q, each absolute or relative, and z.
func (g *drawing) path(d, style string) {
	words := pathWord.FindAllString(d, -1)
	var x, y float64
	next := func() float64 {
		if len(words) == 0 {
			return 0
		}
		v := number(words[0])
		words = words[1:]
		return v
	}
	px := func(v float64) float64 { return g.x + v*g.scale }
	py := func(v float64) float64 { return g.y + v*g.scale }
	for len(words) > 0 {
		c := words[0]
		words = words[1:]
		var ox, oy float64 // what relative places are counted from
		if c == strings.ToLower(c) {
			ox, oy = x, y
		}
		switch strings.ToUpper(c) {
		case "M":
			x, y = ox+next(), oy+next()
			g.f.MoveTo(px(x), py(y))
		case "L":
			x, y = ox+next(), oy+next()
			g.f.LineTo(px(x), py(y))
		case "H":
			x = ox + next()
			g.f.LineTo(px(x), py(y))
		case "V":
			y = oy + next()
			g.f.LineTo(px(x), py(y))
		case "Q":
			cx, cy := ox+next(), oy+next()
			x, y = ox+next(), oy+next()
			g.f.CurveTo(px(cx), py(cy), px(x), py(y))
		case "Z":
			g.f.ClosePath()
		}
	}
	g.f.DrawPath(style)
}

func (g *drawing) text(a map[string]string, text string) {
	c, ok := hex(a["fill"])
	if !ok {
		return
	}
	weight := ""
	if v := a["font-weight"]; v == "bold" || number(v) >= 600 {
		weight = "B"
	}
	g.f.SetAlpha(1, "Normal")
	g.f.SetFont("go", weight, 10)
	g.f.SetFontUnitSize(number(a["font-size"]) * g.scale)
	g.f.SetTextColor(c[0], c[1], c[2])
	text = g.faces.printable(text)
	x := g.x + number(a["x"])*g.scale
	switch w := g.f.GetStringWidth(text); a["text-anchor"] {
	case "middle":
		x -= w / 2
	case "end":
		x -= w
	}
	g.f.Text(x, g.y+number(a["y"])*g.scale, text)
}
