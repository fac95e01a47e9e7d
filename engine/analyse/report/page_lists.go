package report

import (
	"cmp"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/internal/texts"
)

// smallest is the loss from which a decision is in the list of errors; the page shows
// those from Doubtful on unless it is asked for more.
const smallest = 0.02

// errors lists what lost equity, in the order of the match.
func (b *pageBuilder) errors() {
	add := func(list *[]htmlOption, s string) {
		o := htmlOption{Value: s, Text: b.c.Phrase(s)}
		if o.Text == s && list != &b.page.ErrorFaults {
			o.Value = ""
		}
		if s != "" && !slices.Contains(*list, o) {
			*list = append(*list, o)
		}
	}
	for i := range b.all {
		d := &b.all[i]
		if d.Loss() < smallest && d.Mark == "" {
			continue
		}
		e := htmlError{
			Step: d.n, Game: d.game + 1, Player: d.Player ^ b.me, Name: b.c.Who(b.m.Players[d.Player].Name), Kind: "cube", Fault: d.Fault,
			Phase: d.Phase, Plan: d.Plan, Dice: strings.TrimSpace(diceWord(d.Dice)), Played: b.c.Phrase(d.Played), Best: b.c.Phrase(d.Best),
			Loss: b.c.Format("%.3f", d.Loss()), Size: fmt.Sprintf("%.4f", d.Loss()), Mark: d.Mark, Sign: markSigns[d.Mark], Small: d.Mark == "",
		}
		if d.Kind == "checker" {
			e.Kind = "checker"
		}
		if d.ErrorMWC != nil {
			e.MWC = b.c.Format("%.2f%%", 100**d.ErrorMWC)
		}
		e.About = b.c.Phrase(d.Phase) + ", " + b.c.Phrase(d.Plan)
		if d.Fault != "" {
			e.About = b.c.Phrase(d.Fault) + ", " + e.About
		}
		add(&b.page.ErrorPhases, d.Phase)
		add(&b.page.ErrorPlans, d.Plan)
		add(&b.page.ErrorFaults, d.Fault)
		b.page.Errors = append(b.page.Errors, e)
	}
}

// mostWorst is how many decisions the page opens with.
const mostWorst = 3

// worst are the marked decisions that lost most, with what was better and why.
func (b *pageBuilder) worst() template.HTML {
	var list []*step
	for i := range b.all {
		if d := &b.all[i]; d.Mark != "" {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(x, y *step) int { return cmp.Compare(y.Loss(), x.Loss()) })
	var out markup
	for _, d := range list[:min(len(list), mostWorst)] {
		out.put("<li><a href=\"#d%d\">%s</a> <small>%d.%d%s</small>", d.n, headline(b.c, d, b.m.Players[d.Player].Name), d.game+1, d.Number, b.scoreWord(d))
		b.verdict(&out, d)
		out.put("</li>\n")
	}
	return out.html()
}

// rolls are a player's luckiest and unluckiest, five each.
func (b *pageBuilder) rolls(p int) htmlRolls {
	var list []*step
	for i := range b.all {
		if d := &b.all[i]; d.Player == p && d.Luck != nil {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(x, y *step) int { return cmp.Compare(*y.Luck, *x.Luck) })
	out := htmlRolls{Name: b.c.Who(b.m.Players[p].Name)}
	roll := func(d *step) htmlRoll {
		return htmlRoll{Step: d.n, Where: b.c.T("game {0}", d.game+1), Dice: strings.TrimSpace(diceWord(d.Dice)), Play: b.c.Phrase(d.Played), Luck: printed(b.c, *d.Luck)}
	}
	for k := 0; k < min(5, len(list)) && *list[k].Luck > 0; k++ {
		out.Best = append(out.Best, roll(list[k]))
	}
	for k := len(list) - 1; k >= max(0, len(list)-5) && *list[k].Luck < 0; k-- {
		out.Worst = append(out.Worst, roll(list[k]))
	}
	return out
}

// marks has a letter for each step: very bad, bad, doubtful or o, a capital for the player at
// the top.
func (b *pageBuilder) marks() string {
	out := make([]byte, len(b.all))
	for i := range b.all {
		d := &b.all[i]
		if out[i] = cmp.Or(d.Mark, "ok")[0]; d.Player != b.me {
			out[i] -= 'a' - 'A'
		}
	}
	return string(out)
}

// places are the numbers of the steps in their games, as in "1,2,4;1,3".
func (b *pageBuilder) places() string {
	games := make([][]string, len(b.s.Games))
	for i := range b.all {
		d := &b.all[i]
		games[d.game] = append(games[d.game], fmt.Sprint(d.Number))
	}
	out := make([]string, len(games))
	for i, g := range games {
		out[i] = strings.Join(g, ",")
	}
	return strings.Join(out, ";")
}

// maxChoices is how many plays a step shows; the play made is always among them.
const maxChoices = 5

// candidates is the table of the plays of a step.
func (b *pageBuilder) candidates(out *markup, d *step) {
	out.put("<table class=cand><thead><tr><th>#<th>%s<th class=n>%s<th class=n>%s<th>%s<th>%s<th>%s<tbody>", b.c.T("Play|a column of plays"), b.c.T("Equity"), b.c.T("Diff"),
		b.c.T("Win · gammon · bg"), b.c.T("Lose · gammon · bg"), b.c.T("Depth"))
	for k := range d.Candidates {
		if k >= maxChoices && k != d.shown {
			continue
		}
		c := &d.Candidates[k]
		var class template.HTML
		if k == d.shown {
			class = " class=me"
		}
		diff := ""
		if k > 0 {
			diff = printed(b.c, c.Equity-d.Candidates[0].Equity)
		}
		out.put("<tr%s data-to=%q><th>%d<td>%s<td class=n>%s%s<td class=n>%s<td class=c>%s<td class=c>%s<td class=p>%s", class, b.after(d, d.steps[k]), k+1, b.c.Phrase(c.Play), printed(b.c, c.Equity), b.c.Number(plusMinus(c.StdErr)),
			diff, percents(b.c, c.Probs[0], c.Probs[1], c.Probs[2]), percents(b.c, 1-c.Probs[0], c.Probs[3], c.Probs[4]), b.c.Counted(c.Depth))
	}
	out.WriteString("</table>")
	for _, w := range d.rollouts() {
		out.put("<p class=ro>%s", b.c.T("Rolled out {0}", b.c.List(w)))
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
func (b *pageBuilder) cubeTable(out *markup, d *Row) {
	c, tr := d.Cube, b.c
	match := c.MWC != nil
	out.put("<table class=cube><thead><tr><th>%s<th class=n>EMG<th class=n>%s", tr.T("Cube"), tr.T("Diff"))
	if match {
		out.put("<th class=n>%s<th class=n>%s", tr.T("MWC"), tr.T("Diff"))
	}
	out.put("<tbody>")
	lines, proper, done := c.Lines(), c.proper(), d.done()
	for k, l := range lines {
		name, diff, mdiff := escaped("%s", tr.Phrase(l.Name)), printed(tr, l.Equity-lines[proper].Equity), ""
		var class template.HTML
		if k == done {
			class = " class=me"
		}
		if match {
			mdiff = percentDiff(tr, *l.MWC-*lines[proper].MWC)
		}
		if k == proper {
			name, diff, mdiff = "<b class=best>"+name+"</b>", "", ""
		}
		out.put("<tr%s><td>%s<td class=n>%s%s<td class=n>%s", class, name, printed(tr, l.Equity), tr.Number(plusMinus(l.StdErr)), diff)
		if match {
			out.put("<td class=n>%s<td class=n>%s", tr.Format("%.2f%%", 100**l.MWC), mdiff)
		}
	}
	out.put("</table><p class=act><b>%s</b> <small>%s</small>", tr.Phrase(c.Words()), tr.Counted(c.depth))
	if c.Dead {
		out.put(" <small>%s</small>", tr.T("the cube is dead"))
	}
	if d.beaver() {
		out.put(" <small>%s</small>", tr.T("values of the first double, by {0}", b.m.Players[d.onRoll].Name))
	}
	if c.Rollout != "" {
		out.put("<p class=ro>%s", tr.T("Rolled out {0}", tr.List(c.Rollout)))
	}
	if w := c.wrongAnswer(tr); w != "" {
		out.put("<p class=ch>%s", texts.Capital(w))
	}
	who := b.m.Players[d.onRoll].Name
	line := func(q [5]float64) string {
		return tr.Does(strings.ToLower(who), texts.Key("wins {1}, loses {2}"), texts.Key("win {1}, lose {2}"), percents(tr, q[0], q[1], q[2]), percents(tr, 1-q[0], q[3], q[4]))
	}
	if c.ProbsTake != c.Probs && c.ProbsTake != [5]float64{} {
		out.put("<p class=ch>%s %s<br>%s %s", tr.T("{0} without a double", tr.Who(who)), line(c.Probs), tr.T("with it"), line(c.ProbsTake))
	} else {
		out.put("<p class=ch>%s %s", tr.Who(who), line(c.Probs))
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

// phoneColumn is how many letters of a play a column of a sheet holds on a phone before it
// takes a second line.
const phoneColumn = 18

// sheet is a game in two columns, the player at the bottom first, a link for each decision; lines and phone are how many
// lines it takes on a screen and on a phone, from which the browser knows its height before
// it lays it out.
func (b *pageBuilder) sheet(i int) (sheet template.HTML, lines, phone int) {
	var out markup
	var row [2]template.HTML
	n := 0
	flush := func() {
		if row != [2]template.HTML{} {
			n++
			phone += max(1, (max(letters(row[0]), letters(row[1]))+phoneColumn-1)/phoneColumn)
			out.put("<tr><th>%d<td>%s<td>%s\n", n, row[0], row[1])
			row = [2]template.HTML{}
		}
	}
	put := func(player int, cell template.HTML) {
		p := player ^ b.me
		if row[p] != "" || p == 0 && row[1] != "" {
			flush()
		}
		row[p] = cell
	}
	for k := range b.s.Games[i].Decisions {
		t := &b.s.Games[i].Decisions[k].Turn
		var cell template.HTML
		if c := b.cubes[i][t.Index]; c > 0 {
			cell = b.link(c, "◇", " q")
		}
		switch t.Action.Kind {
		case record.Double:
			cube := max(t.State.Cube, 1) << (t.Pending + 1)
			cell = b.link(b.first[i][t.Index], b.c.T(raises[min(t.Pending, 2)], cube), "")
		case record.Take:
			cell = b.link(b.first[i][t.Index], b.c.T("Takes"), "")
		case record.Drop:
			cell = b.link(b.first[i][t.Index], b.c.T("Passes"), "")
		case record.Move:
			d := &b.all[b.first[i][t.Index]-1]
			cell += b.link(d.n, fmt.Sprintf("%d%d: %s", d.Dice[0], d.Dice[1], strings.Replace(d.Played, "cannot move", "–", 1)), "") + luckSign(b.c, d.luck)
		case record.Roll:
			cell = escaped("%d%d:", t.Action.Dice.Sorted().A, t.Action.Dice.Sorted().B)
		case record.SetUp:
			cell = escaped("<i>%s</i>", b.c.T("position set up"))
		}
		put(t.Player, cell)
	}
	if c := b.first[i][-1]; c > 0 {
		put(b.all[c-1].Player, b.link(c, b.c.T("Resigns"), ""))
	}
	flush()
	return out.html(), n, phone
}

// raises are the texts of a double by how many doubles wait for their answer.
var raises = [...]string{texts.Key("Doubles to {0}"), texts.Key("Beavers to {0}"), texts.Key("Raccoons to {0}")}

// letters counts what of a piece of HTML is seen.
func letters(s template.HTML) (n int) {
	tag := false
	for _, r := range s {
		switch {
		case r == '<':
			tag = true
		case r == '>':
			tag = false
		case !tag:
			n++
		}
	}
	return n
}

// ownMark is a mark of the user's own, with which a comment begins.
var ownMark = regexp.MustCompile(`^(?:\?\?|\?!|\?|!\?|!!|!)(?:\s|$)`)

// link leads to a step and shows its mark.
func (b *pageBuilder) link(n int, text, class string) template.HTML {
	d := &b.all[n-1]
	if d.illegal {
		text += " " + b.c.T("(illegal)")
	}
	var note template.HTML
	if own := ownMark.FindString(d.Comment); own != "" {
		note = escaped(`<b class=my title="%s">%s</b>`, b.c.T("your mark"), strings.TrimSpace(own))
	}
	if d.Comment != "" {
		note += escaped(`<i class=cm title="%s">❝</i>`, b.c.T("comment"))
	}
	if s := markSigns[d.Mark]; s != "" {
		return escaped(`<a href=#d%d class="%s%s">%s<b>%s</b></a>%s`, n, d.Mark, class, text, s, note)
	}
	if class != "" {
		return escaped(`<a href=#d%d class="%s">%s</a>%s`, n, strings.TrimSpace(class), text, note)
	}
	return escaped(`<a href=#d%d>%s</a>%s`, n, text, note)
}
