package report

import (
	"fmt"
	"html/template"
	"strings"

	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Size of the curve in SVG units.
const (
	curveWidth  = 720
	curveHeight = 180
	curveLeft   = 44 // the labels are before it, on a narrow screen in bigger letters
)

// curve is how player 0 stood before each decision, as match winning chance or,
// in money play, as equity.
type curve struct {
	values []float64
	starts []int // index of the first value of each game
	lo, hi float64
}

// follow reads the curve off the analysis: the value of the best play after
// each roll, and of the cube decision before it.
func follow(m *record.Match, t *match.Table) curve {
	c := curve{lo: 0, hi: 1}
	if m.Length == 0 {
		c.lo, c.hi = -2, 2
	}
	for i := range m.Games {
		c.starts = append(c.starts, len(c.values))
		for turn := range m.Turns(&m.Games[i]) {
			a := turn.Action.Analysis
			if a == nil || turn.Action.Kind != record.Move || a.Played < 0 || a.Played >= len(a.Candidates) {
				continue
			}
			v := a.Candidates[a.Played].Outcome.Cubeful
			if m.Length > 0 {
				v = t.MWC(turn.State, v)
				if turn.Player == 1 {
					v = 1 - v
				}
			} else if turn.Player == 1 {
				v = -v
			}
			c.values = append(c.values, max(c.lo, min(c.hi, v)))
		}
	}
	return c
}

// SVG draws the curve; empty when nothing was analysed.
func (c curve) SVG(title string) template.HTML {
	if len(c.values) < 2 {
		return ""
	}
	x := func(i int) float64 { return curveLeft + float64(i)*(curveWidth-curveLeft-10)/float64(len(c.values)-1) }
	y := func(v float64) float64 { return 10 + (c.hi-v)/(c.hi-c.lo)*(curveHeight-20) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="curve" viewBox="0 0 %d %d" role="img" xmlns="http://www.w3.org/2000/svg"><title>%s</title>`,
		curveWidth, curveHeight, template.HTMLEscapeString(title))
	for _, v := range []float64{c.lo, (c.lo + c.hi) / 2, c.hi} {
		label := fmt.Sprintf("%+.0f", v)
		if c.lo == 0 {
			label = fmt.Sprintf("%.0f%%", 100*v)
		}
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="currentColor" opacity=".25"/>`, curveLeft, curveWidth-10, y(v), y(v))
		fmt.Fprintf(&b, `<text x="0" y="%.1f" font-size="10" fill="currentColor">%s</text>`, y(v)+3, label)
	}
	for g, s := range c.starts {
		if s >= len(c.values) {
			continue
		}
		fmt.Fprintf(&b, `<line x1="%.1f" x2="%.1f" y1="10" y2="%d" stroke="currentColor" opacity=".25" stroke-dasharray="3 3"/>`, x(s), x(s), curveHeight-10)
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" font-size="9" fill="currentColor" opacity=".7">%d</text>`, x(s)+3, curveHeight-12, g+1)
	}
	b.WriteString(`<polyline fill="none" stroke="var(--accent,#a33)" stroke-width="2" stroke-linejoin="round" points="`)
	for i, v := range c.values {
		fmt.Fprintf(&b, "%.1f,%.1f ", x(i), y(v))
	}
	b.WriteString(`"/></svg>`)
	return template.HTML(b.String())
}
