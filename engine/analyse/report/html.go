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
	"fibsbot/engine/record"
)

//go:embed page.html
var pageSource string

var page = template.Must(template.New("report").Parse(pageSource))

type htmlPage struct {
	Title, Subtitle, CurveTitle string
	Curve                       template.HTML
	Names                       [2]string
	Rows                        []row
	Games                       []htmlGame
	Errors                      []htmlError
}

type htmlGame struct {
	Number, Errors int
	Score, Result  string
}

type htmlError struct {
	Index, Game          int
	Player, Dice         string
	Played, Best         string
	Loss, Mark, MarkWord string
	Board                template.HTML
	Choices              []htmlChoice
	ID                   string
}

type htmlChoice struct {
	Played             bool
	Move, Equity, Diff string
}

// HTML writes the report as one page: no script, no outside file; light and
// dark, phone and print by its own style sheet. t nil means the default match
// equity table.
func HTML(w io.Writer, m *record.Match, s *analyse.Summary, t *match.Table) error {
	if t == nil {
		t = match.DefaultTable()
	}
	score := m.FinalScore()
	p := htmlPage{
		Title:      fmt.Sprintf("%s against %s", m.Players[0].Name, m.Players[1].Name),
		CurveTitle: fmt.Sprintf("Match winning chance of %s", m.Players[0].Name),
		Names:      [2]string{m.Players[0].Name, m.Players[1].Name},
	}
	p.Subtitle = fmt.Sprintf("Money session, %d : %d%s", score[0], score[1], suffix(", ", m.Date))
	if m.Length > 0 {
		p.Subtitle = fmt.Sprintf("%d-point match, %d : %d%s", m.Length, score[0], score[1], suffix(", ", m.Date))
	} else {
		p.CurveTitle = "Equity of " + m.Players[0].Name
	}
	p.Curve = follow(m, t).SVG(p.CurveTitle)
	p.Rows = summaryRows(m, s)
	for i := range s.Games {
		g := &s.Games[i]
		row := htmlGame{Number: i + 1, Score: fmt.Sprintf("%d : %d", g.Score[0], g.Score[1]), Result: "unfinished"}
		if g.Result.Finished() {
			row.Result = m.Players[g.Result.Winner].Name + " wins " + points(g.Result.Points)
		}
		for k := range g.Decisions {
			j := &g.Decisions[k]
			for _, d := range mistakes(j) {
				row.Errors++
				p.Errors = append(p.Errors, newHTMLError(len(p.Errors)+1, i+1, m, j, d))
			}
		}
		p.Games = append(p.Games, row)
	}
	return page.Execute(w, p)
}

// maxChoices is how many plays an error shows; the play made is always among
// them.
const maxChoices = 5

func newHTMLError(index, game int, m *record.Match, j *analyse.Judged, d Decision) htmlError {
	s := situation(j)
	e := htmlError{
		Index: index, Game: game, Player: m.Players[d.Player].Name, Dice: strings.TrimSpace(diceWord(d.Dice)),
		Played: d.Played, Best: d.Best, Loss: fmt.Sprintf("%.3f", -d.Loss), Mark: d.Mark,
		MarkWord: strings.ReplaceAll(d.Mark, "_", " "), ID: d.PositionID + ":" + d.MatchID,
	}
	if d.Kind == "no_double" {
		s.Dice.A, s.Dice.B = 0, 0
		e.ID = s.String()
	}
	drawn := diagram.Diagram{
		Situation: s, Names: [2]string{e.Player, m.Players[1-d.Player].Name}, Pips: true,
		Turned: s.Doubled, Dark: s.Doubled, // who decides sits below
		Title: fmt.Sprintf("Game %d: %s to act, %s", game, e.Player, e.ID),
	}
	if s.Doubled {
		drawn.Names[0], drawn.Names[1] = drawn.Names[1], drawn.Names[0]
	}
	e.Board = drawn.HTML()
	a := j.Turn.Action.Analysis
	if a == nil {
		return e
	}
	switch {
	case d.Kind == record.Move.String():
		for k := range a.Candidates {
			if k >= maxChoices && k != a.Played {
				continue
			}
			c := &a.Candidates[k]
			e.Choices = append(e.Choices, htmlChoice{
				Played: k == a.Played, Move: notation(&j.Turn.Position, c.Steps),
				Equity: fmt.Sprintf("%+.3f", c.Outcome.Cubeful),
				Diff:   fmt.Sprintf("%+.3f", c.Outcome.Cubeful-a.Candidates[0].Outcome.Cubeful),
			})
		}
	case a.Cube != nil:
		for _, v := range []struct {
			name  string
			value float64
		}{{"no double", a.Cube.NoDouble.Cubeful}, {"double, take", a.Cube.DoubleTake.Cubeful}} {
			format := "%+.3f"
			if m.Length > 0 {
				format = "%.4f MWC"
			}
			e.Choices = append(e.Choices, htmlChoice{Move: v.name, Equity: fmt.Sprintf(format, v.value)})
		}
	}
	return e
}
