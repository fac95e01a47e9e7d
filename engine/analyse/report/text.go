package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"

	"fibsbot/engine/analyse"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/internal/figure"
	"fibsbot/internal/texts"
)

// situation returns position, cube and dice before a decision, as IDs show them.
func situation(j *analyse.Judged) match.Situation {
	s := match.Situation{Position: j.Turn.Position, State: j.Turn.State}
	switch j.Turn.Action.Kind {
	case record.Move, record.Roll:
		s.Dice = j.Turn.Action.Dice
	case record.Double, record.Take, record.Drop:
		// The player on roll is the first doubler, who waits, in beavers too.
		if j.Turn.First() != j.Turn.Player {
			s.Position, s.State = s.Position.Swap(), s.State.Swap()
		}
		s.Doubled = j.Turn.Action.Kind != record.Double || j.Turn.Pending > 0
	}
	return s
}

// TextOptions are the options of a text report.
type TextOptions struct {
	Boards bool             // draw the board of each decision
	All    bool             // list every decision of the match, not only the marked ones
	Plays  int              // plays listed a decision, 0 is 4; the play made is always listed
	Texts  *texts.Catalogue // language, nil for English
	Why    Why              // reasons of errors, nil for none
	Also   Also             // another engine, nil for none
	Part                    // figures and decisions of this alone
}

// WriteText writes the summary of a match, and below it every marked decision with its
// candidates, as o says. The summary is of the whole match; if it is nil, it is made from the
// analysis in m. The error is w's, wraps ErrPart, or means that m is nil or that the summary
// is of another match.
func WriteText(w io.Writer, m *record.Match, s *analyse.Summary, o TextOptions) error {
	if err := o.Check(m); err != nil {
		return err
	}
	s, err := summaryOf(m, s)
	if err != nil {
		return err
	}
	t := &textReport{m: m, s: s, o: o, c: o.Texts}
	t.head()
	t.table()
	t.decisions()
	_, err = io.WriteString(w, t.b.String())
	return err
}

type textReport struct {
	b strings.Builder
	m *record.Match
	s *analyse.Summary
	o TextOptions
	c *texts.Catalogue
}

func (t *textReport) line(format string, args ...any) { fmt.Fprintf(&t.b, format+"\n", args...) }

// folded writes a line of a decision, in several where a terminal of 80 columns is too
// narrow.
func (t *textReport) folded(indent int, text string) {
	const wide = 80
	for {
		r := []rune(text)
		room := wide - indent
		if len(r) <= room {
			break
		}
		at := strings.LastIndex(string(r[:room+1]), " ")
		if at < room/2 {
			break // one long word
		}
		t.line("%*s%s", indent, "", strings.TrimRight(text[:at], " "))
		indent, text = max(indent, 8), strings.TrimLeft(text[at:], " ")
	}
	t.line("%*s%s", indent, "", text)
}

func (t *textReport) head() {
	m, c := t.m, t.c
	score := m.FinalScore()
	t.line("%s: %s %d, %s %d%s", m.TitleIn(c), c.Who(m.Players[0].Name), score[0], c.Who(m.Players[1].Name), score[1], suffix(", ", c.Date(m.Date)))
	about := suffix(", ", m.Event) + suffix(", ", m.Round) + suffix(", ", m.Place)
	if m.Annotator != "" {
		about += ", " + c.T("annotated by {0}", m.Annotator)
	}
	if about = strings.TrimPrefix(about, ", "); about != "" {
		t.folded(0, about)
	}
	for _, l := range analyse.JudgeLines(m, c) {
		t.folded(0, l)
	}
	for i := range t.s.Games {
		g := &t.s.Games[i]
		if !t.o.shows(i, t.o.Player-1) {
			continue
		}
		res := c.T("unfinished")
		if g.Result.Finished() {
			res = Won(c, m.Players[g.Result.Winner].Name, g.Result.Points)
			res += HowEnded(c, &m.Games[i])
		}
		t.line("  %s: %s", c.T("Game {0} at {1}-{2}", i+1, g.Score[0], g.Score[1]), res)
	}
	t.line("")
}

func suffix(sep, s string) string {
	if s == "" {
		return ""
	}
	return sep + s
}

func (t *textReport) table() {
	both, c := []int{0, 1}, t.c
	if t.o.Player > 0 {
		both = both[t.o.Player-1 : t.o.Player]
	}
	put := func(name string, value func(p int) string) {
		line := name + strings.Repeat(" ", max(0, 36-columns(name)))
		for _, p := range both {
			line += fmt.Sprintf(" %21s", value(p)) // 80 columns
		}
		t.line("%s", line)
	}
	put(c.T("Player"), func(p int) string { return clip(c.Who(t.m.Players[p].Name), 21) })
	t.line("")
	for _, r := range summaryRows(t.m, t.o.summary(t.m, t.s), c) {
		if r.Group {
			t.line("%s", r.Name)
			continue
		}
		put("  "+r.Name, func(p int) string { return r.Values[p] })
	}
	by := t.o.summary(t.m, t.s).ByPhase(nil)
	_, adjusted := t.s.PhaseResults(t.m, nil, t.o.Game)
	headed := false
	for ph := range analyse.Phase(analyse.Phases) {
		a, b := &by[0][ph], &by[1][ph]
		if a.Decisions+b.Decisions+a.Rolls+b.Rolls == 0 {
			continue
		}
		if !headed {
			t.line("%s", c.T("By phase: PR, luck in EMG, result less luck"))
			headed = true
		}
		put("  "+texts.Capital(c.Phrase(ph.String())), func(p int) string {
			v, luck := &by[p][ph], c.T(unknown)
			if v.Rolls > 0 {
				luck = c.Number(signed(v.Luck.EMG))
			}
			result := orUnknown(c, adjusted[ph]*float64(1-2*p), func(x float64) string {
				if t.m.Length > 0 {
					return figure.Signed(100*x, 2) + "%"
				}
				return signed(x)
			})
			return fmt.Sprintf("%6s %6s %7s", performance(c, v.PR()), luck, result)
		})
	}
}

// columns is how many columns of a terminal a text takes: letters of East Asia take two.
func columns(text string) (n int) {
	for _, r := range text {
		if n++; r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff || r >= 0xff00 && r <= 0xff60 {
			n++
		}
	}
	return n
}

// clip cuts a name to a column.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// decisions lists the marked decisions, or all of them.
func (t *textReport) decisions() {
	n, left := 0, mostReasons
	for i := range t.s.Games {
		if t.o.Game > 0 && i != t.o.Game-1 {
			continue
		}
		list := t.o.Also.asked(t.o.Why.explained(Rows(t.m, t.s, i, nil), &left))
		if t.o.All {
			g := &t.s.Games[i]
			t.line("\n%s, %s %d, %s %d", t.c.T("Game {0}", i+1), t.c.Who(t.m.Players[0].Name), g.Score[0], t.c.Who(t.m.Players[1].Name), g.Score[1])
		}
		for k := range list {
			d := &list[k]
			if !t.o.shows(i, d.Player) || !t.o.All && d.Mark == "" && !d.open && d.Also == nil {
				continue
			}
			if d.Kind == "double" && d.turn.Turn.Action.Kind == record.Move && d.quiet() {
				continue // an obvious decision not to double
			}
			if n == 0 && !t.o.All && !d.open {
				t.line("\n%s", t.c.T("Errors"))
			}
			n++
			t.decision(i+1, d)
		}
	}
	x, y := &t.s.Players[0], &t.s.Players[1]
	switch {
	case n > 0:
	case x.Known() || y.Known():
		t.line("\n%s", t.c.T("No marked errors."))
	default:
		t.line("\n%s", t.c.T("This match has not been analysed."))
	}
}

// decision writes one with its candidates and chances.
func (t *textReport) decision(game int, d *Row) {
	verdict, tr := "", t.c
	if d.open {
		verdict = tr.T("best {0}", tr.Phrase(d.Best))
	}
	if d.Loss() >= 0.0005 {
		verdict = ", " + tr.T("better {0}", tr.Phrase(d.Best)) + tr.Format(" (%.3f", -d.Loss())
		if d.ErrorMWC != nil {
			verdict += ", " + tr.T("{0} MWC", tr.Format("%.2f%%", -100**d.ErrorMWC))
		}
		if d.Mark != "" {
			verdict += ", " + tr.Phrase(strings.ReplaceAll(d.Mark, "_", " "))
		}
		verdict += ")"
	}
	luck := ""
	if t.o.All && d.luck != 0 {
		luck = ", " + tr.T("luck {0}", tr.Number(signed(*d.Luck)))
	}
	if d.Mark != "" || !t.o.All {
		t.line("") // the marked ones stand out
	}
	t.folded(2, fmt.Sprintf("%-5s %s%s: %s%s%s", fmt.Sprintf("%d.%d", game, d.Number), tr.Who(t.m.Players[d.Player].Name), diceWord(d.Dice), tr.Phrase(d.Played), verdict, luck))
	t.line("        %s:%s", d.PositionID, d.MatchID)
	if t.o.Boards && d.turn != nil {
		for _, l := range t.m.Rules.Board().Draw(d.turn.Turn.Position) {
			t.line("      %s", l)
		}
	}
	if d.Comment != "" && t.o.All {
		t.line("       \"%s\"", strings.ReplaceAll(strings.TrimSpace(d.Comment), "\n", "\n        "))
	}
	t.judged(d)
	if d.Reason != "" {
		t.folded(7, d.Reason)
	}
	if d.Also != nil {
		t.folded(7, d.Also.text(tr))
	}
	for k := range d.Beside {
		v := &d.Beside[k]
		t.folded(7, tr.T("Before the rollout: {0}", v.judge(tr)))
		t.judged(v.of(d))
	}
}

// judged writes the results of a cube decision or the plays, with their chances.
func (t *textReport) judged(d *Row) {
	tr := t.c
	if c := d.Cube; c != nil {
		t.line("       %s (%s)", tr.Phrase(c.Words()), tr.Counted(d.Depth))
		for _, l := range c.Lines() {
			mwc := ""
			if l.MWC != nil {
				mwc = tr.Format("  %6.2f%%", 100**l.MWC)
			}
			name := tr.Phrase(strings.ToLower(l.Name))
			t.line("         %s%s %s%s%s", name, strings.Repeat(" ", max(0, 14-columns(name))), tr.Number(figure.Text("%+.3f", l.Equity)), tr.Number(plusMinus(l.StdErr)), mwc)
		}
		t.line("         %s", tr.Number(chances(c.Probs)))
		if w := c.wrongAnswer(tr); w != "" {
			t.folded(9, w)
		}
		if w := d.beaverNote(t.m, tr); w != "" {
			t.folded(9, w)
		}
	}
	for k := range d.Candidates {
		if k >= cmp.Or(t.o.Plays, 4) && k != d.shown || len(d.Candidates) == 1 {
			continue
		}
		c, star := &d.Candidates[k], " "
		if k == d.shown {
			star = "*"
		}
		diff := ""
		if k > 0 {
			diff = figure.Text("(%+.3f)", c.Equity-d.Candidates[0].Equity)
		}
		rank := " ??"
		if c.place > 0 {
			rank = fmt.Sprintf("%2d.", c.place)
		}
		t.line("  %s%-3s %-20s %s %8s %s %s%s", star, rank, tr.Phrase(c.Play), tr.Number(figure.Text("%+.3f", c.Equity)), tr.Number(diff), tr.Number(chances(c.Probs)), tr.Counted(c.Depth), tr.Number(plusMinus(c.StdErr)))
	}
	for _, w := range d.rollouts() {
		t.folded(9, tr.T("rolled out {0}", tr.List(w)))
	}
}

// WriteDecision writes one decision of game number game, a row of Rows, with its board,
// comment, candidates and chances, in the language of c. The error is w's.
func WriteDecision(w io.Writer, m *record.Match, game int, d *Row, c *texts.Catalogue) error {
	if m == nil || d == nil {
		return errNoMatch
	}
	t := &textReport{m: m, o: TextOptions{Boards: true, All: true}, c: c}
	t.decision(game, d)
	_, err := io.WriteString(w, t.b.String())
	return err
}

// plusMinus writes a standard error after its value, or nothing if e is not positive.
func plusMinus(e float64) string {
	if e <= 0 {
		return ""
	}
	return fmt.Sprintf(" ±%.3f", e)
}

// chances are win, gammon and backgammon of both sides in per cent.
func chances(p [5]float64) string {
	at := func(format string, v float64) string { return figure.Text(format, 100*v) }
	return at("%4.1f ", p[0]) + at("%4.1f ", p[1]) + at("%3.1f - ", p[2]) + at("%4.1f ", 1-p[0]) + at("%4.1f ", p[3]) + at("%3.1f", p[4])
}

func diceWord(d []int) string {
	if len(d) != 2 {
		return ""
	}
	return fmt.Sprintf(" %d%d", d[0], d[1])
}

// Won is the sentence on who won how many points.
func Won(c *texts.Catalogue, name string, points int) string {
	if points == 1 {
		return c.Does(name, texts.Key("{0} wins 1 point"), texts.Key("you win 1 point"))
	}
	return c.Does(name, texts.Key("{0} wins {1} points"), texts.Key("you win {1} points"), points)
}

// HowEnded is what follows Won of a game that did not end on the board or by a pass.
func HowEnded(c *texts.Catalogue, g *record.Game) string {
	switch {
	case g.GivenUp():
		return c.T(" by resignation")
	case g.Result.Finished() && g.Result.Resigned:
		return c.T(", not played to the end")
	}
	return ""
}

// Plays is the sentence on who plays which dice.
func Plays(c *texts.Catalogue, name string, dice []int) string {
	return c.Does(name, texts.Key("{0} plays {1}"), texts.Key("you play {1}"), fmt.Sprintf("%d%d", dice[0], dice[1]))
}

// resigns is the sentence on who resigns what; played is that of the row.
func resigns(c *texts.Catalogue, name, played string) string {
	switch played {
	case "resigns a gammon":
		return c.Does(name, texts.Key("{0} resigns a gammon"), texts.Key("you resign a gammon"))
	case "resigns a backgammon":
		return c.Does(name, texts.Key("{0} resigns a backgammon"), texts.Key("you resign a backgammon"))
	case "resigns":
		return c.Does(name, texts.Key("{0} resigns"), texts.Key("you resign"))
	}
	return c.Does(name, texts.Key("{0} resigns"), texts.Key("you resign")) + c.Phrase(played)
}

// marker is a text of page.html and page.css.
var marker = regexp.MustCompile(`\[\[(.+?)\]\]`)

// translated puts texts in the language of c into a source, each as write writes it.
func translated(source string, c *texts.Catalogue, write func(string) string) string {
	return marker.ReplaceAllStringFunc(source, func(found string) string { return write(c.T(found[2 : len(found)-2])) })
}

// cssText makes a text fit for a string of a style sheet.
func cssText(text string) string {
	return strings.NewReplacer(`\`, ``, `"`, ``, "\n", " ", "\r", " ", "\f", " ", "<", ``).Replace(text)
}

// templateText makes a text fit for the source of a template of HTML.
func templateText(text string) string { return strings.ReplaceAll(esc(text), "{", "&#123;") }

// startScript is the last line of the script of a page, with the texts that it needs.
func startScript(c *texts.Catalogue) string {
	if c == nil {
		return "review(document);"
	}
	list := map[string]string{}
	for _, found := range inScript.FindAllStringSubmatch(scriptSource, -1) {
		list[found[1]] = c.T(found[1])
	}
	data, err := json.Marshal(list) // escapes < and >
	if err != nil {
		panic(err) // a map of texts
	}
	return "review(document,{texts:" + string(data) + "});"
}

// inScript finds the texts of page.js.
var inScript = regexp.MustCompile(`say\(\s*"([^"]+)"`)

// Keys returns the texts of the page, its style and its script, for the list of all texts.
func Keys() (out []string) {
	for _, found := range marker.FindAllStringSubmatch(pageSource+styleSource+indexHead+indexPlayers+indexMatches+indexFoot, -1) {
		out = append(out, found[1])
	}
	for _, found := range inScript.FindAllStringSubmatch(scriptSource, -1) {
		out = append(out, found[1])
	}
	return out
}

// markSigns are how players write that a decision was wrong, by the words of a Row.Mark.
var markSigns = map[string]string{"doubtful": "?!", "bad": "?", "very_bad": "??"}

// esc makes text fit for HTML.
func esc(s string) string { return template.HTMLEscapeString(s) }

// markup is HTML in the making. Texts of the match file and of the language file are escaped as
// they enter it; only a template.HTML can bring a tag.
type markup struct{ strings.Builder }

// put adds a format with its arguments, each escaped unless it is a template.HTML.
func (m *markup) put(format string, args ...any) { m.WriteString(string(escaped(format, args...))) }

func (m *markup) html() template.HTML { return template.HTML(m.String()) }

// escaped is fmt.Sprintf with the arguments escaped unless they are a template.HTML.
func escaped(format string, args ...any) template.HTML {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = esc(text)
		}
	}
	return template.HTML(fmt.Sprintf(format, args...))
}

// slot stands for the markup in a text that markupIn completes.
const slot = "\x01"

// markupIn is a text, escaped, with inner at its slot.
func markupIn(text string, inner template.HTML) template.HTML {
	return template.HTML(strings.ReplaceAll(esc(text), slot, string(inner)))
}

// luckSign is an arrow or two for the luck of a roll, nothing for ordinary dice.
func luckSign(c *texts.Catalogue, l int8) template.HTML {
	switch l {
	case 2:
		return escaped(`<i class=up title="%s">▲▲</i>`, c.T("very lucky"))
	case 1:
		return escaped(`<i class=up title="%s">▲</i>`, c.T("lucky"))
	case -1:
		return escaped(`<i class=dn title="%s">▼</i>`, c.T("unlucky"))
	case -2:
		return escaped(`<i class=dn title="%s">▼▼</i>`, c.T("very unlucky"))
	}
	return ""
}

// percents writes chances as 61.2 · 14.0 · 0.3.
func percents(c *texts.Catalogue, v ...float64) string {
	var w []string
	for _, x := range v {
		w = append(w, c.Number(figure.Text("%.1f", 100*x)))
	}
	return strings.Join(w, " · ")
}

// percentDiff is a difference of chances as pages show it.
func percentDiff(c *texts.Catalogue, v float64) string {
	return c.Number(typographic(figure.Signed(100*v, 2) + "%"))
}

// printed is an equity as pages show it: signed, with the minus sign of print.
func printed(c *texts.Catalogue, x float64) string { return c.Number(typographic(signed(x))) }

// typographic turns the hyphens of numbers into minus signs.
func typographic(s string) string { return strings.ReplaceAll(s, "-", "−") }
