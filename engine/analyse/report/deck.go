package report

import (
	"html/template"
	"io"
	"regexp"

	"fibsbot/engine/board"
	"fibsbot/engine/diagram"
	"fibsbot/engine/record"
	"fibsbot/internal/texts"
)

// Card is one card of a deck: a board and a question, with the answer folded away.
type Card struct {
	Board diagram.Diagram
	// Question stands below the board; From says where the position comes from.
	Question, From string
	// Answer has the lines that are folded away, ID the position to copy.
	Answer []string
	ID     string
}

// Diagram draws the decision without arrows: the player me, 0 or 1, at the bottom with the
// light checkers, with words in the language of c.
func (d *Row) Diagram(m *record.Match, me int, c *texts.Catalogue) diagram.Diagram {
	onRoll := d.onRoll
	if m == nil {
		m = &record.Match{}
	}
	return diagram.Diagram{
		Situation: d.sit, Rules: m.Rules.Board(), Names: [2]string{c.Who(m.Players[onRoll].Name), c.Who(m.Players[1-onRoll].Name)}, Pips: true, Texts: c,
		Turned: onRoll != me&1, AsMover: true, Dark: onRoll != me&1, NoCube: m.Rules.NoCube || m.Length == 1,
	}
}

// BetterSteps are the steps of the best play where another was made, nil elsewhere.
func (d *Row) BetterSteps() []board.Step {
	if d.shown <= 0 || len(d.steps) == 0 {
		return nil
	}
	return d.steps[0]
}

// numbers are those below 0 in a line of words and plays.
var numbers = regexp.MustCompile(`([ (])-(\d)`)

// Deck writes a page of cards in the language of c; it needs no script and nothing from
// outside. The error is w's.
func Deck(w io.Writer, cards []Card, c *texts.Catalogue) error {
	var b markup
	title := c.T("Backgammon quiz")
	b.put("<!doctype html>\n<html lang=\"%s\"><head><meta charset=utf-8><meta name=viewport content=\"width=device-width, initial-scale=1\"><title>%s</title>\n<style>", c.Lang(), title)
	b.WriteString(string(style(c)))
	b.WriteString("\n.deck{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(24rem,100%),1fr));gap:1rem;align-items:start}.deck article{background:var(--panel);border:1px solid var(--rule);border-radius:10px;padding:.7rem;content-visibility:auto;contain-intrinsic-size:auto 25rem}.deck p{margin:.4rem 0}summary{cursor:pointer;color:var(--accent)}</style></head><body>")
	b.WriteString(diagram.Symbols())
	b.put("<header><h1>%s</h1><p>%s</p></header><div class=deck>\n", title, c.T("{0} positions", len(cards)))
	for i := range cards {
		card := &cards[i]
		b.put("<article>%s<p><b>%d. %s</b><details><summary>%s</summary>", template.HTML(card.Board.Compact(nil)), i+1, card.Question, c.T("Answer"))
		for k, l := range card.Answer {
			l = numbers.ReplaceAllString(l, "$1−$2")
			if k == 0 {
				b.put("<p><b>%s</b>", l)
				continue
			}
			b.put("<p>%s", l)
		}
		b.put("<p class=ids>%s<br><code>%s</code></details></article>\n", card.From, card.ID)
	}
	b.WriteString("</div></body></html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}
