package report

import (
	"fmt"
	"html/template"
	"strings"

	"fibsbot/engine/record"
	"fibsbot/internal/texts"
)

// Size of the curve in SVG units.
const (
	curveWidth  = 720
	curveHeight = 170
	curveLeft   = 44  // the labels are before it, on a narrow screen in bigger letters
	curveDigit  = 12  // width of a digit there
	curveDots   = 100 // errors beyond that many hide the curve: it shows the blunders alone
)

// curve draws how the player at the bottom stood after each decision, as match winning
// chance or, in money play, as equity; empty when nothing was analysed. Each value is
// that of the play made. The SVG tells in data-at which step each value belongs to.
func (b *pageBuilder) curve() (template.HTML, string) {
	lo, hi := 0.0, 1.0
	me := b.m.Players[b.me].Name
	title := b.c.Does(me, texts.Key("Match winning chance of {0}"), texts.Key("Your match winning chance"))
	if b.m.Length == 0 {
		lo, hi = -2, 2
		title = b.c.Does(me, texts.Key("Equity of {0}"), texts.Key("Your equity"))
	}
	var values []float64
	var at []int
	starts := map[int]int{} // index of a value: the game that begins there
	game := -1
	for i := range b.all {
		d := &b.all[i]
		if d.Kind != "checker" || d.shown < 0 {
			continue
		}
		v, st := d.Candidates[d.shown].Equity, d.turn.Turn.State
		if b.m.Length > 0 {
			v = b.t.MWC(st, v)
			if d.Player != b.me {
				v = 1 - v
			}
		} else if d.Player != b.me {
			v = -v
		}
		if d.game != game {
			game = d.game
			starts[len(values)] = game + 1
		}
		values, at = append(values, max(lo, min(hi, v))), append(at, d.n)
	}
	if w := b.m.Winner(); w != record.NoPlayer && len(values) > 0 {
		values, at = append(values, map[bool]float64{true: 1}[w == b.me]), append(at, len(b.all))
	}
	if len(values) < 2 {
		return "", title
	}
	x := func(i int) float64 { return curveLeft + float64(i)*(curveWidth-curveLeft-10)/float64(len(values)-1) }
	y := func(v float64) float64 { return 10 + (hi-v)/(hi-lo)*(curveHeight-20) }
	var s markup
	s.put(`<svg class="curve" viewBox="0 0 %d %d" role="group" data-left="%d" data-right="%d" data-at="%s" aria-label="%s">`,
		curveWidth, curveHeight, curveLeft, curveWidth-10, strings.Trim(fmt.Sprint(at), "[]"), title)
	for _, v := range []float64{lo, (lo + hi) / 2, hi} {
		label := typographic(strings.TrimPrefix(fmt.Sprintf("%+.0f", v), map[bool]string{true: "+"}[v == 0]))
		if lo == 0 {
			label = b.c.Format("%.0f%%", 100*v)
		}
		s.put(`<line class=g x1=%d x2=%d y1="%.1f" y2="%.1f" /><text x=0 y="%.1f">%s</text>`, curveLeft, curveWidth-10, y(v), y(v), y(v)+4, label)
	}
	free := 0.0 // from where on there is room for the next number of a game
	for i := range values {
		g := starts[i]
		if g == 0 {
			continue
		}
		s.put(`<line class="g v" x1="%.1f" x2="%.1f" y1=10 y2=%d />`, x(i), x(i), curveHeight-10)
		if x(i) >= free {
			s.put(`<text class=g x="%.1f" y=%d>%d</text>`, x(i)+3, curveHeight-12, g)
			free = x(i) + 8 + float64(len(fmt.Sprint(g)))*curveDigit
		}
	}
	middle := y((lo + hi) / 2)
	s.put(`<path class=area d="M%.1f %.1f`, x(0), middle)
	for i, v := range values {
		s.put("L%.1f %.1f", x(i), y(v))
	}
	s.put(`L%.1f %.1fz"/><polyline points="`, x(len(values)-1), middle)
	for i, v := range values {
		s.put("%.1f,%.1f ", x(i), y(v))
	}
	s.WriteString(`"/>`)
	b.dots(&s, at, func(i int) (float64, float64) { return x(i), y(values[i]) })
	s.WriteString(`<line class=now y1=10 y2=160 x1=-9 x2=-9 /></svg>`)
	return s.html(), title
}

// dots are the errors on the curve, which lead to their steps: at has the step of each value,
// place where it is drawn.
func (b *pageBuilder) dots(s *markup, at []int, place func(i int) (x, y float64)) {
	bad, blunders := 0, 0
	for _, n := range at {
		switch b.all[n-1].Mark {
		case "bad":
			bad++
		case "very_bad":
			blunders++
		}
	}
	r := 4.0
	if blunders > curveDots {
		r = 2.5
	}
	for i, n := range at {
		if d := &b.all[n-1]; d.Mark == "very_bad" || d.Mark == "bad" && bad+blunders <= curveDots {
			x, y := place(i)
			s.put(`<a href="#d%d" aria-label="%d.%d %s"><circle class=%s cx="%.1f" cy="%.1f" r=%g /></a>`, d.n, d.game+1, d.Number, markSigns[d.Mark], d.Mark, x, y, r)
		}
	}
}
