package review

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"html"
	"io"
	"strings"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/diagram"
	"fibsbot/internal/figure"
	"fibsbot/internal/sanitize"
	"fibsbot/internal/texts"
)

// Formats are the formats of a deck.
var Formats = []string{"csv", "anki", "html"}

// Cards writes decisions as quiz cards: "csv" a row each, "anki" text that Anki imports
// (front, back, tags), "html" a page with hidden answers. c is the language of both, nil for
// English; CSV is for programs.
func Cards(w io.Writer, format string, list []*Found, c *texts.Catalogue) error {
	switch format {
	case "csv":
		return cardsCSV(w, list)
	case "anki":
		return cardsAnki(w, list, c)
	case "html":
		return cardsPage(w, list, c)
	}
	return badField("deck", "unknown format %.40q (use %s)", format, strings.Join(Formats, ", "))
}

// origin is who erred where and when.
func (f *Found) origin(c *texts.Catalogue) string {
	text := c.T("{0} against {1}, game {2}", c.Who(f.Name), c.Who(f.Against), f.Game)
	if day := index.DayAlone(f.Started); day != "" {
		text += ", " + c.Date(day)
	}
	return text
}

// question is the text on the front of a card.
func (f *Found) question(c *texts.Catalogue) string {
	who := c.Who(f.Name)
	switch {
	case f.Kind == "checker":
		return c.T("{0} to play {1}", who, fmt.Sprintf("%d%d", f.Dice[0], f.Dice[1]))
	case f.Kind == "take":
		return who + ": " + c.T("Doubled: was that right? Take or pass?")
	case f.Cube != nil && f.Cube.Redouble:
		return who + ": " + c.T("Redouble or roll? And after a redouble, take or pass?")
	}
	return who + ": " + c.T("Double or roll? And after a double, take or pass?")
}

// answer lists the best actions, a line each.
func (f *Found) answer(tr *texts.Catalogue) (lines []string) {
	signed := func(v float64) string { return tr.Number(figure.Text("%+.3f", v)) }
	if f.Cube != nil {
		c := f.Cube
		values := []any{signed(c.NoDouble), signed(c.DoubleTake), signed(c.DoublePass)}
		line := tr.T("no double {0}, double and take {1}, double and pass {2}", values...)
		if c.Redouble {
			line = tr.T("no redouble {0}, redouble and take {1}, redouble and pass {2}", values...)
		}
		lines = append(lines, tr.Phrase(c.Words()), line)
	}
	for i, c := range f.Candidates {
		if i < 4 || c.Play == f.Played {
			behind := ""
			if i > 0 {
				behind = " (" + signed(c.Equity-f.Candidates[0].Equity) + ")"
			}
			lines = append(lines, fmt.Sprintf("%d. %s %s%s", i+1, tr.Phrase(c.Play), signed(c.Equity), behind))
		}
	}
	return append(lines, tr.T("played: {0}, lost {1} ({2}, {3})", tr.Phrase(f.Played), tr.Format("%.3f", f.Loss()), tr.Phrase(f.Phase), tr.Phrase(f.Plan)))
}

func cardsCSV(w io.Writer, list []*Found) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"match", "started", "game", "number", "player", "against", "length", "kind", "dice", "played", "best", "error", "error_mwc",
		"mark", "fault", "phase", "plan", "depth", "xgid", "position_id", "match_id"}); err != nil {
		return err
	}
	for _, f := range list {
		dice, mwc := "", ""
		if len(f.Dice) == 2 {
			dice = fmt.Sprintf("%d%d", f.Dice[0], f.Dice[1])
		}
		if f.ErrorMWC != nil {
			mwc = fmt.Sprintf("%.5f", *f.ErrorMWC)
		}
		if err := c.Write([]string{f.Match, f.started(), fmt.Sprint(f.Game), fmt.Sprint(f.Number), sanitize.Cell(f.Name), sanitize.Cell(f.Against),
			fmt.Sprint(f.Length), f.Kind, dice, sanitize.Cell(f.Played), f.Best, fmt.Sprintf("%.4f", f.Loss()), mwc, f.Mark, f.Fault, f.Phase, f.Plan, f.Depth,
			sanitize.Cell(f.XGID), sanitize.Cell(f.PositionID), f.MatchID}); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// started is the time for programs, empty if unknown.
func (f *Found) started() string {
	if f.Started.IsZero() {
		return ""
	}
	return f.Started.UTC().Format("2006-01-02 15:04")
}

// cardsAnki follows "Text files" of Anki's manual: header lines with #, then HTML fields
// separated by tabs, the third for tags.
func cardsAnki(w io.Writer, list []*Found, c *texts.Catalogue) error {
	if _, err := io.WriteString(w, "#separator:tab\n#html:true\n#tags column:3\n"); err != nil {
		return err
	}
	for _, f := range list {
		drawn := f.drawn
		drawn.Theme, drawn.Width, drawn.Texts = diagram.Plain, 480, c
		var back []string
		for _, l := range f.answer(c) {
			back = append(back, html.EscapeString(l))
		}
		tags := []string{"backgammon", f.Kind, f.Phase, f.Plan, f.Fault}
		for i := range tags {
			tags[i] = strings.ReplaceAll(tags[i], " ", "-")
		}
		// Anki reads double quotes as quotes around fields, so the picture has single ones.
		picture := strings.NewReplacer("'", "&#39;", `"`, "'").Replace(drawn.SVG())
		front := picture + "<br>" + html.EscapeString(f.question(c))
		line := oneLine(front) + "\t" + oneLine(strings.Join(back, "<br>")+"<br><small>"+f.XGID+"</small>") + "\t" + strings.Join(strings.Fields(strings.Join(tags, " ")), " ")
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func oneLine(s string) string {
	return strings.NewReplacer("\t", " ", "\n", " ", "\r", " ", `"`, `&quot;`).Replace(s)
}

func cardsPage(w io.Writer, list []*Found, c *texts.Catalogue) error {
	cards := make([]report.Card, 0, len(list))
	for _, f := range list {
		drawn := f.drawn
		drawn.Texts = c
		cards = append(cards, report.Card{Board: drawn, Question: f.question(c), Answer: f.answer(c), ID: f.XGID,
			From: f.origin(c)})
	}
	return report.Deck(w, cards, c)
}

// WriteCSV writes the matches that filter chooses as a table for spreadsheets, the newest
// first. The columns of figures are the statistics of a single match; an unknown one is
// empty. No cell is a formula, whatever a player's name is.
func WriteCSV(ctx context.Context, db *index.DB, filter index.Filter, w io.Writer) error {
	c := csv.NewWriter(w)
	head := []string{"id", "started", "account", "opponent", "length", "score", "opponent_score", "result", "rating", "opponent_rating",
		"rating_after", "preset", "tags", "depth"}
	var perMatch []*index.Statistic
	for i := range index.Statistics {
		if s := &index.Statistics[i]; s.PerMatch {
			perMatch = append(perMatch, s)
			head = append(head, s.Name)
		}
	}
	if err := c.Write(append(head, "file")); err != nil {
		return err
	}
	err := db.List(ctx, filter, func(m *index.Match) error {
		started := ""
		if !m.Started.IsZero() {
			started = m.Started.UTC().Format(time.RFC3339)
		}
		row := []string{m.ID, started, sanitize.Cell(m.Account), sanitize.Cell(m.Opponent), fmt.Sprint(m.Length), fmt.Sprint(m.Score[0]), fmt.Sprint(m.Score[1]), ResultWord(m.Result),
			cell(m.Rating[0], "%.2f"), cell(m.Rating[1], "%.2f"), cell(m.RatingAfter[0], "%.2f"), sanitize.Cell(m.Preset), sanitize.Cell(strings.Join(m.Tags, ",")), sanitize.Cell(m.Depth)}
		for _, s := range perMatch {
			row = append(row, cell(s.Match(m), "%.4f"))
		}
		return c.Write(append(row, sanitize.Cell(m.File)))
	})
	c.Flush()
	return errors.Join(err, c.Error())
}

// cell formats a figure; an unknown one is empty.
func cell(f index.Figure, format string) string {
	if !f.Known() {
		return ""
	}
	return f.Text(format)
}
