package report

import (
	"fmt"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// maxChoices is how many plays a step shows; the play made is always among them.
const maxChoices = 5

// candidates is the table of the plays of a step.
func (b *pageBuilder) candidates(out *strings.Builder, d *step) {
	out.WriteString("<table class=cand><thead><tr><th>#<th>Play<th class=n>Equity<th class=n>Diff<th>Win · gammon · bg<th>Lose · gammon · bg<th>Depth<tbody>")
	for k := range d.Candidates {
		if k >= maxChoices && k != d.shown {
			continue
		}
		c := &d.Candidates[k]
		class := ""
		if k == d.shown {
			class = " class=me"
		}
		diff := ""
		if k > 0 {
			diff = printed(c.Equity - d.Candidates[0].Equity)
		}
		fmt.Fprintf(out, "<tr%s data-to=%q><th>%d<td>%s<td class=n>%s%s<td class=n>%s<td class=c>%s<td class=c>%s<td class=p>%s", class, b.after(d, d.steps[k]), k+1, esc(c.Play), printed(c.Equity), plusMinus(c.StdErr),
			diff, percents(c.Probs[0], c.Probs[1], c.Probs[2]), percents(1-c.Probs[0], c.Probs[3], c.Probs[4]), esc(c.Depth))
	}
	out.WriteString("</table>")
	for _, w := range d.rollouts() {
		fmt.Fprintf(out, "<p class=ro>Rolled out %s", esc(w))
	}
}

// after is the position after a play of the step, in letters: the bar of the player at the
// top, 24 points as the player at the bottom counts, his bar, a capital for his checkers;
// then the checkers borne off, at the bottom and at the top.
func (b *pageBuilder) after(d *step, steps []board.Step) string {
	p := record.Apply(d.turn.Turn.Position, steps)
	low, high := &p.Me, &p.Opp
	if d.Player != b.me {
		low, high = high, low
	}
	row := []byte(strings.Repeat("-", 26))
	for n := range low {
		if c := low[n]; c > 0 {
			row[n+1] = 'A' + c - 1
		}
		if c := high[n]; c > 0 {
			row[24-n] = 'a' + c - 1
		}
	}
	me, opp := b.m.Rules.Board().Off(&p)
	if d.Player != b.me {
		me, opp = opp, me
	}
	return fmt.Sprintf("%s %d %d", row, me, opp)
}

// cubeTable writes the table of the results of a cube decision.
func (b *pageBuilder) cubeTable(out *strings.Builder, d *Row) {
	c := d.Cube
	put := func(format string, args ...any) { fmt.Fprintf(out, format, args...) }
	match := c.MWC != nil
	put("<table class=cube><thead><tr><th>Cube<th class=n>EMG<th class=n>Diff")
	if match {
		put("<th class=n>MWC<th class=n>Diff")
	}
	put("<tbody>")
	lines, proper, done := c.Lines(), c.proper(), d.done()
	for k, l := range lines {
		name, class, diff, mdiff := l.Name, "", printed(l.Equity-lines[proper].Equity), ""
		if k == done {
			class = " class=me"
		}
		if match {
			mdiff = percentDiff(*l.MWC - *lines[proper].MWC)
		}
		if k == proper {
			name, diff, mdiff = "<b class=best>"+name+"</b>", "", ""
		}
		put("<tr%s><td>%s<td class=n>%s%s<td class=n>%s", class, name, printed(l.Equity), plusMinus(l.StdErr), diff)
		if match {
			put("<td class=n>%.2f%%<td class=n>%s", 100**l.MWC, mdiff)
		}
	}
	put("</table><p class=act><b>%s</b> <small>%s</small>", esc(c.Words()), esc(c.depth))
	if c.Dead {
		put(" <small>the cube is dead</small>")
	}
	if d.beaver() {
		put(" <small>values of the first double, by %s</small>", esc(b.m.Players[d.onRoll].Name))
	}
	if c.Rollout != "" {
		put("<p class=ro>Rolled out %s", esc(c.Rollout))
	}
	if w := c.wrongAnswer(); w != "" {
		put("<p class=ch>%s", strings.ToUpper(w[:1])+w[1:])
	}
	who := b.m.Players[d.onRoll].Name
	line := func(q [5]float64) string {
		return fmt.Sprintf("%s %s, %s %s", strings.TrimPrefix(record.Does(who, "win"), who+" "), percents(q[0], q[1], q[2]),
			strings.TrimPrefix(record.Does(who, "lose"), who+" "), percents(1-q[0], q[3], q[4]))
	}
	if c.ProbsTake != c.Probs && c.ProbsTake != [5]float64{} {
		put("<p class=ch>%s without a double %s<br>with it %s", esc(who), line(c.Probs), line(c.ProbsTake))
	} else {
		put("<p class=ch>%s %s", esc(who), line(c.Probs))
	}
}

// done returns the index among the Lines of the cube decision of what was done, with the
// proper answer to a double; -1 at a beaver.
func (d *Row) done() int {
	proper, pass := d.Cube.proper(), len(d.Cube.Lines())-1
	switch {
	case d.open, d.beaver():
		return -1
	case d.Played == "Take":
		return 1
	case d.Played == "Pass":
		return pass
	case strings.HasPrefix(d.Played, "No "):
		return 0
	case proper > 0:
		return proper
	case d.Cube.DoubleTake > d.Cube.DoublePass:
		return pass
	}
	return pass - 1 // the take, or the beaver
}
