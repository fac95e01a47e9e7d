package diagram

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// cubeSize is the length of the cube's edges.
const cubeSize = 34

// cube draws the cube: in the middle at its side of the board, before the player who
// owns it, or offered on the felt.
func (p *painter) cube() {
	s := &p.Situation
	if s.State.Cube < 1 || s.State.Crawford {
		return
	}
	x, y, shown := p.cubePlace()
	size := map[int]int{1: 20, 2: 19, 3: 15}[len(shown)]
	size = cmp.Or(size, 11)
	p.put(`<rect class="bg-cube" x="%d" y="%d" width="%d" height="%d" rx="5" fill="%s" stroke="%s" stroke-width="1.2"/>`,
		x-cubeSize/2, y-cubeSize/2, cubeSize, cubeSize, p.theme.Cube, p.theme.Edge)
	p.text("cube-value", x, y+size*7/20, size, "middle", p.theme.CubeText, shown)
}

// cubePlace returns the middle of the cube and its label.
func (p *painter) cubePlace() (x, y int, shown string) {
	s := &p.Situation
	x, y, value := frame+sideWidth/2, p.top+halfHeight, s.State.Cube
	if p.HomeLeft {
		x = fullWidth - x
	}
	owner := p.mover()
	if s.State.Owner == match.Theirs {
		owner = 1 - owner
	}
	switch {
	case s.Doubled:
		x, value = p.diceX(1-p.mover()), 2*value // before the opponent, who must answer
	case s.State.Owner == match.Centred:
	case owner == below:
		y += halfHeight - cubeSize/2 - 8
	default:
		y -= halfHeight - cubeSize/2 - 8
	}
	if shown = fmt.Sprint(value); value == 1 {
		shown = "64" // the cube begins with its 64 on top
	}
	return x, y, shown
}

// diceX is the middle of the half in which a side's dice lie: the one on the right of
// who sits there.
func (p *painter) diceX(side int) int {
	x := 9*pointWidth + barWidth
	if side == above {
		x = 3 * pointWidth
	}
	return p.left() + x
}

// dice draws the roll in the colour of its player.
func (p *painter) dice() {
	d := p.Situation.Dice
	if !d.Valid() {
		return
	}
	const size, gap = 34, 10
	class, fill, ink := p.colours(p.mover())
	sorted := d.Sorted()
	for k, n := range [...]uint8{sorted.A, sorted.B} {
		x := p.diceX(p.mover()) - size - gap/2 + k*(size+gap)
		y := p.top + halfHeight - size/2
		p.put(`<rect class="bg-die %s" x="%d" y="%d" width="%d" height="%d" rx="7" fill="%s" stroke="%s" stroke-width="1.2"/>`, class, x, y, size, size, fill, p.theme.Edge)
		for _, pip := range pips[n] {
			p.put(`<circle class="bg-pip" cx="%d" cy="%d" r="3.4" fill="%s"/>`, x+size/2+9*pip[0], y+size/2+9*pip[1], ink)
		}
	}
}

// pips are the spots of each die face, in steps from the middle.
var pips = [7][][2]int{
	1: {{0, 0}},
	2: {{-1, -1}, {1, 1}},
	3: {{-1, -1}, {0, 0}, {1, 1}},
	4: {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}},
	5: {{-1, -1}, {1, -1}, {0, 0}, {-1, 1}, {1, 1}},
	6: {{-1, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {1, 1}},
}

// leg is the way of one step, from the middle of a checker to its destination.
type leg struct{ x0, y0, x1, y1 float64 }

// arrows draws the steps of a play, each from the checker that moves to the place
// where it comes to stand. Steps that the position does not allow are not drawn.
func (p *painter) arrows() {
	colours := [...]string{p.theme.Made, p.theme.Minor, p.theme.Both, p.theme.Better}
	if len(p.legs(p.Better)) == 0 {
		colours = [4]string{p.theme.Arrow, p.theme.Arrow}
	}
	for _, a := range p.compared() {
		p.arrow(a.leg, colours[a.kind])
	}
}

// The kinds of arrow where two plays are compared.
const (
	madeArrow = iota
	minorArrow
	bothArrow
	betterArrow
)

type arrow struct {
	leg
	kind int
}

// compared are the arrows of Arrows and Better, one where both make the same step.
func (p *painter) compared() (out []arrow) {
	made, better := p.legs(p.Arrows), p.legs(p.Better)
	for _, l := range made {
		kind := madeArrow
		if slices.Contains(better, l) {
			kind = bothArrow
		} else if p.Minor {
			kind = minorArrow
		}
		out = append(out, arrow{l, kind})
	}
	for _, l := range better {
		if !slices.Contains(made, l) {
			out = append(out, arrow{l, betterArrow})
		}
	}
	return out
}

func (p *painter) legs(steps []board.Step) (out []leg) {
	side := p.mover()
	mine, theirs := p.side[side], p.side[1-side]
	gone, _ := p.Rules.Off(&p.Situation.Position)
	for _, step := range steps {
		from, to := int(step.From), int(step.To)
		if from < 0 || from > board.Bar || to < board.Off || to >= board.Bar || mine[from] == 0 {
			continue
		}
		mine[from]--
		x0, y0 := p.spot(side, from, min(int(mine[from]), stackLimit-1))
		k := gone
		if to == board.Off {
			gone++
		} else {
			if theirs[23-to] == 1 {
				theirs[23-to] = 0 // hit
			}
			k = min(int(mine[to]), stackLimit-1)
			mine[to]++
		}
		x1, y1 := p.spot(side, to, k)
		out = append(out, leg{float64(x0), float64(y0), float64(x1), float64(y1)})
	}
	return out
}

// bend is the control point of the curve along a leg: off the middle, towards the
// middle of the board. False when the leg has no length.
func (p *painter) bend(l leg) (cx, cy float64, ok bool) {
	length := math.Hypot(l.x1-l.x0, l.y1-l.y0)
	if length < 1 {
		return 0, 0, false
	}
	bend := 0.12 * length
	if mid := float64(p.top + halfHeight); (l.y0+l.y1)/2 > mid == (l.x1 > l.x0) {
		bend = -bend
	}
	return (l.x0+l.x1)/2 - bend*(l.y1-l.y0)/length, (l.y0+l.y1)/2 + bend*(l.x1-l.x0)/length, true
}

// arrow draws one arrow, bent a little so that two between the same points differ
// from their neighbours' lines.
func (p *painter) arrow(l leg, colour string) {
	const head, width = 14.0, 4.0
	cx, cy, ok := p.bend(l)
	if !ok {
		return
	}
	x0, y0, x1, y1 := l.x0, l.y0, l.x1, l.y1
	// The head points the way in which the curve arrives.
	dx, dy := x1-cx, y1-cy
	norm := math.Hypot(dx, dy)
	if norm < 1 {
		return
	}
	dx, dy = dx/norm, dy/norm
	bx, by := x1-head*dx, y1-head*dy
	p.put(`<g class="bg-arrow" stroke="%s" fill="%s" opacity=".9">`, colour, colour)
	p.put(`<path d="M%.1f %.1fQ%.1f %.1f %.1f %.1f" fill="none" stroke-width="%.0f" stroke-linecap="round"/>`, x0, y0, cx, cy, bx, by, width)
	p.put(`<path d="M%.1f %.1fL%.1f %.1fL%.1f %.1fz" stroke="none"/></g>`, x1, y1, bx-0.5*head*dy, by+0.5*head*dx, bx+0.5*head*dy, by-0.5*head*dx)
}

// Steps are the steps of a play as arrows.
func Steps(p board.Play) []board.Step { return p.Steps[:p.N] }

// Theme is the colours of a drawing, as SVG writes them.
type Theme struct {
	Felt, Frame, Bar, Tray string
	PointA, PointB         string // of the odd and the even points
	Light, Dark            string // checkers
	Edge                   string // around checkers, dice and the cube
	Cube, CubeText         string
	Text                   string // numbers, names and scores
	Arrow                  string
	// Arrows where two plays are compared: the one made, the same where it loses little, the
	// better one, and what both have in common.
	Made, Minor, Better, Both string
}

// Plain is a theme of fixed colours, for files: it needs nothing but the drawing.
var Plain = Theme{
	Felt: "#e9e4d4", Frame: "#6b4f35", Bar: "#8a6b4a", Tray: "#8a6b4a",
	PointA: "#b98b5e", PointB: "#d8c3a5", Light: "#fbf8f0", Dark: "#3b3530", Edge: "#222222",
	Cube: "#fbf8f0", CubeText: "#222222", Text: "#f3ead8", Arrow: "#1d6fa5",
	Made: "#c8472f", Minor: "#b07a00", Better: "#2f7fc1", Both: "#3d8f4e",
}

// Night is Plain for a dark page.
var Night = Theme{
	Felt: "#3a372f", Frame: "#171512", Bar: "#2a2823", Tray: "#2a2823",
	PointA: "#6f5238", PointB: "#8d7859", Light: "#f1ece0", Dark: "#14120f", Edge: "#000000",
	Cube: "#f1ece0", CubeText: "#222222", Text: "#b9b09c", Arrow: "#6fb7e0",
	Made: "#ff7d63", Minor: "#e3b341", Better: "#6cb7f0", Both: "#79c98a",
}

// Variables takes its colours from CSS variables of the page, --felt, --frame, --bar,
// --tray, --pointa, --pointb, --light, --dark, --edge, --cube, --cubetext, --boardtext,
// --arrow, --made, --minor, --best and --same, and those of Plain where a page does not say. One drawing then serves
// light, dark and print.
var Variables = Theme{
	Felt: css("felt", Plain.Felt), Frame: css("frame", Plain.Frame), Bar: css("bar", Plain.Bar), Tray: css("tray", Plain.Tray),
	PointA: css("pointa", Plain.PointA), PointB: css("pointb", Plain.PointB),
	Light: css("light", Plain.Light), Dark: css("dark", Plain.Dark), Edge: css("edge", Plain.Edge),
	Cube: css("cube", Plain.Cube), CubeText: css("cubetext", Plain.CubeText),
	Text: css("boardtext", Plain.Text), Arrow: css("arrow", Plain.Arrow),
	Made: css("made", Plain.Made), Minor: css("minor", Plain.Minor), Better: css("best", Plain.Better), Both: css("same", Plain.Both),
}

func css(name, fallback string) string { return "var(--" + name + "," + fallback + ")" }
