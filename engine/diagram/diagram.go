package diagram

import (
	"fmt"
	"html"
	"html/template"
	"strings"
	"unicode/utf8"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/internal/texts"
)

// Diagram is a position to be drawn. The zero value draws an empty board; what is
// left out is not drawn.
type Diagram struct {
	// Situation is seen by the player on roll: board, score, cube, dice, a pending double.
	Situation match.Situation
	// Rules are those of the game; they say how many checkers there are, so how many are off.
	Rules board.Rules
	// Names are of the player on roll and of the opponent.
	Names [2]string
	// Pips draws the pip counts beside the names.
	Pips bool
	// Arrows are steps of a play by the player on roll, in the order in which they are
	// made, from the position drawn.
	Arrows []board.Step
	// Better are the steps of another play of the same roll: with it the arrows of the two
	// differ in colour, and a step that both make is drawn once.
	Better []board.Step
	// Minor says that Arrows lose little against Better: they have a colour of their own.
	Minor bool

	// Turned puts the opponent of the player on roll below, with his own points'
	// numbers.
	Turned bool
	// AsMover numbers the points as the player on roll counts, also where he sits above.
	AsMover bool
	// Dark gives the player on roll the dark checkers.
	Dark bool
	// HomeLeft bears off to the left.
	HomeLeft bool
	// NoCube omits the cube, for cubeless play.
	NoCube bool

	// Caption are the paragraphs below the board.
	Caption []string
	// Title is the text for screen readers and the tooltip.
	Title string
	// Width is the width in pixels; 0 leaves the size to the page.
	Width int
	// Theme has the colours; the zero value means Variables.
	Theme Theme
	// Texts is the language of pip counts and scores, nil for English.
	Texts *texts.Catalogue
}

// Sizes in SVG units.
const (
	pointWidth = 40
	radius     = 18 // of a checker
	barWidth   = 44
	sideWidth  = 48 // cube at one side, checkers borne off at the other
	halfHeight = 215
	pointTall  = 178
	frame      = 10
	numberBand = 20
	nameBand   = 30
	stackLimit = 5

	boardWidth  = 12*pointWidth + barWidth
	fullWidth   = boardWidth + 2*sideWidth + 4*frame
	boardHeight = 2 * halfHeight
)

// sides of the drawing.
const (
	below = 0
	above = 1
)

// HTML is SVG for a template. Names and title are escaped.
func (d *Diagram) HTML() template.HTML { return template.HTML(d.SVG()) }

// SVG draws the diagram.
func (d *Diagram) SVG() string {
	p := newPainter(d, d.Theme)
	if p.theme == (Theme{}) {
		p.theme = Variables
	}
	if !d.strips() {
		p.top = numberBand
	}
	p.draw()
	return p.b.String()
}

// strips reports whether there is anything to say about the players.
func (d *Diagram) strips() bool {
	return d.Names != [2]string{} || d.Pips || d.Situation.State.Length > 0
}

// painter draws one diagram.
type painter struct {
	*Diagram
	theme Theme
	side  [2]board.Checkers // below and above, each seen by its owner
	top   int               // where the felt begins
	b     strings.Builder
}

// newPainter begins a drawing with room for numbers and names above and below.
func newPainter(d *Diagram, t Theme) *painter {
	p := &painter{Diagram: d, theme: t, top: numberBand + nameBand}
	p.side[p.mover()], p.side[1-p.mover()] = d.Situation.Position.Me, d.Situation.Position.Opp
	return p
}

// mover is the side of the player on roll.
func (p *painter) mover() int {
	if p.Turned {
		return above
	}
	return below
}

func (p *painter) put(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

// rect draws a rectangle of a class in a colour.
func (p *painter) rect(class, fill string, x, y, w, h, round int) {
	p.put(`<rect class="bg-%s" x="%d" y="%d" width="%d" height="%d" rx="%d" fill="%s"/>`, class, x, y, w, h, round, fill)
}

func (p *painter) draw() {
	lines := p.captionLines()
	full := p.tall() + captionHeight(lines)
	size := ""
	if p.Width > 0 {
		size = fmt.Sprintf(` width="%d" height="%d"`, p.Width, (p.Width*full+fullWidth/2)/fullWidth)
	}
	p.put(`<svg xmlns="http://www.w3.org/2000/svg" class="bg-board" viewBox="0 0 %d %d"%s role="img" font-family="system-ui,sans-serif">`, fullWidth, full, size)
	if title := clean(p.Title); title != "" {
		p.put(`<title>%s</title>`, title)
	}
	p.ground(p.AsMover && p.Turned, full)
	p.caption(lines)
	for side := range 2 {
		for _, s := range p.stacks(side) {
			p.checker(side, s.x, s.y, s.label)
		}
		p.off(side)
		p.strip(side)
	}
	if !p.NoCube {
		p.cube()
	}
	p.dice()
	p.arrows()
	p.put(`</svg>`)
}

// tall is the height of the board with its bands.
func (p *painter) tall() int { return 2*p.top + boardHeight }

// ground draws the empty board on a frame of that height, its points numbered as the player above counts if turned.
func (p *painter) ground(turned bool, full int) {
	t := &p.theme
	p.rect("frame", t.Frame, 0, 0, fullWidth, full, 10)
	p.rect("felt", t.Felt, p.left(), p.top, boardWidth, boardHeight, 2)
	p.rect("bar", t.Bar, p.left()+6*pointWidth, p.top, barWidth, boardHeight, 0)
	for _, x := range [...]int{frame, fullWidth - frame - sideWidth} {
		p.rect("tray", t.Tray, x, p.top, sideWidth, boardHeight, 4)
	}
	for n := 1; n <= 24; n++ {
		p.triangle(n)
		shown := n
		if turned {
			shown = 25 - n
		}
		p.pointNumber(n, shown)
	}
}

// stacked is where a checker is drawn; label is the count of its point if it is the last of more
// than are drawn, else 0.
type stacked struct{ x, y, label int }

// stacks are the checkers of a side that are drawn.
func (p *painter) stacks(side int) (out []stacked) {
	for n, count := range p.side[side] {
		shown := min(int(count), stackLimit)
		for k := range shown {
			x, y := p.spot(side, n, k)
			label := 0
			if k == shown-1 && (count > stackLimit || n == board.Bar && count > 2) {
				label = int(count)
			}
			out = append(out, stacked{x, y, label})
		}
	}
	return out
}

// borneOff is how many checkers a side has borne off, none of an empty board.
func (p *painter) borneOff(side int) int {
	me, opp := p.Rules.Off(&p.Situation.Position)
	switch {
	case p.side[below].Count()+p.side[above].Count() == 0:
		return 0
	case side != p.mover():
		return opp
	}
	return me
}

// left is where the felt begins.
func (p *painter) left() int { return 2*frame + sideWidth }

// pointX is the middle of point n (1 to 24, of the player below).
func (p *painter) pointX(n int) int {
	column := 12 - n // from the left, in the lower half
	if n > 12 {
		column = n - 13
	}
	if p.HomeLeft {
		column = 11 - column
	}
	x := p.left() + column*pointWidth + pointWidth/2
	if column >= 6 {
		x += barWidth
	}
	return x
}

// edge is the outer edge of a half, and inward the direction away from it.
func (p *painter) edge(lower bool) (y, inward int) {
	if lower {
		return p.top + boardHeight, -1
	}
	return p.top, 1
}

func (p *painter) triangle(n int) {
	class, fill := "point-a", p.theme.PointA
	if n%2 == 0 {
		class, fill = "point-b", p.theme.PointB
	}
	x := p.pointX(n)
	y, inward := p.edge(n <= 12)
	p.put(`<path class="bg-%s" d="M%d %dh%dL%d %dz" fill="%s"/>`, class, x-pointWidth/2+1, y, pointWidth-2, x, y+inward*pointTall, fill)
}

// pointNumber writes a number at point n.
func (p *painter) pointNumber(n, shown int) {
	y, _ := p.edge(n <= 12)
	ty := y - 6
	if n <= 12 {
		ty = y + 14
	}
	p.text("number", p.pointX(n), ty, 12, "middle", p.theme.Text, fmt.Sprint(shown))
}

// text writes text, escaped, with its base line at y.
func (p *painter) text(class string, x, y, size int, anchor, fill, text string) {
	p.put(`<text class="bg-%s" x="%d" y="%d" font-size="%d" text-anchor="%s" fill="%s">%s</text>`, class, x, y, size, anchor, fill, clean(text))
}

// spot is the middle of the k-th checker of a side on its own point n (0 to 23), on
// the bar (24) or borne off (-1).
func (p *painter) spot(side, n, k int) (x, y int) {
	middle := p.top + halfHeight
	switch n {
	case board.Off:
		edge, inward := p.edge(side == below)
		return p.offX() + sideWidth/2, edge + inward*(8+12*k)
	case board.Bar: // checkers enter from the far side, so they are drawn in that half
		y := middle - 34 - 2*radius*k
		if side == above {
			y = middle + 34 + 2*radius*k
		}
		return p.left() + 6*pointWidth + barWidth/2, y
	}
	own := n + 1
	if side == above {
		own = 24 - n
	}
	edge, inward := p.edge(own <= 12)
	return p.pointX(own), edge + inward*(radius+1+(2*radius-1)*k)
}

// colours are those of a side's checkers and of what is written on them.
func (p *painter) colours(side int) (class, fill, ink string) {
	owner := "bg-me"
	if side != p.mover() {
		owner = "bg-opp"
	}
	if (side == p.mover()) == p.Dark {
		return "bg-dark " + owner, p.theme.Dark, p.theme.Light
	}
	return "bg-light " + owner, p.theme.Light, p.theme.Dark
}

// checker draws one checker; label is how many stand there, 0 for nothing.
func (p *painter) checker(side, x, y, label int) {
	class, fill, ink := p.colours(side)
	p.put(`<circle class="%s" cx="%d" cy="%d" r="%d" fill="%s" stroke="%s" stroke-width="1.2"/>`, class, x, y, radius-1, fill, p.theme.Edge)
	p.put(`<circle cx="%d" cy="%d" r="%d" fill="none" stroke="%s" stroke-width="1" stroke-opacity=".22"/>`, x, y, radius-6, ink)
	if label > 0 {
		p.text("count", x, y+6, 17, "middle", ink, fmt.Sprint(label))
	}
}

// offX is where the tray of checkers borne off begins.
func (p *painter) offX() int {
	if p.HomeLeft {
		return frame
	}
	return fullWidth - frame - sideWidth
}

// off draws the checkers that a side has borne off, seen from their edge.
func (p *painter) off(side int) {
	class, fill, _ := p.colours(side)
	for k := range p.borneOff(side) {
		x, y := p.spot(side, board.Off, k)
		p.put(`<rect class="bg-off %s" x="%d" y="%d" width="%d" height="10" rx="2" fill="%s" stroke="%s"/>`, class, x-sideWidth/2+5, y-5, sideWidth-10, fill, p.theme.Edge)
	}
}

// stripPlace is the base line of what is written about a side, and which of Names it has.
func (p *painter) stripPlace(side int) (y, who int) {
	y = 20
	if side == below {
		y = 2*p.top + boardHeight - 10
	}
	if side != p.mover() {
		who = 1
	}
	return y, who
}

// strip writes a side's name, pip count and score.
func (p *painter) strip(side int) {
	if !p.strips() {
		return
	}
	y, who := p.stripPlace(side)
	st := &p.Situation.State
	if name := p.Names[who]; name != "" {
		p.text("text bg-name", p.left(), y, 16, "start", p.theme.Text, shorten(name, maxName))
	}
	if p.Pips {
		p.text("text bg-pips", fullWidth/2, y, 15, "middle", p.theme.Text, p.Texts.T("{0} pips", p.side[side].Pips()))
	}
	if st.Length > 0 {
		score := p.Texts.T("{0} of {1}", st.Score[who], st.Length)
		if st.Crawford && st.Score[who] == st.Length-1 {
			score += p.Texts.T(" (Crawford)")
		}
		p.text("text bg-score", fullWidth-p.left(), y, 16, "end", p.theme.Text, score)
	}
}

// maxName is how many letters of a name fit.
const maxName = 24

func shorten(name string, letters int) string {
	if utf8.RuneCountInString(name) <= letters {
		return name
	}
	return string([]rune(name)[:letters-1]) + "…"
}

// clean escapes text and leaves out what XML cannot hold.
func clean(text string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError || r == 0xfffe || r == 0xffff || r == 0x7f {
			return -1
		}
		return r
	}, text))
}
