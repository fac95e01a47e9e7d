package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"fibsbot/engine/record"
)

// smallest is the loss from which a decision is in the list of errors; the page shows
// those from Doubtful on unless it is asked for more.
const smallest = 0.02

var markSigns = map[string]string{"doubtful": "?!", "bad": "?", "very_bad": "??"}

func esc(s string) string { return template.HTMLEscapeString(s) }

// errors lists what lost equity, in the order of the match.
func (b *pageBuilder) errors() {
	add := func(list *[]string, s string) {
		if s != "" && !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for i := range b.all {
		d := &b.all[i]
		if d.Error < smallest && d.Mark == "" {
			continue
		}
		e := htmlError{
			Step: d.n, Game: d.game + 1, Player: d.Player, Name: b.m.Players[d.Player].Name, Kind: "cube", Fault: d.Fault,
			Phase: d.Phase, Plan: d.Plan, Dice: strings.TrimSpace(diceWord(d.Dice)), Played: d.Played, Best: d.Best,
			Loss: fmt.Sprintf("%.3f", d.Error), Size: fmt.Sprintf("%.4f", d.Error), Mark: d.Mark, Sign: markSigns[d.Mark], Small: d.Mark == "",
		}
		if d.Kind == "checker" {
			e.Kind = "checker"
		}
		if d.ErrorMWC != nil {
			e.MWC = fmt.Sprintf("%.2f%%", 100**d.ErrorMWC)
		}
		add(&b.page.ErrorPhases, d.Phase)
		add(&b.page.ErrorPlans, d.Plan)
		add(&b.page.ErrorFaults, d.Fault)
		b.page.Errors = append(b.page.Errors, e)
	}
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
	out := htmlRolls{Name: b.m.Players[p].Name}
	roll := func(d *step) htmlRoll {
		return htmlRoll{Step: d.n, Game: d.game + 1, Dice: strings.TrimSpace(diceWord(d.Dice)), Play: d.Played, Luck: printed(*d.Luck)}
	}
	for k := 0; k < min(5, len(list)) && *list[k].Luck > 0; k++ {
		out.Best = append(out.Best, roll(list[k]))
	}
	for k := len(list) - 1; k >= max(0, len(list)-5) && *list[k].Luck < 0; k-- {
		out.Worst = append(out.Worst, roll(list[k]))
	}
	return out
}

// phoneColumn is how many letters of a play a column of a sheet holds on a phone before it
// takes a second line.
const phoneColumn = 18

// sheet is a game in two columns, a link for each decision; lines and phone are how many
// lines it takes on a screen and on a phone, from which the browser knows its height before
// it lays it out.
func (b *pageBuilder) sheet(i int) (sheet template.HTML, lines, phone int) {
	var out strings.Builder
	var row [2]string
	n := 0
	flush := func() {
		if row != [2]string{} {
			n++
			phone += max(1, (max(letters(row[0]), letters(row[1]))+phoneColumn-1)/phoneColumn)
			fmt.Fprintf(&out, "<tr><th>%d<td>%s<td>%s\n", n, row[0], row[1])
			row = [2]string{}
		}
	}
	put := func(p int, cell string) {
		if row[p] != "" || p == 0 && row[1] != "" {
			flush()
		}
		row[p] = cell
	}
	for k := range b.s.Games[i].Decisions {
		t := &b.s.Games[i].Decisions[k].Turn
		cell := ""
		if c := b.cubes[i][t.Index]; c > 0 {
			cell = b.link(c, "◇", " q")
		}
		switch t.Action.Kind {
		case record.Double:
			cube := max(t.State.Cube, 1) << (t.Pending + 1)
			word := beavers[min(t.Pending, 2)]
			cell = b.link(b.first[i][t.Index], fmt.Sprintf("%ss to %d", word, cube), "")
		case record.Take:
			cell = b.link(b.first[i][t.Index], "Takes", "")
		case record.Drop:
			cell = b.link(b.first[i][t.Index], "Passes", "")
		case record.Move:
			d := &b.all[b.first[i][t.Index]-1]
			cell += b.link(d.n, fmt.Sprintf("%d%d: %s", d.Dice[0], d.Dice[1], strings.Replace(d.Played, "cannot move", "–", 1)), "") + luckSign(d.luck)
		case record.Roll:
			cell = esc(fmt.Sprintf("%d%d:", t.Action.Dice.A, t.Action.Dice.B))
		case record.SetUp:
			cell = "<i>position set up</i>"
		}
		put(t.Player, cell)
	}
	if c := b.first[i][-1]; c > 0 {
		put(b.all[c-1].Player, b.link(c, "Resigns", ""))
	}
	flush()
	return template.HTML(out.String()), n, phone
}

// letters counts what of a piece of HTML is seen.
func letters(s string) (n int) {
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

// link leads to a step and shows its mark.
func (b *pageBuilder) link(n int, text, class string) string {
	d := &b.all[n-1]
	if d.illegal {
		text += " (illegal)"
	}
	note := ""
	if d.Comment != "" {
		note = `<i class=cm title="comment">❝</i>`
	}
	if s := markSigns[d.Mark]; s != "" {
		return fmt.Sprintf(`<a href=#d%d class="%s%s">%s<b>%s</b></a>%s`, n, d.Mark, class, esc(text), s, note)
	}
	if class != "" {
		return fmt.Sprintf(`<a href=#d%d class="%s">%s</a>%s`, n, strings.TrimSpace(class), esc(text), note)
	}
	return fmt.Sprintf(`<a href=#d%d>%s</a>%s`, n, esc(text), note)
}

func luckSign(l int8) string {
	switch l {
	case 2:
		return `<i class=up title="very lucky">▲▲</i>`
	case 1:
		return `<i class=up title="lucky">▲</i>`
	case -1:
		return `<i class=dn title="unlucky">▼</i>`
	case -2:
		return `<i class=dn title="very unlucky">▼▼</i>`
	}
	return ""
}

// articles are all steps with their boards.
func (b *pageBuilder) articles() template.HTML {
	var out strings.Builder
	for i := range b.all {
		b.article(&out, &b.all[i])
	}
	return template.HTML(out.String())
}

// marks has a letter for each step: very bad, bad, doubtful or o.
func (b *pageBuilder) marks() string {
	out := make([]byte, len(b.all))
	for i := range b.all {
		out[i] = cmp.Or(b.all[i].Mark, "ok")[0]
	}
	return string(out)
}

func (b *pageBuilder) article(out *strings.Builder, d *step) {
	put := func(format string, args ...any) { fmt.Fprintf(out, format, args...) }
	mark := d.Mark
	if mark == "" {
		mark = "ok"
	}
	put("<article id=d%d class=%s><h3><i class=%s></i>%s <small>%d.%d%s</small></h3>", d.n, mark, [2]string{"l", "d"}[d.Player],
		esc(headline(d, b.m.Players[d.Player].Name)), d.game+1, d.Number, b.scoreWord(d))
	put("<div class=brd>%s</div><div class=txt>", b.board(d))
	b.verdict(out, d)
	if len(d.Candidates) > 0 && !(d.turn.Turn.Forced && len(d.Candidates) == 1) {
		b.candidates(out, d)
	}
	if d.Cube != nil {
		b.cubeTable(out, d.Row)
	}
	if d.cube != nil && d.cube.Cube != nil {
		c := d.cube.Cube
		put("<p class=was>Before the roll: %s <small>(no double %s, double %s)</small>", esc(c.Words()), printed(c.NoDouble), printed(min(c.DoubleTake, c.DoublePass)))
	}
	if d.Luck != nil {
		put("<p class=roll>Luck of the roll: %s %s", printed(*d.Luck), luckSign(d.luck))
	}
	put("<p class=kind>%s", d.Phase)
	if d.Plan != d.Phase {
		put(" · %s", d.Plan)
	}
	if d.Comment != "" {
		put("<blockquote>%s</blockquote>", strings.ReplaceAll(esc(strings.TrimSpace(d.Comment)), "\n", "<br>"))
	}
	put("<p class=ids><code>%s</code><code>%s:%s</code><code>%s</code></div></article>\n", d.XGID, d.PositionID, d.MatchID, d.OGID)
}

// headline is what a step asks of the player called name.
func headline(d *step, name string) string {
	switch {
	case d.Kind == "checker":
		return fmt.Sprintf("%s %d%d", record.Does(name, "play"), d.Dice[0], d.Dice[1])
	case d.Kind == "resign":
		return record.Does(name, "resign") + strings.TrimPrefix(d.Played, "resigns")
	case d.Kind == "take":
		return name + ": take or pass?"
	case d.Played == "Beaver" || d.Played == "Raccoon":
		return name + ": " + strings.ToLower(d.Played)
	case d.Cube != nil && d.Cube.Redouble:
		return name + ": redouble?"
	}
	return name + ": double?"
}

func (b *pageBuilder) scoreWord(d *step) string {
	if b.m.Length == 0 {
		return ""
	}
	g := &b.m.Games[d.game]
	out := fmt.Sprintf(" · %d-away, %d-away", b.m.Length-g.Score[0], b.m.Length-g.Score[1])
	if g.Crawford {
		out += ", Crawford"
	}
	return out
}

// board draws a step with its arrows.
func (b *pageBuilder) board(d *step) string {
	drawn := d.Diagram(b.m)
	if d.Kind != "checker" {
		return drawn.Compact(nil)
	}
	drawn.Arrows = d.turn.Turn.Play.Steps[:d.turn.Turn.Play.N]
	if best := d.BetterSteps(); best != nil || d.Depth == "" && !d.turn.Turn.Forced {
		return drawn.Compact(best) // of what nobody judged there is the play made alone
	}
	return drawn.Compact(drawn.Arrows)
}

func (b *pageBuilder) verdict(out *strings.Builder, d *step) {
	put := func(format string, args ...any) { fmt.Fprintf(out, format, args...) }
	switch {
	case d.Kind == "resign":
		return
	case d.Kind == "checker" && d.turn.Turn.Forced:
		put("<p class=vd><b>%s</b> <span>forced</span>", esc(d.Played))
	case d.Depth == "":
		put("<p class=vd><b>%s</b> <span>not analysed</span>", esc(d.Played))
	case d.beaver():
		put("<p class=vd><b>%s</b> <span>not counted</span>", esc(d.Played))
		if d.Best != d.Played {
			put("<br>better <b class=bt>%s</b>", esc(d.Best))
		}
	case d.beaverNote(b.m) != "":
		put("<p class=vd><b>%s</b> <span>not counted: %s</span><br>better <b class=bt>Beaver</b>", esc(d.Played), d.beaverNote(b.m))
	case d.Error < 0.0005:
		put("<p class=vd><b>%s</b> <span class=good>✓ best</span>", esc(d.Played))
	default:
		word := map[string]string{"doubtful": "doubtful", "bad": "error", "very_bad": "blunder"}[d.Mark]
		put("<p class=vd><b>%s</b> <span class=%s>−%.3f %s %s</span>", esc(d.Played), cmp.Or(d.Mark, "slight"), d.Error, markSigns[d.Mark], word)
		if d.ErrorMWC != nil {
			put(" <span class=mwc>−%.2f%% match</span>", 100**d.ErrorMWC)
		}
		put("<br>better <b class=bt>%s</b>", esc(d.Best))
		if d.Fault != "" {
			put(" <span class=ft>%s</span>", d.Fault)
		}
	}
}

// maxChoices is how many plays a step shows; the play made is always among them.
const maxChoices = 5

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
		diff, se := "", ""
		if k > 0 {
			diff = printed(c.Equity - d.Candidates[0].Equity)
		}
		if c.StdErr > 0 {
			se = fmt.Sprintf(" ±%.3f", c.StdErr)
		}
		fmt.Fprintf(out, "<tr%s><th>%d<td>%s<td class=n>%s%s<td class=n>%s<td class=c>%s<td class=c>%s<td class=p>%s", class, k+1, esc(c.Play), printed(c.Equity), se,
			diff, percents(c.Probs[0], c.Probs[1], c.Probs[2]), percents(1-c.Probs[0], c.Probs[3], c.Probs[4]), esc(c.Depth))
	}
	out.WriteString("</table>")
	for _, w := range d.rollouts() {
		fmt.Fprintf(out, "<p class=ro>Rolled out %s", esc(w))
	}
}

// percents writes chances as 61.2 · 14.0 · 0.3.
func percents(v ...float64) string {
	var w []string
	for _, x := range v {
		w = append(w, fmt.Sprintf("%.1f", 100*x))
	}
	return strings.Join(w, " · ")
}

func (b *pageBuilder) cubeTable(out *strings.Builder, d *Row) {
	c := d.Cube
	put := func(format string, args ...any) { fmt.Fprintf(out, format, args...) }
	match := c.MWC != nil
	put("<table class=cube><thead><tr><th>Cube<th class=n>EMG<th class=n>Diff")
	if match {
		put("<th class=n>MWC<th class=n>Diff")
	}
	put("<tbody>")
	no, yes := "No double", "Double"
	if c.Redouble {
		no, yes = "No redouble", "Redouble"
	}
	values := [3]float64{c.NoDouble, c.DoubleTake, c.DoublePass}
	// What follows from the proper action: the rows are compared with it.
	act := actionOf(c.Action)
	proper := 0
	if act.Double() {
		proper = 2
		if act.Take() {
			proper = 1
		}
	}
	for k, name := range [3]string{no, yes + ", take", yes + ", pass"} {
		class, diff, mdiff := "", printed(values[k]-values[proper]), ""
		if k == d.done(proper) {
			class = " class=me"
		}
		if match {
			mdiff = percentDiff(c.MWC[k] - c.MWC[proper])
		}
		if k == proper {
			name, diff, mdiff = "<b class=best>"+name+"</b>", "", ""
		}
		se := ""
		if k < 2 && c.StdErr[k] > 0 {
			se = fmt.Sprintf(" ±%.3f", c.StdErr[k])
		}
		put("<tr%s><td>%s<td class=n>%s%s<td class=n>%s", class, name, printed(values[k]), se, diff)
		if match {
			put("<td class=n>%.2f%%<td class=n>%s", 100*c.MWC[k], mdiff)
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
	if c.ProbsTak != c.Probs && c.ProbsTak != [5]float64{} {
		put("<p class=ch>%s without a double %s<br>with it %s", esc(who), line(c.Probs), line(c.ProbsTak))
	} else {
		put("<p class=ch>%s %s", esc(who), line(c.Probs))
	}
}

// done is the row of a cube table, of which proper is the best one, that tells what was
// done, -1 at a beaver.
func (d *Row) done(proper int) int {
	switch {
	case d.beaver():
		return -1
	case d.Played == "Take":
		return 1
	case d.Played == "Pass":
		return 2
	case strings.HasPrefix(d.Played, "No "):
		return 0
	case proper > 0:
		return proper
	case d.Cube.DoubleTake > d.Cube.DoublePass:
		return 2
	}
	return 1
}

func percentDiff(v float64) string {
	if v > -0.00005 && v < 0.00005 {
		return "0.00%"
	}
	return typographic(fmt.Sprintf("%+.2f%%", 100*v))
}

// printed is an equity as pages show it: signed, with the minus sign of print.
func printed(x float64) string { return typographic(signed(x)) }

// typographic turns the hyphens of numbers into minus signs.
func typographic(s string) string { return strings.ReplaceAll(s, "-", "−") }
