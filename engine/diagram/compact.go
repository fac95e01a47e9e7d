package diagram

import (
	"fmt"
	"strings"

	"fibsbot/engine/board"
)

// A page with a thousand boards cannot hold a thousand whole drawings. Compact draws a
// position in about 600 bytes that refer to Symbols, which the page holds once, and to
// CompactStyle in its style sheet. The colours are those of Variables.

// Compact draws the diagram for a page that holds Symbols and CompactStyle. best are the
// steps of another play of the player on roll, drawn beside Arrows in another colour; a
// step that both plays make is drawn once. Width, Theme and HomeLeft are not used.
func (d *Diagram) Compact(best []board.Step) string {
	plain := *d
	plain.HomeLeft = false
	p := newPainter(&plain, Variables)
	p.put(`<svg class=bgb viewBox="0 0 %d %d" role=img`, fullWidth, compactHeight)
	if title := clean(plain.Title); title != "" {
		p.put(` aria-label="%s"`, title) // no tooltip: the pointer is often on the board
	}
	p.put(`>`)
	p.put(`<use href="#bgb%d"/>`, p.mover())
	for side := range 2 {
		p.compactCheckers(side)
		p.compactStrip(side)
	}
	if !plain.NoCube {
		p.compactCube()
	}
	p.compactDice()
	plain.Better = best
	for _, a := range p.compared() {
		p.compactArrow([...]string{"bgm", "bgn", "bgs", "bgt"}[a.kind], a.leg)
	}
	p.put(`</svg>`)
	return p.b.String()
}

const compactHeight = 2*(numberBand+nameBand) + boardHeight

// shade is "l" or "d", the colour of a side's checkers.
func (p *painter) shade(side int) string {
	if (side == p.mover()) == p.Dark {
		return "d"
	}
	return "l"
}

func (p *painter) compactCheckers(side int) {
	var dots, off, counts strings.Builder
	for _, s := range p.stacks(side) {
		fmt.Fprintf(&dots, "%d,%d ", s.x, s.y)
		if s.label > 0 {
			fmt.Fprintf(&counts, `<text class=bgc%s x=%d y=%d>%d</text>`, p.shade(side), s.x, s.y+6, s.label)
		}
	}
	for k := range p.borneOff(side) {
		x, y := p.spot(side, board.Off, k)
		fmt.Fprintf(&off, "%d,%d ", x, y)
	}
	for _, row := range []struct{ class, points string }{{"bg", dots.String()}, {"bgo", off.String()}} {
		if at := strings.TrimSpace(row.points); at != "" {
			p.put(`<polyline class=%s%s points="%s"/>`, row.class, p.shade(side), at)
		}
	}
	p.b.WriteString(counts.String())
}

// stripName is how many letters of a name fit beside the pips, wide ones too.
const stripName = 17

func (p *painter) compactStrip(side int) {
	y, who := p.stripPlace(side)
	if name := p.Names[who]; name != "" {
		p.put(`<use href="#bgx%s" x=%d y=%d /><text x=%d y=%d>%s</text>`, p.shade(side), p.left()+8, y-6, p.left()+22, y, clean(shorten(name, stripName)))
	}
	if p.Pips {
		p.put(`<text class=bgp x=%d y=%d>%s</text>`, fullWidth/2, y, clean(p.Texts.T("{0} pips", p.side[side].Pips())))
	}
	st := &p.Situation.State
	if st.Length > 0 {
		score := p.Texts.T("{0} of {1}", st.Score[who], st.Length)
		if st.Crawford && st.Score[who] == st.Length-1 {
			score += p.Texts.T(", Crawford")
		}
		p.put(`<text class=bge x=%d y=%d>%s</text>`, fullWidth-p.left(), y, clean(score))
	}
}

func (p *painter) compactCube() {
	s := &p.Situation
	if s.State.Cube < 1 || s.State.Crawford {
		return
	}
	x, y, shown := p.cubePlace()
	class := ""
	if len(shown) > 2 {
		class = " bgq" // smaller
	}
	p.put(`<use href="#bgk" x=%d y=%d /><text class="bgv%s" x=%d y=%d>%s</text>`, x, y, class, x, y+7, shown)
}

func (p *painter) compactDice() {
	d := p.Situation.Dice
	if !d.Valid() {
		return
	}
	sorted := d.Sorted()
	for k, n := range [...]uint8{sorted.A, sorted.B} {
		p.put(`<use href="#bg%s%d" x=%d y=%d />`, p.shade(p.mover()), n, p.diceX(p.mover())-22+k*44, p.top+halfHeight)
	}
}

func (p *painter) compactArrow(class string, l leg) {
	if cx, cy, ok := p.bend(l); ok {
		p.put(`<path class=%s d="M%.0f %.0fQ%.0f %.0f %.0f %.0f"/>`, class, l.x0, l.y0, cx, cy, l.x1, l.y1)
	}
}

// Symbols are the parts that Compact refers to: an SVG without size for the beginning of
// a page's body.
func Symbols() string {
	var out strings.Builder
	t := Variables
	out.WriteString(`<svg width="0" height="0" class="bgsym" aria-hidden="true"><defs>`)
	for mover := range 2 {
		p := newPainter(&Diagram{}, t)
		p.ground(mover == above, p.tall()) // as the player who decides counts
		fmt.Fprintf(&out, `<g id="bgb%d">%s</g>`, mover, p.b.String())
	}
	for _, c := range []struct{ shade, fill, ink string }{{"l", t.Light, t.Dark}, {"d", t.Dark, t.Light}} {
		fmt.Fprintf(&out, `<marker id="bgm%s" markerUnits="userSpaceOnUse" markerWidth="40" markerHeight="40" refX="20" refY="20">`+
			`<circle cx="20" cy="20" r="%d" fill="%s" stroke="%s" stroke-width="1.2"/><circle cx="20" cy="20" r="%d" fill="none" stroke="%s" stroke-opacity=".22"/></marker>`,
			c.shade, radius-1, c.fill, t.Edge, radius-6, c.ink)
		fmt.Fprintf(&out, `<marker id="bgf%s" markerUnits="userSpaceOnUse" markerWidth="48" markerHeight="16" refX="24" refY="8">`+
			`<rect x="5" y="3" width="%d" height="10" rx="2" fill="%s" stroke="%s"/></marker>`, c.shade, sideWidth-10, c.fill, t.Edge)
		fmt.Fprintf(&out, `<circle id="bgx%s" r="7" fill="%s" stroke="%s" stroke-width="1.5"/>`, c.shade, c.fill, t.Text)
		for n := 1; n <= 6; n++ {
			fmt.Fprintf(&out, `<g id="bg%s%d"><rect x="-17" y="-17" width="34" height="34" rx="7" fill="%s" stroke="%s" stroke-width="1.2"/>`, c.shade, n, c.fill, t.Edge)
			for _, pip := range pips[n] {
				fmt.Fprintf(&out, `<circle cx="%d" cy="%d" r="3.4" fill="%s"/>`, 9*pip[0], 9*pip[1], c.ink)
			}
			out.WriteString(`</g>`)
		}
	}
	fmt.Fprintf(&out, `<g id="bgk"><rect x="-17" y="-17" width="34" height="34" rx="5" fill="%s" stroke="%s" stroke-width="1.2"/></g>`, t.Cube, t.Edge)
	for _, a := range []struct{ id, fill string }{{"m", css("made", "#c8472f")}, {"n", css("minor", "#b07a00")}, {"t", css("best", "#2f7fc1")}, {"s", css("same", "#3d8f4e")}} {
		fmt.Fprintf(&out, `<marker id="bga%s" orient="auto" markerUnits="userSpaceOnUse" markerWidth="18" markerHeight="18" refX="11" refY="8"><path d="M0 1L15 8L0 15z" fill="%s"/></marker>`, a.id, a.fill)
	}
	out.WriteString(`</defs></svg>`)
	return out.String()
}

// CompactStyle is the part of a style sheet that Compact drawings need.
var CompactStyle = strings.NewReplacer("$light", Variables.Light, "$dark", Variables.Dark, "$text", Variables.Text, "$cubetext", Variables.CubeText).Replace(`
.bgsym{position:absolute}
.bgb{font:16px system-ui,sans-serif;fill:$text;width:100%;height:auto;display:block}
.bgl,.bgd,.bgol,.bgod{fill:none;stroke:none}
.bgl{marker:url(#bgml)}.bgd{marker:url(#bgmd)}.bgol{marker:url(#bgfl)}.bgod{marker:url(#bgfd)}
.bgcl,.bgcd,.bgv{font-size:17px;text-anchor:middle;font-weight:600}.bgcl{fill:$dark}.bgcd{fill:$light}
.bgv{font-size:19px;fill:$cubetext}.bgq{font-size:13px}.bgp{text-anchor:middle}.bge{text-anchor:end}
.bgm,.bgn,.bgt,.bgs{fill:none;stroke-width:4;stroke-linecap:round;opacity:.9}
.bgm{stroke:var(--made,#c8472f);marker-end:url(#bgam);stroke-dasharray:9 7}.bgn{stroke:var(--minor,#b07a00);marker-end:url(#bgan);stroke-dasharray:9 7}.bgt{stroke:var(--best,#2f7fc1);marker-end:url(#bgat)}.bgs{stroke:var(--same,#3d8f4e);marker-end:url(#bgas)}
`)
