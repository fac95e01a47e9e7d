//go:build !js

// Package pdf prints an analysed match: the figures, the score sheet with marks, and every
// marked decision with its board, on A4.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package pdf

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/record"
	"fibsbot/internal/figure"
	"fibsbot/internal/texts"

	"codeberg.org/go-pdf/fpdf"
)

// Sizes in millimetres.
const (
	margin    = 15.0
	pageWide  = 210.0
	pageHigh  = 297.0
	wide      = pageWide - 2*margin
	boardWide = 74.0
	boardHigh = boardWide * 0.81 // about; package diagram knows
	foot      = 14.0
)

// maxErrors bounds the decisions with boards: the worst are printed.
const maxErrors = 200

type shade [3]int

var (
	ink    = shade{38, 35, 31}
	soft   = shade{109, 102, 91}
	rule   = shade{226, 220, 207}
	panel  = shade{250, 248, 243}
	accent = shade{47, 111, 168}
	marks  = map[string]shade{"very_bad": {179, 38, 30}, "bad": {194, 89, 12}, "doubtful": {138, 109, 0}}
	signs  = map[string]string{"very_bad": "??", "bad": "?", "doubtful": "?!"}
)

// Write prints the match m, analysed as s, as a PDF. The error is w's, one of drawing, or
// wraps ErrFont.
func Write(w io.Writer, m *record.Match, s *analyse.Summary, o Options) error {
	c := o.Texts
	faces, err := fonts(o.Font)
	if err != nil {
		return err
	}
	p := &printer{m: m, s: s, me: o.Me & 1, faces: faces, why: o.Why}
	if p.note = !faces.has(lettersOf(c)); p.note {
		c = nil
	}
	p.c = c
	for _, text := range written(m) {
		p.note = p.note || !faces.has(text)
	}
	f := fpdf.New("P", "mm", "A4", "")
	f.SetCatalogSort(true)
	f.SetCreationDate(time.Unix(0, 0).UTC()) // the same match gives the same file
	f.SetModificationDate(time.Unix(0, 0).UTC())
	f.SetMargins(margin, margin, margin)
	f.SetAutoPageBreak(false, foot)
	f.AddUTF8FontFromBytes("go", "", faces.plain)
	f.AddUTF8FontFromBytes("go", "B", faces.bold)
	p.f = f
	p.names = [2]string{p.printable(c.Who(m.Players[p.me].Name)), p.printable(c.Who(m.Players[1-p.me].Name))}
	f.SetTitle(p.printable(report.Title(m, p.me, c)), true)
	f.SetProducer("fibsbot", true)
	f.AliasNbPages("{n}")
	f.SetFooterFunc(func() {
		p.font("", 8, soft)
		f.SetXY(margin, pageHigh-foot+2)
		f.CellFormat(wide/2, 5, p.names[0]+" – "+p.names[1], "", 0, "L", false, 0, "")
		f.CellFormat(wide/2, 5, fmt.Sprintf("%d / {n}", f.PageNo()), "", 0, "R", false, 0, "")
	})
	f.AddPage()
	p.head()
	p.cards()
	p.phases()
	p.sheets()
	if err := p.errors(); err != nil {
		return err
	}
	return f.Output(w)
}

type printer struct {
	f     *fpdf.Fpdf
	faces *faces
	why   report.Why
	note  bool // letters are missing
	m     *record.Match
	s     *analyse.Summary
	c     *texts.Catalogue
	me    int            // the player at the bottom
	names [2]string      // his and the opponent's
	lists [][]report.Row // by game
}

func (p *printer) font(style string, size float64, c shade) {
	p.f.SetFont("go", style, size)
	p.f.SetTextColor(c[0], c[1], c[2])
}

// cell writes text in a column and goes right.
func (p *printer) cell(w, h float64, align, text string) {
	p.f.CellFormat(w, h, p.fit(text, w), "", 0, align, false, 0, "")
}

// fit cuts a text to a width.
func (p *printer) fit(text string, w float64) string {
	text = p.printable(text)
	if p.f.GetStringWidth(text) <= w-1 {
		return text
	}
	r := []rune(text)
	for len(r) > 1 && p.f.GetStringWidth(string(r)+"…") > w-1 {
		r = r[:len(r)-1]
	}
	return string(r) + "…"
}

// room begins a page where less than h is left on this one.
func (p *printer) room(h float64) {
	if p.f.GetY()+h > pageHigh-foot {
		p.f.AddPage()
	}
}

func (p *printer) head() {
	f, m := p.f, p.m
	p.font("B", 18, ink)
	p.cell(wide, 9, "L", report.Title(m, p.me, p.c))
	f.Ln(9)
	p.font("", 10, soft)
	p.cell(wide, 5, "L", report.Subtitle(m, p.me, p.c))
	f.Ln(5)
	p.font("", 8.5, soft)
	for _, l := range analyse.JudgeLines(m, p.c) {
		p.cell(wide, 4, "L", l)
		f.Ln(4)
	}
	if p.note {
		p.font("B", 8.5, marks["very_bad"])
		f.MultiCell(wide, 4, noFont, "", "L", false)
	}
	f.Ln(3)
}

// cards are the figures that matter most, a box for each player.
func (p *printer) cards() {
	f := p.f
	top, w := f.GetY(), (wide-6)/2
	for k := range 2 {
		x, sums := margin+float64(k)*(w+6), &p.s.Players[k^p.me]
		f.SetDrawColor(rule[0], rule[1], rule[2])
		f.SetFillColor(panel[0], panel[1], panel[2])
		f.RoundedRect(x, top, w, 33, 2, "1234", "FD")
		f.SetFillColor(map[int]int{0: 253, 1: 57}[k], map[int]int{0: 250, 1: 51}[k], map[int]int{0: 242, 1: 46}[k])
		f.SetDrawColor(ink[0], ink[1], ink[2])
		f.Circle(x+6, top+6.5, 1.9, "FD")
		f.SetXY(x+9.5, top+3)
		p.font("B", 12, ink)
		p.cell(w-25, 7, "L", p.names[k])
		p.font("B", 14, ink)
		p.cell(13, 7, "R", fmt.Sprint(p.m.FinalScore()[k^p.me]))
		for i, v := range [][2]string{
			{"PR", p.rating(sums.PR())}, {p.c.T("plays"), p.rating(sums.CheckerPR())}, {p.c.T("cube"), p.rating(sums.CubePR())},
			{p.c.T("luck"), p.luck(sums.LuckKnown(), sums.Luck.EMG)}, {p.c.T("result less luck"), p.result(p.s.LuckAdjusted[k^p.me])},
		} {
			left := x + 4 + []float64{0, 18, 32, 46, 60}[i]
			f.SetXY(left, top+12)
			p.font("", 7.5, soft)
			p.cell(24, 4, "L", v[0])
			f.SetXY(left, top+15.5)
			p.font(map[bool]string{true: "B"}[i == 0], map[bool]float64{true: 15, false: 10.5}[i == 0], ink)
			p.cell(24, 6, "L", v[1])
		}
		f.SetXY(x+4, top+25)
		count := report.MarkedOf(p.s, k^p.me)
		for _, mark := range []struct {
			name string
			n    int
		}{{"very_bad", count.VeryBad}, {"bad", count.Bad}, {"doubtful", count.Doubtful}} {
			text := unknown
			if sums.Known() {
				text = fmt.Sprint(mark.n)
			}
			p.font("B", 9.5, marks[mark.name])
			p.cell(14, 5, "L", text+" "+signs[mark.name])
		}
		p.font("", 8.5, soft)
		p.cell(w-50, 5, "R", p.c.T("{0} decisions", sums.Counted))
	}
	f.SetXY(margin, top+38)
}

// list are the decisions of game i.
func (p *printer) list(i int) []report.Row {
	if p.lists == nil {
		p.lists = make([][]report.Row, len(p.m.Games))
	}
	if p.lists[i] == nil {
		p.lists[i] = report.Rows(p.m, p.s, i, nil)
	}
	return p.lists[i]
}

// title writes a heading and keeps it on the page of what follows it, which is high mm high.
func (p *printer) title(text string, high float64) {
	p.room(12 + high)
	p.f.Ln(3)
	p.font("B", 12, accent)
	p.cell(wide, 7, "L", text)
	p.f.Ln(7.5)
}

// phases is a table of both players' figures by phase and by game.
func (p *printer) phases() {
	p.title(p.c.T("Figures"), 5*5.5)
	cols := []float64{wide - 4*24 - 2*22, 24, 24, 24, 24, 22, 22}
	row := func(style string, c shade, cells ...string) {
		p.room(6)
		p.font(style, 9, c)
		for i, text := range cells {
			p.cell(cols[i], 5.5, map[bool]string{true: "L", false: "R"}[i == 0], text)
		}
		p.f.Ln(5.5)
		p.f.SetDrawColor(rule[0], rule[1], rule[2])
		p.f.Line(margin, p.f.GetY(), margin+wide, p.f.GetY())
	}
	luck, less := p.c.T("Luck"), p.c.T("Less luck")
	row("B", soft, "", "PR", "PR", luck, luck, less, less)
	row("B", soft, "", p.names[0], p.names[1], p.names[0], p.names[1], p.names[0], p.names[1])
	by := p.s.ByPhase(nil)
	_, phases := p.s.PhaseResults(p.m, nil, 0)
	_, games := p.s.GameResults(p.m, nil)
	sign := float64(1 - 2*p.me)
	for ph := range analyse.Phase(analyse.Phases) {
		a, b := &by[p.me][ph], &by[1-p.me][ph]
		if a.Decisions+b.Decisions+a.Rolls+b.Rolls > 0 {
			row("", ink, texts.Capital(p.c.Phrase(ph.String())), p.rating(a.PR()), p.rating(b.PR()), p.luck(a.Rolls > 0, a.Luck.EMG), p.luck(b.Rolls > 0, b.Luck.EMG),
				p.result(sign*phases[ph]), p.result(-sign*phases[ph]))
		}
	}
	for i := range p.s.Games {
		g := &p.s.Games[i]
		a, b := &g.Players[p.me], &g.Players[1-p.me]
		row("", ink, p.game(i), p.rating(a.PR()), p.rating(b.PR()), p.luck(a.LuckKnown(), a.Luck.EMG), p.luck(b.LuckKnown(), b.Luck.EMG),
			p.result(sign*games[i]), p.result(-sign*games[i]))
	}
}

func (p *printer) won(g *record.Game) string {
	r := g.Result
	if !r.Finished() {
		return p.c.T("unfinished")
	}
	return report.Won(p.c, p.printable(p.m.Players[r.Winner&1].Name), r.Points) + report.HowEnded(p.c, g)
}

// sheets are the games in two columns, with marks.
func (p *printer) sheets() {
	for i := range p.m.Games {
		head := p.game(i)
		if p.m.Games[i].Crawford {
			head += ", " + p.c.T("Crawford game")
		}
		p.title(head, 5.5+3*4.6)
		const number = 9.0
		col := (wide - number) / 2
		names := func() {
			p.font("B", 9, soft)
			p.cell(number, 5.5, "R", "")
			p.cell(col, 5.5, "L", p.names[0])
			p.cell(col, 5.5, "L", p.names[1])
			p.f.Ln(5.5)
		}
		names()
		n, at := 0, 2
		for _, d := range p.list(i) {
			text, ok := p.entry(&d)
			if !ok {
				continue
			}
			seat := d.Player ^ p.me
			if seat < at || seat == 0 {
				if n > 0 {
					p.f.Ln(4.6)
				}
				if p.f.GetY()+5 > pageHigh-foot {
					p.f.AddPage()
					names()
				}
				n++
				p.font("", 8.5, soft)
				p.f.SetX(margin)
				p.cell(number, 4.6, "R", fmt.Sprintf("%d ", n))
			}
			at = seat + 1
			p.f.SetX(margin + number + float64(seat)*col)
			c, style := ink, ""
			if m, marked := marks[d.Mark]; marked {
				c, style, text = m, "B", text+"  "+signs[d.Mark]
			}
			p.font(style, 9, c)
			p.cell(col, 4.6, "L", text)
		}
		p.f.Ln(5)
		p.room(5)
		p.font("B", 9, ink)
		p.cell(wide, 5, "L", p.won(&p.m.Games[i]))
		p.f.Ln(5)
	}
}

// entry is a decision as a score sheet has it; one not to double only where it was wrong.
func (p *printer) entry(d *report.Row) (string, bool) {
	played := p.c.Phrase(d.Played)
	switch {
	case d.Kind == "checker":
		return fmt.Sprintf("%d%d: %s", d.Dice[0], d.Dice[1], played), true
	case d.Turn() != nil && d.Turn().Action.Kind == record.Move:
		return played, d.Mark != ""
	}
	return played, true
}

// game is the name of a game with the score before it.
func (p *printer) game(i int) string {
	score := p.s.Games[i].Score
	return fmt.Sprintf("%s, %d : %d", p.c.T("Game {0}", i+1), score[p.me], score[1-p.me])
}

// unknown stands where nothing was measured.
const unknown = "–"

func (p *printer) rating(pr float64) string {
	if math.IsNaN(pr) {
		return unknown
	}
	return p.c.Format("%.2f", pr)
}

func (p *printer) luck(known bool, emg float64) string {
	if !known {
		return unknown
	}
	return p.signed(emg)
}

func (p *printer) signed(v float64) string {
	return p.c.Number(strings.Replace(figure.Signed(v, 3), "-", "−", 1))
}

func (p *printer) result(v float64) string {
	if math.IsNaN(v) {
		return unknown
	}
	text := figure.Signed(v, 2)
	if p.m.Length > 0 {
		text = figure.Signed(100*v, 1) + "%"
	}
	return p.c.Number(strings.Replace(text, "-", "−", 1))
}
