//go:build !js

package pdf

import (
	"fmt"

	"fibsbot/engine/analyse/report"
	"fibsbot/engine/diagram"
	"fibsbot/internal/figure"
)

// errors are the marked decisions with their boards.
func (p *printer) errors() error {
	type place struct {
		game int
		d    *report.Row
	}
	var list []place
	for i := range p.m.Games {
		all := p.list(i)
		for k := range all {
			if all[k].Mark != "" {
				list = append(list, place{i, &all[k]})
			}
		}
	}
	first := 0.0
	if len(list) > 0 {
		first = 5 + boardHigh + 8
	}
	p.title(fmt.Sprintf("%s (%d)", p.c.T("Errors"), len(list)), first)
	if len(list) > 0 {
		p.font("", 8, soft)
		arrows := p.c.T("Arrows:")
		p.cell(max(14, p.f.GetStringWidth(arrows)+3), 4, "L", arrows)
		for _, arrow := range []struct{ colour, word string }{{diagram.Plain.Made, p.c.T("made|an arrow of the play")}, {diagram.Plain.Minor, p.c.T("made, doubtful")}, {diagram.Plain.Better, p.c.T("better|an arrow")}, {diagram.Plain.Both, p.c.T("both|arrows of the same play")}} {
			colour, _ := hex(arrow.colour)
			p.f.SetDrawColor(colour[0], colour[1], colour[2])
			p.f.SetLineWidth(0.9)
			p.f.Line(p.f.GetX(), p.f.GetY()+2, p.f.GetX()+5, p.f.GetY()+2)
			p.f.SetX(p.f.GetX() + 6)
			p.cell(max(14, p.f.GetStringWidth(arrow.word)+5), 4, "L", arrow.word)
		}
		p.f.Ln(5)
	}
	for n, e := range list {
		if n == maxErrors {
			p.font("", 9, soft)
			p.cell(wide, 6, "L", p.c.T("and {0} more", len(list)-n))
			break
		}
		if err := p.one(e.game, e.d); err != nil {
			return err
		}
	}
	return nil
}

func (p *printer) one(game int, d *report.Row) error {
	drawn := d.Diagram(p.m, p.me, p.c)
	drawn.Names = [2]string{p.printable(drawn.Names[0]), p.printable(drawn.Names[1])}
	drawn.Theme = diagram.Plain
	if d.Kind == "checker" {
		drawn.Arrows, drawn.Better, drawn.Minor = d.Turn().Play.Steps[:d.Turn().Play.N], d.BetterSteps(), d.Mark == "doubtful"
	}
	f := p.f
	name := fmt.Sprintf("%d.%d", game+1, d.Number)
	p.room(boardHigh + 8)
	top := f.GetY() + 2
	f.SetLineWidth(0.2)
	f.SetDrawColor(rule[0], rule[1], rule[2])
	f.Line(margin, top, margin+wide, top)
	top += 3
	high, err := p.board(drawn, margin, top, boardWide)
	if err != nil {
		return fmt.Errorf("decision %s: %w", name, err)
	}
	p.verdict(name, d, margin+boardWide+5, top)
	f.SetXY(margin, max(f.GetY(), top+high))
	return nil
}

// verdict writes the text beside a board.
func (p *printer) verdict(name string, d *report.Row, x, y float64) {
	f, w := p.f, wide-boardWide-5
	line := func(style string, size float64, c shade, text string) {
		p.font(style, size, c)
		f.SetX(x)
		p.cell(w, size*0.5, "L", text)
		f.Ln(size * 0.5)
	}
	f.SetXY(x, y)
	who := p.names[d.Player^p.me]
	if len(d.Dice) == 2 {
		who = report.Plays(p.c, p.printable(p.m.Players[d.Player].Name), d.Dice)
	}
	line("", 9, soft, fmt.Sprintf("%s  %s", name, who))
	loss := fmt.Sprintf("%s   −%s %s", p.c.Phrase(d.Played), p.c.Format("%.3f", d.Loss()), signs[d.Mark])
	line("B", 12, marks[d.Mark], loss)
	better := p.c.T("better {0}", p.c.Phrase(d.Best))
	if d.ErrorMWC != nil {
		better += "   (" + p.c.T("{0} match winning chance", p.c.Format("%.2f%%", 100**d.ErrorMWC)) + ")"
	}
	blue, _ := hex(diagram.Plain.Better) // as its arrows
	line("", 10, blue, better)
	f.Ln(1.5)
	if c := d.Cube; c != nil {
		line("B", 9, ink, p.c.Phrase(c.Words()))
		for _, l := range c.Lines() {
			p.font("", 8.5, ink)
			f.SetX(x)
			p.cell(30, 4.4, "L", p.c.Phrase(l.Name))
			p.cell(20, 4.4, "R", p.signed(l.Equity))
			if l.MWC != nil {
				p.cell(25, 4.4, "R", p.c.Format("%.2f%%", 100**l.MWC))
			}
			f.Ln(4.4)
		}
		line("", 8, soft, p.c.Number(chances(c.Probs))+"   "+p.c.Counted(d.Depth))
	}
	for i := range d.Candidates {
		made := d.Candidates[i].Play == d.Played
		if i >= 4 && !made || len(d.Candidates) == 1 {
			continue
		}
		p.candidate(x, w, i, made, &d.Candidates[i], d.Candidates[0].Equity)
	}
	passage := func(text string, c shade) {
		if text == "" {
			return
		}
		f.Ln(1)
		p.font("", 8.5, c)
		lines := f.SplitText(p.printable(text), w-1)
		for _, l := range lines[:min(6, len(lines))] {
			f.SetX(x)
			p.cell(w, 4, "L", l)
			f.Ln(4)
		}
	}
	if p.why != nil {
		passage(p.why(d), ink)
	}
	passage(d.Comment, accent)
	f.Ln(1)
	line("", 6.5, soft, d.XGID)
}

func (p *printer) candidate(x, w float64, i int, made bool, c *report.Candidate, best float64) {
	f := p.f
	if made {
		f.SetFillColor(240, 231, 210)
		f.Rect(x, f.GetY(), w, 8, "F")
	}
	p.font(map[bool]string{true: "B"}[made], 8.5, ink)
	f.SetX(x)
	p.cell(6, 4.4, "L", fmt.Sprint(i+1))
	p.cell(w-6-36, 4.4, "L", p.c.Phrase(c.Play))
	p.cell(18, 4.4, "R", p.signed(c.Equity))
	diff := ""
	if i > 0 {
		diff = p.signed(c.Equity - best)
	}
	p.cell(18, 4.4, "R", diff)
	f.Ln(4.4)
	p.font("", 7, soft)
	f.SetX(x + 6)
	depth := p.c.Counted(c.Depth)
	if c.StdErr > 0 {
		depth += p.c.Format(" ±%.3f", c.StdErr)
	}
	p.cell(w-6, 3.6, "L", p.c.Number(chances(c.Probs))+"   "+depth)
	f.Ln(3.6)
}

func chances(q [5]float64) string {
	at := func(v float64) string { return figure.Text("%.1f", 100*v) }
	return at(q[0]) + " · " + at(q[1]) + " · " + at(q[2]) + " – " + at(1-q[0]) + " · " + at(q[3]) + " · " + at(q[4])
}
