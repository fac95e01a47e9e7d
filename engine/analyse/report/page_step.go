package report

import (
	"cmp"
	"fmt"
	"html/template"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
)

// articles are all steps with their boards.
func (b *pageBuilder) articles() template.HTML {
	var out strings.Builder
	for i := range b.all {
		b.article(&out, &b.all[i])
	}
	return template.HTML(out.String())
}

// article is one step: board, verdict, tables, comment and IDs.
func (b *pageBuilder) article(out *strings.Builder, d *step) {
	put := func(format string, args ...any) { fmt.Fprintf(out, format, args...) }
	mark := d.Mark
	if mark == "" {
		mark = "ok"
	}
	put("<article id=d%d class=%s><h3><i class=%s></i>%s <small>%d.%d%s</small></h3>", d.n, mark, shades[d.Player^b.me],
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

// scoreWord is the score of a step in points to go, nothing in money play.
func (b *pageBuilder) scoreWord(d *step) string {
	if b.m.Length == 0 {
		return ""
	}
	g := &b.m.Games[d.game]
	out := fmt.Sprintf(" · %d-away, %d-away", b.m.Length-g.Score[b.me], b.m.Length-g.Score[1-b.me])
	if g.Crawford {
		out += ", Crawford"
	}
	return out
}

// board draws a step with its arrows.
func (b *pageBuilder) board(d *step) string {
	drawn := d.Diagram(b.m, b.me)
	drawn.Title = b.inWords(d)
	if d.Kind != "checker" {
		return drawn.Compact(nil)
	}
	drawn.Arrows = d.turn.Turn.Play.Steps[:d.turn.Turn.Play.N]
	drawn.Minor = d.Mark == "" || d.Mark == "doubtful"
	if best := d.BetterSteps(); best != nil || d.Depth == "" && !d.turn.Turn.Forced {
		return drawn.Compact(best) // an unanalysed decision has the play made only
	}
	return drawn.Compact(drawn.Arrows)
}

// inWords is the position of a step for those who do not see the board.
func (b *pageBuilder) inWords(d *step) string {
	side := func(p int, c *board.Checkers) string {
		out := b.m.Players[p].Name + ":"
		for n := board.Bar; n >= 0; n-- {
			switch {
			case c[n] == 0:
			case n == board.Bar:
				out += fmt.Sprintf(" %d on the bar", c[n])
			default:
				out += fmt.Sprintf(" %d on %d", c[n], n+1)
			}
		}
		return out
	}
	return side(d.onRoll, &d.sit.Position.Me) + "; " + side(1-d.onRoll, &d.sit.Position.Opp)
}

// verdict says what was done, what it gave up and what was better.
func (b *pageBuilder) verdict(out *strings.Builder, d *step) {
	put := func(format string, args ...any) { fmt.Fprintf(out, format, args...) }
	switch {
	case d.Kind == "resign" && d.Error == nil:
		return
	case d.open:
		put("<p class=vd>best <b class=bt>%s</b>", esc(d.Best))
	case d.Kind == "checker" && d.turn.Turn.Forced:
		put("<p class=vd><b>%s</b> <span>forced</span>", esc(d.Played))
	case d.Error == nil && d.Depth != "":
		put("<p class=vd><b>%s</b> <span>the player's own opinion, not analysed</span>", esc(d.Played))
	case d.Depth == "" && d.Kind != "resign":
		put("<p class=vd><b>%s</b> <span>not analysed</span>", esc(d.Played))
	case d.beaverNote(b.m) != "":
		put("<p class=vd><b>%s</b> <span>not counted: %s</span><br>better <b class=bt>Beaver</b>", esc(d.Played), d.beaverNote(b.m))
	case d.Loss() < 0.0005:
		put("<p class=vd><b>%s</b> <span class=good>✓ best</span>", esc(d.Played))
	default:
		word := map[string]string{"doubtful": "doubtful", "bad": "error", "very_bad": "blunder"}[d.Mark]
		put("<p class=vd><b>%s</b> <span class=%s>−%.3f %s %s</span>", esc(d.Played), cmp.Or(d.Mark, "slight"), d.Loss(), markSigns[d.Mark], word)
		if d.ErrorMWC != nil {
			put(" <span class=mwc>−%.2f%% match</span>", 100**d.ErrorMWC)
		}
		put("<br>better <b class=bt>%s</b>", esc(d.Best))
		if d.Fault != "" {
			put(" <span class=ft>%s</span>", d.Fault)
		}
	}
	if d.Book.good() {
		put(" <span class=ft title=\"rolled out: %.3f ± %.3f behind %s\">book play</span>", d.Book.Loss, d.Book.StdErr, esc(d.Book.Best))
	}
}
