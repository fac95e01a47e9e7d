package report

import (
	"fmt"
	"html/template"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Sizes of the drawn board in SVG units.
const (
	pointWidth  = 22
	checkerSize = 20
	boardHeight = 240
	barWidth    = 26
	trayWidth   = 28
	boardWidth  = 12*pointWidth + barWidth + trayWidth
	stackLimit  = 5
)

// BoardSVG draws a position seen by the player on roll (light checkers, playing
// towards the lower right), with dice when they are rolled and the cube where it
// lies. Colours come from CSS variables of the page, with defaults of their own,
// so that one drawing serves light, dark and print. title is read aloud.
func BoardSVG(s match.Situation, title string) template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="board" viewBox="0 0 %d %d" role="img" xmlns="http://www.w3.org/2000/svg"><title>%s</title>`,
		boardWidth, boardHeight, template.HTMLEscapeString(title))
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="4" fill="var(--felt,#e9e4d4)"/>`, boardWidth, boardHeight)
	fmt.Fprintf(&b, `<rect x="%d" width="%d" height="%d" fill="var(--bar,#c9bfa5)"/>`, 6*pointWidth, barWidth, boardHeight)
	fmt.Fprintf(&b, `<rect x="%d" width="%d" height="%d" fill="var(--bar,#c9bfa5)"/>`, boardWidth-trayWidth, trayWidth, boardHeight)
	for p := 1; p <= 24; p++ {
		drawPoint(&b, p)
	}
	for i := range 24 {
		drawStack(&b, pointX(i+1), i < 12, int(s.Position.Me[i]), true)
		drawStack(&b, pointX(24-i), i >= 12, int(s.Position.Opp[i]), false)
	}
	bar := 6*pointWidth + barWidth/2
	drawBar(&b, bar, int(s.Position.Me[board.Bar]), true)
	drawBar(&b, bar, int(s.Position.Opp[board.Bar]), false)
	me, opp := s.Position.Off()
	drawOff(&b, me, true)
	drawOff(&b, opp, false)
	drawCube(&b, s)
	drawDice(&b, s.Dice)
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

// pointX is the middle of own point p (1 to 24).
func pointX(p int) int {
	k := 12 - p // lower half, from the left
	if p > 12 {
		k = p - 13
	}
	x := k*pointWidth + pointWidth/2
	if k >= 6 {
		x += barWidth
	}
	return x
}

func drawPoint(b *strings.Builder, p int) {
	x, fill := pointX(p), "var(--pointa,#b98b5e)"
	if p%2 == 0 {
		fill = "var(--pointb,#d8c3a5)"
	}
	y0, y1, ty := boardHeight, boardHeight-100, boardHeight-3
	if p > 12 {
		y0, y1, ty = 0, 100, 9
	}
	fmt.Fprintf(b, `<path d="M%d %dh%dL%d %dz" fill="%s"/>`, x-pointWidth/2, y0, pointWidth, x, y1, fill)
	fmt.Fprintf(b, `<text x="%d" y="%d" font-size="8" text-anchor="middle" fill="var(--ink,#333)" opacity=".7">%d</text>`, x, ty, p)
}

func drawStack(b *strings.Builder, x int, lower bool, n int, mine bool) {
	for k := range min(n, stackLimit) {
		y := 12 + checkerSize/2 + k*(checkerSize-1)
		if lower {
			y = boardHeight - y
		}
		label := ""
		if k == stackLimit-1 && n > stackLimit {
			label = fmt.Sprint(n)
		}
		drawChecker(b, x, y, mine, label)
	}
}

func drawChecker(b *strings.Builder, x, y int, mine bool, label string) {
	fill, ink := "var(--dark,#3b3530)", "#fff"
	if mine {
		fill, ink = "var(--light,#fbf8f0)", "#222"
	}
	fmt.Fprintf(b, `<circle cx="%d" cy="%d" r="%d" fill="%s" stroke="var(--edge,#222)" stroke-width="1"/>`, x, y, checkerSize/2-1, fill)
	if label != "" {
		fmt.Fprintf(b, `<text x="%d" y="%d" font-size="10" text-anchor="middle" fill="%s">%s</text>`, x, y+4, ink, label)
	}
}

// drawBar draws checkers on the bar: they enter from the far side, so mine stand
// in the upper half.
func drawBar(b *strings.Builder, x, n int, mine bool) {
	if n == 0 {
		return
	}
	y := boardHeight/2 - 28
	if !mine {
		y = boardHeight/2 + 28
	}
	label := ""
	if n > 1 {
		label = fmt.Sprint(n)
	}
	drawChecker(b, x, y, mine, label)
}

func drawOff(b *strings.Builder, n int, mine bool) {
	if n <= 0 {
		return
	}
	x := boardWidth - trayWidth + 4
	fill := "var(--dark,#3b3530)"
	if mine {
		fill = "var(--light,#fbf8f0)"
	}
	for k := range n {
		y := 6 + k*6
		if mine {
			y = boardHeight - 11 - k*6
		}
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="5" rx="1" fill="%s" stroke="var(--edge,#222)" stroke-width=".7"/>`, x, y, trayWidth-8, fill)
	}
}

func drawCube(b *strings.Builder, s match.Situation) {
	x, y := boardWidth-trayWidth/2, boardHeight/2
	value := s.State.Cube
	switch {
	case s.Doubled:
		x, value = 3*pointWidth, 2*value
	case s.State.Owner == match.Mine:
		y = boardHeight - 118
	case s.State.Owner == match.Theirs:
		y = 118
	}
	shown := value
	if value <= 1 {
		shown = 64 // the cube begins with its 64 on top
	}
	if value < 1 {
		return
	}
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="20" height="20" rx="3" fill="var(--light,#fbf8f0)" stroke="var(--edge,#222)"/>`, x-10, y-10)
	fmt.Fprintf(b, `<text x="%d" y="%d" font-size="11" text-anchor="middle" fill="#222">%d</text>`, x, y+4, shown)
}

func drawDice(b *strings.Builder, d board.Dice) {
	if !d.Valid() {
		return
	}
	for k, n := range []uint8{d.Sorted().A, d.Sorted().B} {
		x, y := 6*pointWidth+barWidth+3*pointWidth-24+26*k, boardHeight/2-10
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="20" height="20" rx="4" fill="var(--light,#fbf8f0)" stroke="var(--edge,#222)"/>`, x, y)
		for _, pip := range pips[n] {
			fmt.Fprintf(b, `<circle cx="%d" cy="%d" r="2" fill="#222"/>`, x+10+5*pip[0], y+10+5*pip[1])
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
