package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"fibsbot/engine/analyse"
	"fibsbot/engine/diagram"
	"fibsbot/engine/match"
	"fibsbot/engine/rating"
	"fibsbot/engine/record"
	"fibsbot/internal/figure"
	"fibsbot/internal/minify"
	"fibsbot/internal/texts"
)

//go:embed page.html
var pageSource string

//go:embed page.css
var styleSource string

//go:embed page.js
var scriptSource string

// Script returns a module that exports review(root, options), for a page that holds a report
// in a shadow tree.
func Script() string { return "export " + scriptSource }

// style is the whole style sheet of a page.
func style(c *texts.Catalogue) template.CSS {
	return template.CSS(translated(minify.Lines(styleSource), c, cssText) + diagram.CompactStyle)
}

// htmlPage is the data of the template. Its fields of type HTML are already escaped.
type htmlPage struct {
	Lang                        string
	Title, Subtitle, CurveTitle string
	Judge                       []string // who analysed the match
	Style                       template.CSS
	Script                      template.JS
	Symbols, Curve, Worst       template.HTML
	Comment                     string
	Cards                       [2]htmlCard
	Names                       [2]string
	Rows                        []row
	Games                       []htmlGame
	Phases, Plans               []htmlSplit
	Errors                      []htmlError
	ErrorPhases, ErrorPlans     []htmlOption
	ErrorFaults                 []htmlOption
	Rolls                       [2]htmlRolls
	Articles                    template.HTML
	Short, Only                 [2]string // the names where there is little room, and "only" them
	Sizes                       [4]string // least losses of the filter
	Judged                      bool      // something of the match was analysed
	// Marks has a letter for each article, Places their numbers: the script need not look
	// through them.
	Marks, Places string
	Money         bool
}

// shades are the colours of the checkers: light at the bottom, dark at the top.
var shades = [2]string{"l", "d"}

// htmlCard is what matters most about a player.
type htmlCard struct {
	Name, Shade              string
	Score                    int
	Won, Judged              bool
	PR, Word                 string
	Checker, Cube            string
	Luck, LuckWord, Adjusted string
	Blunders, Bad, Doubtful  int
}

type htmlGame struct {
	Number                  int
	Name                    string
	Score, Result, Crawford string
	PR, Luck, Adjusted      [2]string
	Sheet                   template.HTML
	Judged                  bool // something of it was analysed
	Comment                 string
}

// htmlSplit is a row of the table of phases or plans.
type htmlSplit struct {
	Name           string
	Decisions      [2]int
	PR, Lost, Luck [2]string
	Adjusted       [2]string // of phases
}

type htmlError struct {
	Step, Game, Player                  int
	Name, Kind, Fault, Phase, Plan      string // in English, to filter by
	Dice, Played, Best, Loss, Size, MWC string
	About                               string // fault, phase and plan
	Mark, Sign                          string
	Small                               bool
}

// htmlOption is a choice of the filter. Value is empty where it is the text.
type htmlOption struct{ Value, Text string }

type htmlRolls struct {
	Name        string
	Best, Worst []htmlRoll
}

type htmlRoll struct {
	Step                    int
	Where, Dice, Play, Luck string
}

// shortName is how many letters of a name the heads of the score sheets have.
const shortName = 32

// step is one stop on the way through the match.
type step struct {
	*Row
	game int
	n    int  // from 1 over the whole match
	cube *Row // the decision not to double before the roll, when it has no step of its own
}

// PageOptions chooses how HTML shows a match. The zero value is valid.
type PageOptions struct {
	Table *match.Table // match equity table of the analysis; nil for the default one
	// Me is the player, 0 or 1, who sits at the bottom with the light checkers and is named
	// first.
	Me int
	// Texts is the language of the page, nil for English.
	Texts *texts.Catalogue
	// Why gives the reasons of errors, nil for none.
	Why Why
	// Also asks another engine, nil for none.
	Also Also
}

// HTML writes the report as one self-contained page. The whole report is readable without
// scripts; with them the reader steps through the match, decision by decision. If s is nil,
// the summary is made from the analysis in m. The error is w's, or means that m is nil or
// that s is of another match.
func HTML(w io.Writer, m *record.Match, s *analyse.Summary, o PageOptions) error {
	p, err := pageOf(m, s, o)
	if err != nil {
		return err
	}
	return fill(w, p, o.Texts)
}

// pageOf returns the data of the template.
func pageOf(m *record.Match, s *analyse.Summary, o PageOptions) (*htmlPage, error) {
	s, err := summaryOf(m, s)
	if err != nil {
		return nil, err
	}
	t, me, c := o.Table, o.Me&1, o.Texts
	if t == nil {
		t = match.DefaultTable()
	}
	p := htmlPage{
		Lang: c.Lang(), Title: Title(m, me, c), Subtitle: Subtitle(m, me, c), Judge: analyse.JudgeLines(m, c),
		Style: style(c), Script: template.JS(minify.Lines(scriptSource) + startScript(c)), Symbols: template.HTML(diagram.Symbols()),
		Names: seated([2]string{c.Who(m.Players[0].Name), c.Who(m.Players[1].Name)}, me), Rows: summaryRows(m, s, c), Money: m.Length == 0, Comment: m.Comment,
	}
	for i := range p.Rows {
		p.Rows[i].Values = seated(p.Rows[i].Values, me)
		for k, v := range p.Rows[i].Values {
			p.Rows[i].Values[k] = typographic(v)
		}
	}
	for i, least := range [...]float64{smallest, 0.04, 0.08, 0.16} {
		p.Sizes[i] = c.T("from {0}", c.Format("%.3f", least))
	}
	for i := range p.Short {
		p.Short[i] = clip(p.Names[i], shortName)
		p.Only[i] = c.T("only {0}", p.Short[i])
		p.Judged = p.Judged || s.Players[i].Known() || s.Players[i].LuckKnown()
	}
	b := pageBuilder{m: m, s: s, t: t, c: c, me: me, why: o.Why, also: o.Also, page: &p}
	b.steps()
	p.Curve, p.CurveTitle = b.curve()
	p.Worst = b.worst()
	for i := range p.Cards {
		p.Cards[i] = b.card(i)
	}
	b.games()
	phases, plans := s.ByPhase(t), s.ByPlan(t)
	_, adjusted := s.PhaseResults(m, t, 0)
	for i := range analyse.Phase(analyse.Phases) {
		n := len(p.Phases)
		p.Phases = b.addSplit(p.Phases, i.String(), &phases[me][i], &phases[1-me][i])
		for k := range p.Phases[n:] {
			p.Phases[n+k].Adjusted = seated([2]string{b.result(adjusted[i]), b.result(-adjusted[i])}, me)
		}
	}
	for i := range analyse.Plan(analyse.Plans) {
		p.Plans = b.addSplit(p.Plans, i.String(), &plans[me][i], &plans[1-me][i])
	}
	b.errors()
	for i := range p.Rolls {
		p.Rolls[i] = b.rolls(i ^ me)
	}
	p.Articles, p.Marks, p.Places = b.articles(), b.marks(), b.places()
	return &p, nil
}

// seated orders a pair of the players 0 and 1 as the page shows them.
func seated[T any](pair [2]T, me int) [2]T { return [2]T{pair[me], pair[1-me]} }

// Title names the players, me first.
func Title(m *record.Match, me int, c *texts.Catalogue) string {
	return c.T("{0} against {1}", c.Who(m.Players[me].Name), c.Who(m.Players[1-me].Name))
}

// Subtitle is a line on a match: what it is, its score and the head of its file.
func Subtitle(m *record.Match, me int, c *texts.Catalogue) string {
	score := seated(m.FinalScore(), me)
	out := fmt.Sprintf("%s, %d : %d", m.TitleIn(c), score[0], score[1])
	for _, more := range []string{m.Event, m.Round, m.Place, c.Date(m.Date)} {
		if more != "" {
			out += " · " + more
		}
	}
	if m.Annotator != "" {
		out += " · " + c.T("annotated by {0}", m.Annotator)
	}
	return out
}

// pageBuilder makes the parts of a page.
type pageBuilder struct {
	m    *record.Match
	s    *analyse.Summary
	t    *match.Table
	c    *texts.Catalogue
	me   int // the player at the bottom
	why  Why
	also Also
	page *htmlPage
	all  []step
	// first and cubes find the step of an action: by game and index in it.
	first, cubes []map[int]int
}

// steps lists the stops. An obvious decision not to double has none.
func (b *pageBuilder) steps() {
	left := mostReasons
	for i := range b.s.Games {
		first, cubes := map[int]int{}, map[int]int{}
		list := b.also.asked(b.why.explained(Rows(b.m, b.s, i, b.t), &left))
		var quiet *Row
		for k := range list {
			d := &list[k]
			none := d.Kind == "double" && d.turn.Turn.Action.Kind == record.Move
			if none && d.quiet() {
				quiet = d
				continue
			}
			n := len(b.all) + 1
			switch {
			case none:
				cubes[d.turn.Turn.Index] = n
			case d.turn != nil:
				first[d.turn.Turn.Index] = n
			default:
				first[-1] = n // the resignation
			}
			b.all = append(b.all, step{Row: d, game: i, n: n, cube: quiet})
			quiet = nil
		}
		b.first, b.cubes = append(b.first, first), append(b.cubes, cubes)
	}
}

// card is the card of the player in a seat, 0 for the one at the bottom.
func (b *pageBuilder) card(seat int) htmlCard {
	p := seat ^ b.me
	x := &b.s.Players[p]
	mk, tr := MarkedOf(b.s, p), b.c
	grade := tr.T("not analysed")
	switch {
	case len(b.all) == 0:
		grade = tr.T("no decisions")
	case x.Known():
		grade = wordOrUnknown(tr, x.Graded(x.PR()), rating.PRWord)
	}
	c := htmlCard{
		Name: b.page.Names[seat], Shade: shades[seat], Score: b.m.FinalScore()[p], Won: b.m.Winner() == p,
		PR: performance(tr, x.PR()), Checker: performance(tr, x.CheckerPR()), Cube: performance(tr, x.CubePR()),
		Word: grade, Judged: x.Known(), Luck: luckOf(tr, x),
		Blunders: mk.VeryBad, Bad: mk.Bad, Doubtful: mk.Doubtful,
		Adjusted: b.result(b.s.LuckAdjusted[p]),
	}
	if x.LuckKnown() {
		c.LuckWord = tr.Phrase(strings.ToLower(rating.LuckWord(x.LuckRate())))
	}
	return c
}

// luckOf is a player's luck as pages show it.
func luckOf(c *texts.Catalogue, x *analyse.Sums) string {
	if !x.LuckKnown() {
		return c.T(unknown)
	}
	return printed(c, x.Luck.EMG)
}

// result writes a result: points, or match winning chance.
func (b *pageBuilder) result(v float64) string {
	return orUnknown(b.c, v, func(v float64) string {
		if b.m.Length > 0 {
			return typographic(figure.Signed(100*v, 1) + "%")
		}
		return typographic(figure.Signed(v, 2))
	})
}

func (b *pageBuilder) games() {
	_, adjusted := b.s.GameResults(b.m, b.t)
	for i := range b.s.Games {
		g := &b.s.Games[i]
		row := htmlGame{Number: i + 1, Name: b.c.T("Game {0}", i+1), Score: fmt.Sprintf("%d : %d", g.Score[b.me], g.Score[1-b.me]), Result: b.c.T("unfinished"), Comment: b.m.Games[i].Comment}
		// Heights before the layout are rules, not attributes: the dashboard's policy allows
		// the style sheet alone.
		sheet, lines, phone := b.sheet(i)
		row.Sheet = sheet
		b.page.Style += template.CSS(fmt.Sprintf("#g%d{--n:%d;--m:%d}", row.Number, lines, phone))
		if b.m.Games[i].Crawford {
			row.Crawford = b.c.T("Crawford game")
		}
		if g.Result.Finished() {
			row.Result = Won(b.c, b.m.Players[g.Result.Winner&1].Name, g.Result.Points)
			row.Result += HowEnded(b.c, &b.m.Games[i])
		}
		for p, sign := range [2]float64{1, -1} {
			x := &g.Players[p]
			k := p ^ b.me
			row.PR[k], row.Luck[k], row.Adjusted[k] = performance(b.c, x.PR()), luckOf(b.c, x), b.result(sign*adjusted[i])
			row.Judged = row.Judged || x.Known() || x.LuckKnown()
		}
		b.page.Games = append(b.page.Games, row)
	}
}

func (b *pageBuilder) addSplit(rows []htmlSplit, name string, x, y *analyse.Tally) []htmlSplit {
	r := htmlSplit{Name: b.c.Phrase(name)}
	for p, v := range [2]*analyse.Tally{x, y} {
		r.Decisions[p] = v.Decisions
		r.PR[p], r.Lost[p], r.Luck[p] = performance(b.c, v.PR()), b.c.T(unknown), b.c.T(unknown)
		if v.Decisions > 0 {
			r.Lost[p] = printed(b.c, -v.Error.EMG)
		}
		if v.Rolls > 0 {
			r.Luck[p] = printed(b.c, v.Luck.EMG)
		}
	}
	if r.Decisions == [2]int{} && x.Rolls+y.Rolls == 0 {
		return rows
	}
	return append(rows, r)
}
