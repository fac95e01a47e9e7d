package terminal

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/engine/board"
)

// The colours of the board. They set their own background, so the board looks the same on
// light and dark terminals.
var (
	wood     = colour(0x4a3526)
	felt     = colour(0x1f4e46)
	pointA   = colour(0x56877d)
	pointB   = colour(0x123b35)
	barWood  = colour(0x33251b)
	ivory    = colour(0xf4ead5)
	ruby     = colour(0xe0574f)
	label    = colour(0xcbb79a)
	gold     = colour(0xf2c14e)
	dieFace  = colour(0xf8f4ea)
	dieInk   = colour(0x22262b)
	lit      = colour(0x8fd694)
	litBelow = colour(0x3d7f55)
)

// sign is a side's checker; without colours the opponent's is hollow.
func (p *picture) sign(side int) string {
	if p.hollow && p.view.own(side) == play.Opponent {
		return "○"
	}
	return "●"
}

// checkerInk is the colour of a side's checkers.
func (p *picture) checkerInk(side int) rgb {
	if p.view.own(side) == play.You {
		return ivory
	}
	return ruby
}

// boardSize is the size of the board for a width of a point.
func boardSize(point int) (w, h int) { return 2 + 12*point + 5 + 6, 2 + 2*stack + 3 }

// picture is a board to draw, possibly with a chosen play carried out.
type picture struct {
	view   *Faced
	boards [2]board.Checkers
	// marked are your points (1 to 24, 25 the bar, 0 off) that a step leaves or reaches.
	from, to map[int]bool
	point    int // cells per point
	// hollow draws the opponent's checkers as rings.
	hollow bool
}

// draw draws the board.
func (p *picture) draw() *canvas {
	w, h := boardSize(p.point)
	c := newCanvas(w, h)
	c.fill(0, 0, w, h, ink{bg: wood})
	half := 6 * p.point
	left, bar := 1, 1+half
	right := bar + 5
	tray := right + half + 1
	c.fill(left, 1, half, h-2, ink{bg: felt})
	c.fill(right, 1, half, h-2, ink{bg: felt})
	c.fill(bar, 1, 5, h-2, ink{bg: barWood})
	c.fill(tray, 1, 4, h-2, ink{bg: barWood})
	p.half(c, upper, 1, 1, left, right, bar)
	p.half(c, lower, h-2, -1, left, right, bar)
	p.trays(c, tray, h)
	p.cube(c, bar, tray, h)
	p.dice(c, left, right, half, h)
	return c
}

// half draws 12 points and half of the bar, from the edge at row y inwards.
func (p *picture) half(c *canvas, points []int, y, step, left, right, bar int) {
	for i, point := range points {
		x, w := 0, p.point
		switch {
		case point >= 25:
			x, w = bar, 5
		case i < 6:
			x = left + i*p.point
		default:
			x = right + (i-7)*p.point
		}
		back := barWood
		if point < 25 {
			back = pointA
			if point%2 == 0 {
				back = pointB
			}
			number := point
			k := ink{fg: label, bg: wood}
			if p.to[point] {
				k = ink{fg: lit, bg: wood, bold: true}
			}
			c.centred(x, y-step, w, fmt.Sprint(number), k)
		}
		own := point
		if point == 26 {
			own = -1
		}
		for h := range stack {
			row := y + h*step
			k := ink{bg: back}
			if p.to[own] && h == min(int(p.height(own))-1, stack-1) {
				k.bg = litBelow
			}
			c.fill(x, row, w, 1, k)
			cl := at(&p.boards, point, h)
			if cl.side < 0 {
				if p.from[own] && h == 0 {
					c.centred(x, row, w, "◌", ink{fg: lit, bg: k.bg})
				}
				continue
			}
			k.fg, k.bold = p.checkerInk(cl.side), true
			sign := p.sign(cl.side)
			if cl.count > 0 {
				sign = fmt.Sprint(cl.count)
			}
			c.centred(x, row, w, sign, k)
		}
	}
}

// height is the number of your checkers on a point.
func (p *picture) height(point int) uint8 {
	switch {
	case point == 25:
		return p.boards[play.You][board.Bar]
	case point >= 1 && point <= 24:
		return p.boards[play.You][point-1]
	}
	return 0
}

// trays draws the checkers borne off.
func (p *picture) trays(c *canvas, x, h int) {
	for side, y := range map[int]int{play.Opponent: 1, play.You: h - 2} {
		off := p.view.Checkers - p.boards[side].Count()
		if off <= 0 {
			continue
		}
		c.centred(x, y, 4, fmt.Sprintf("%s%d", p.sign(side), off), ink{fg: p.checkerInk(side), bg: barWood, bold: true})
	}
}

// cube draws the cube in the middle of the bar or beside its owner.
func (p *picture) cube(c *canvas, bar, tray, h int) {
	v := p.view
	k := ink{fg: dieInk, bg: gold, bold: true}
	value := v.Cube
	text := fmt.Sprintf("%3d ", value)
	x, y := bar, h/2
	switch v.Owner {
	case play.You:
		x, y = tray, h-4
	case play.Opponent:
		x, y = tray, 3
	}
	if v.Phase == play.ToAnswer {
		text, x = fmt.Sprintf("%3d?", 2*v.Cube), tray
		y = h / 2
	}
	if v.Owner < 0 && v.Phase != play.ToAnswer {
		if v.Crawford {
			return
		}
		text = fmt.Sprintf(" %3d ", value)
	}
	c.text(x, y, text, k)
}

// dice draws the dice on the half of the side to play.
func (p *picture) dice(c *canvas, left, right, half, h int) {
	v, thrown := p.view, onTable(p.view)
	if thrown == nil {
		return
	}
	x := right
	if v.Turn == play.Opponent {
		x = left
	}
	y := h/2 - 1
	at := x + half/2 - 6
	for i, d := range thrown {
		p.die(c, at+i*7, y, d)
	}
}

// faces are the three rows of each die.
var faces = [7][3]string{
	{}, {"     ", "  ●  ", "     "}, {" ●   ", "     ", "   ● "}, {" ●   ", "  ●  ", "   ● "},
	{" ● ● ", "     ", " ● ● "}, {" ● ● ", "  ●  ", " ● ● "}, {" ● ● ", " ● ● ", " ● ● "},
}

func (p *picture) die(c *canvas, x, y, n int) {
	for i, row := range faces[n] {
		c.text(x, y+i, row, ink{fg: dieInk, bg: dieFace, bold: true})
	}
}

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
