package terminal

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// rgb is a colour, 0 to 255 per channel; none keeps the terminal's own.
type rgb struct {
	r, g, b uint8
	set     bool
}

func colour(hex uint32) rgb { return rgb{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), true} }

// ink is the style of a cell.
type ink struct {
	fg, bg rgb
	bold   bool
}

// pixel is one cell of a canvas.
type pixel struct {
	r rune
	ink
}

// canvas is a rectangle of cells, written as lines with ANSI colours. It clips drawing
// outside.
type canvas struct {
	w, h  int
	cells []pixel
}

func newCanvas(w, h int) *canvas {
	c := &canvas{w: w, h: h, cells: make([]pixel, w*h)}
	for i := range c.cells {
		c.cells[i].r = ' '
	}
	return c
}

func (c *canvas) set(x, y int, r rune, k ink) {
	if x < 0 || y < 0 || x >= c.w || y >= c.h {
		return
	}
	c.cells[y*c.w+x] = pixel{r, k}
}

// fill paints a rectangle.
func (c *canvas) fill(x, y, w, h int, k ink) {
	for j := y; j < y+h; j++ {
		for i := x; i < x+w; i++ {
			c.set(i, j, ' ', k)
		}
	}
}

// text writes a line; an unset colour keeps the present background.
func (c *canvas) text(x, y int, s string, k ink) {
	for _, r := range s {
		if x >= 0 && y >= 0 && x < c.w && y < c.h {
			p := &c.cells[y*c.w+x]
			bg := p.bg
			*p = pixel{r, k}
			if !k.bg.set {
				p.bg = bg
			}
		}
		x++
	}
}

// centred writes a line in the middle of w cells.
func (c *canvas) centred(x, y, w int, s string, k ink) {
	c.text(x+(w-utf8.RuneCountInString(s))/2, y, s, k)
}

// lines are the rows with colours; each row resets them at its end.
func (c *canvas) lines() []string {
	out := make([]string, c.h)
	for y := range c.h {
		var b strings.Builder
		last := ink{}
		for x := range c.w {
			p := c.cells[y*c.w+x]
			if p.ink != last {
				b.WriteString("\x1b[0")
				if p.bold {
					b.WriteString(";1")
				}
				if p.fg.set {
					fmt.Fprintf(&b, ";38;2;%d;%d;%d", p.fg.r, p.fg.g, p.fg.b)
				}
				if p.bg.set {
					fmt.Fprintf(&b, ";48;2;%d;%d;%d", p.bg.r, p.bg.g, p.bg.b)
				}
				b.WriteString("m")
				last = p.ink
			}
			b.WriteRune(p.r)
		}
		if last != (ink{}) {
			b.WriteString("\x1b[0m")
		}
		out[y] = b.String()
	}
	return out
}
