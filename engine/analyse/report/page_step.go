package report

import (
	"cmp"
	"fmt"
	"html/template"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/diagram"
	"fibsbot/engine/record"
	"fibsbot/internal/texts"
)

// articles are all steps with their boards.
func (b *pageBuilder) articles() template.HTML {
	var out markup
	for i := range b.all {
		b.article(&out, &b.all[i])
	}
	return out.html()
}

// article is one step: board, verdict, tables, comment and IDs.
func (b *pageBuilder) article(out *markup, d *step) {
	mark := cmp.Or(d.Mark, "ok")
	out.put("<article id=d%d class=%s><h3><i class=%s></i>%s <small>%d.%d%s</small></h3>", d.n, mark, shades[d.Player^b.me],
		headline(b.c, d, b.m.Players[d.Player].Name), d.game+1, d.Number, b.scoreWord(d))
	out.put("<div class=brd>%s</div><div class=txt>", b.board(d))
	b.verdict(out, d)
	if len(d.Candidates) > 0 && !(d.turn.Turn.Forced && len(d.Candidates) == 1) {
		b.candidates(out, d)
	}
	if d.Cube != nil {
		b.cubeTable(out, d.Row)
	}
	for k := range d.Beside {
		was := *d
		was.Row = d.Beside[k].of(d.Row)
		out.put("<p class=was>%s", b.c.T("Before the rollout: {0}", d.Beside[k].judge(b.c)))
		if was.Cube != nil {
			b.cubeTable(out, was.Row)
		} else {
			b.candidates(out, &was)
		}
	}
	if d.cube != nil && d.cube.Cube != nil {
		c := d.cube.Cube
		out.put("<p class=was>%s <small>(%s)</small>", b.c.T("Before the roll: {0}", b.c.Phrase(c.Words())),
			b.c.T("no double {0}, double {1}", printed(b.c, c.NoDouble), printed(b.c, min(c.DoubleTake, c.DoublePass))))
	}
	if d.Luck != nil {
		out.put("<p class=roll>%s %s", b.c.T("Luck of the roll: {0}", printed(b.c, *d.Luck)), luckSign(b.c, d.luck))
	}
	out.put("<p class=kind>%s", b.c.Phrase(d.Phase))
	if d.Plan != d.Phase {
		out.put(" · %s", b.c.Phrase(d.Plan))
	}
	if d.Comment != "" {
		out.put("<blockquote>%s</blockquote>", markupIn(strings.ReplaceAll(strings.TrimSpace(d.Comment), "\n", slot), "<br>"))
	}
	out.put("<p class=ids><code>%s</code><code>%s:%s</code><code>%s</code></div></article>\n", d.XGID, d.PositionID, d.MatchID, d.OGID)
}

// headline is what a step asks of the player called name.
func headline(c *texts.Catalogue, d *step, name string) string {
	who := c.Who(name) + ": "
	switch {
	case d.Kind == "checker":
		return Plays(c, name, d.Dice)
	case d.Kind == "resign":
		return resigns(c, name, d.Played)
	case d.Kind == "take":
		return who + c.T("take or pass?")
	case d.Played == "Beaver" || d.Played == "Raccoon":
		return who + c.Phrase(strings.ToLower(d.Played))
	case d.Cube != nil && d.Cube.Redouble:
		return who + c.T("redouble?")
	}
	return who + c.T("double?")
}

// scoreWord is the score of a step in points to go, nothing in money play.
func (b *pageBuilder) scoreWord(d *step) string {
	if b.m.Length == 0 {
		return ""
	}
	g := &b.m.Games[d.game]
	out := " · " + b.c.T("{0}-away, {1}-away", b.m.Length-g.Score[b.me], b.m.Length-g.Score[1-b.me])
	if g.Crawford {
		out += b.c.T(", Crawford")
	}
	return out
}

// diagram is the board of a step with the arrows of the play made.
func (b *pageBuilder) diagram(d *step) diagram.Diagram {
	drawn := d.Diagram(b.m, b.me, b.c)
	drawn.Title = b.inWords(d)
	if d.Kind == "checker" {
		drawn.Arrows = d.turn.Turn.Play.Steps[:d.turn.Turn.Play.N]
		drawn.Minor = d.Mark == "" || d.Mark == "doubtful"
	}
	return drawn
}

// board draws a step with its arrows.
func (b *pageBuilder) board(d *step) template.HTML {
	drawn := b.diagram(d)
	if d.Kind != "checker" {
		return template.HTML(drawn.Compact(nil))
	}
	if best := d.BetterSteps(); best != nil || d.Depth == "" && !d.turn.Turn.Forced {
		return template.HTML(drawn.Compact(best)) // an unanalysed decision has the play made only
	}
	return template.HTML(drawn.Compact(drawn.Arrows))
}

// inWords is the position of a step for those who do not see the board.
func (b *pageBuilder) inWords(d *step) string {
	side := func(p int, c *board.Checkers) string {
		out := b.c.Who(b.m.Players[p].Name) + ":"
		for n := board.Bar; n >= 0; n-- {
			switch {
			case c[n] == 0:
			case n == board.Bar:
				out += " " + b.c.T("{0} on the bar", c[n])
			default:
				out += " " + b.c.T("{0} on {1}|checkers, point", c[n], n+1)
			}
		}
		return out
	}
	return side(d.onRoll, &d.sit.Position.Me) + "; " + side(1-d.onRoll, &d.sit.Position.Opp)
}

// verdict says what was done, what it gave up and what was better.
func (b *pageBuilder) verdict(out *markup, d *step) {
	c := b.c
	played := c.Phrase(d.Played)
	bold := func(text, inner string) template.HTML {
		return markupIn(text, escaped("<b class=bt>%s</b>", c.Phrase(inner)))
	}
	said := func(text string) { out.put("<p class=vd><b>%s</b> <span>%s</span>", played, text) }
	switch {
	case d.Kind == "resign" && d.Error == nil:
		return
	case d.open:
		out.put("<p class=vd>%s", bold(c.T("best {0}", slot), d.Best))
	case d.Kind == "checker" && d.turn.Turn.Forced:
		said(c.T("forced"))
	case d.Error == nil && d.Depth != "":
		said(c.T("the player's own opinion, not analysed"))
	case d.Depth == "" && d.Kind != "resign":
		said(c.T("not analysed"))
	case d.beaverNote(b.m, c) != "":
		said(c.T("not counted: {0}", d.beaverNote(b.m, c)))
		out.put("<br>%s", bold(c.T("better {0}", slot), "Beaver"))
	case d.Loss() < 0.0005:
		out.put("<p class=vd><b>%s</b> <span class=good>✓ %s</span>", played, c.T("best"))
	default:
		word := map[string]string{"doubtful": c.T("doubtful"), "bad": c.T("error"), "very_bad": c.T("blunder")}[d.Mark]
		out.put("<p class=vd><b>%s</b> <span class=%s>−%s %s %s</span>", played, cmp.Or(d.Mark, "slight"), c.Format("%.3f", d.Loss()), markSigns[d.Mark], word)
		if d.ErrorMWC != nil {
			out.put(" <span class=mwc>%s</span>", c.T("{0} match|of its chances", c.Format("−%.2f%%", 100**d.ErrorMWC)))
		}
		out.put(" <br>%s", bold(c.T("better {0}", slot), d.Best))
		if d.Fault != "" {
			out.put(" <span class=ft>%s</span>", c.Phrase(d.Fault))
		}
	}
	if d.Book.good() {
		out.put(" <span class=ft title=\"%s\">%s</span>", c.T("rolled out: {0} behind {1}", c.Format("%.3f ± %.3f", d.Book.Loss, d.Book.StdErr), d.Book.Best), c.T("book play"))
	}
	if d.Reason != "" {
		out.put("<p class=why>%s", d.Reason)
	}
	if d.Also != nil {
		out.put("<p class=why>%s", d.Also.text(c))
	}
}

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
