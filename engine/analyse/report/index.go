package report

import (
	"cmp"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/diagram"
	"fibsbot/engine/record"
	"fibsbot/internal/texts"
)

// Entry is one match of an index page.
type Entry struct {
	File   string // of its page, beside the index
	Names  [2]string
	Length int    // 0 for money play
	Score  [2]int // at the end
	Winner int    // record.NoPlayer without one
	Date   string // YYYY-MM-DD, empty when unknown
	Sums   [2]analyse.Sums
}

// EntryOf makes the entry of a match whose page is file. m and s are those of Build.
func EntryOf(file string, m *record.Match, s *analyse.Summary) Entry {
	m, s = fitting(m, s)
	return Entry{File: file, Names: [2]string{m.Players[0].Name, m.Players[1].Name}, Length: m.Length, Score: m.FinalScore(),
		Winner: overall(m, m.FinalScore()).Winner, Date: m.Date, Sums: s.Players}
}

// total are one player's figures over several matches.
type total struct {
	name         string
	matches, won int
	sums         analyse.Sums
}

// The page, with texts as in page.html.
const (
	indexHead = `<head><meta charset=utf-8><meta name=viewport content="width=device-width, initial-scale=1"><title>[[Matches]]</title>
<style>`
	indexStyle = `
td a{color:var(--accent)}section{background:var(--panel);border:1px solid var(--rule);border-radius:10px;padding:.3rem .9rem .8rem;margin:1rem 0}td:nth-child(2){white-space:nowrap}@media (max-width:48rem){.players :is(th,td):nth-child(n+5):nth-child(-n+6){display:none}section{padding:.2rem .5rem .6rem}.nums :is(th,td){padding-inline:.12rem;font-size:.8rem}td:first-child{overflow-wrap:anywhere}}</style></head><body>`
	indexPlayers = `<section><h2>[[Players]]</h2><div class=wide><table class="nums players"><thead><tr><th>[[Player]]<th class=n>[[Matches]]<th class=n>[[Won|matches]]<th class=n>PR<th class=n>[[Plays]]<th class=n>[[Cube]]<th class=n>[[Decisions]]<th class=n>[[Luck]]<tbody>
`
	indexMatches = `</table></div></section>
<section><h2>[[Matches]]</h2><div class=wide><table class="nums matches"><thead><tr><th>[[Match]]<th>[[Day]]<th class=n>[[Length]]<th class=n>[[Score]]<th class=n>PR<th class=n>[[Luck]]<tbody>
`
	indexFoot = `</table></div></section><footer>[[PR: 500 × mean error (EMG) of the decisions that count.]] [[The winner of a match is in bold letters.]] [[Made by fibsbot.]]</footer></body></html>
`
)

// Index writes the page that leads to the pages of several matches, with the totals of
// each player, in the language of c. Names are told apart without regard to case. The error
// is w's.
func Index(w io.Writer, list []Entry, c *texts.Catalogue) error {
	var b markup
	put := func(source string) { b.WriteString(translated(source, c, esc)) }
	b.put("<!doctype html>\n<html lang=\"%s\">", c.Lang())
	put(indexHead)
	b.WriteString(string(style(c)) + indexStyle)
	b.put("<header><h1>%s</h1></header>\n", c.Count(len(list), texts.Key("1 match"), texts.Key("{0} matches")))
	totals := map[string]*total{}
	for i := range list {
		for p := range 2 {
			key := strings.ToLower(list[i].Names[p])
			if totals[key] == nil {
				totals[key] = &total{name: list[i].Names[p]}
			}
			totals[key].add(&list[i], p)
		}
	}
	var players []*total
	for _, t := range totals {
		players = append(players, t)
	}
	slices.SortFunc(players, func(x, y *total) int {
		return cmp.Or(cmp.Compare(y.matches, x.matches), strings.Compare(strings.ToLower(x.name), strings.ToLower(y.name)))
	})
	put(indexPlayers)
	for _, t := range players {
		b.put("<tr><td>%s<td class=n>%d<td class=n>%d<td class=n><b>%s</b><td class=n>%s<td class=n>%s<td class=n>%d<td class=n>%s\n", c.Who(t.name), t.matches, t.won,
			performance(c, t.sums.PR()), performance(c, t.sums.CheckerPR()), performance(c, t.sums.CubePR()), t.sums.Counted, luckOf(c, &t.sums))
	}
	put(indexMatches)
	for i := range list {
		e := &list[i]
		length := fmt.Sprint(e.Length)
		if e.Length == 0 {
			length = c.T("money")
		}
		names := [2]template.HTML{escaped("%s", c.Who(e.Names[0])), escaped("%s", c.Who(e.Names[1]))}
		if e.Winner != record.NoPlayer {
			names[e.Winner] = "<b>" + names[e.Winner] + "</b>"
		}
		b.put("<tr><td><a href=\"%s\">%s – %s</a><td>%s<td class=n>%s<td class=n>%d : %d<td class=n>%s&nbsp;/ %s<td class=n>%s&nbsp;/ %s\n", urlPath(e.File), names[0], names[1], c.Date(e.Date), length,
			e.Score[0], e.Score[1], performance(c, e.Sums[0].PR()), performance(c, e.Sums[1].PR()), luckOf(c, &e.Sums[0]), luckOf(c, &e.Sums[1]))
	}
	put(indexFoot)
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *total) add(e *Entry, p int) {
	t.matches++
	if e.Winner == p {
		t.won++
	}
	t.sums.Add(&e.Sums[p])
}

// urlPath writes a file name as a relative address, whatever is in it.
func urlPath(name string) string { return "./" + url.PathEscape(name) }

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
