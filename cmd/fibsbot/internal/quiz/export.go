package quiz

import (
	"context"
	"fmt"
	"html"
	"io"
	"strings"
	"time"

	"fibsbot/engine"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/diagram"
	"fibsbot/engine/preset"
	"fibsbot/internal/apkg"
	"fibsbot/internal/figure"
	"fibsbot/internal/texts"
)

// Formats are the formats of exported cards.
var Formats = []string{"apkg", "html"}

// MaxExport is the largest number of cards of an export.
const MaxExport = 500

// Deal says how cards are exported.
type Deal struct {
	Format, Title string                // one of Formats; the name of the deck
	Now           time.Time             // of the deck
	Texts         *texts.Catalogue      // language, nil for English
	Show          func(done, total int) // called for each card, may be nil
}

// Export writes questions with their answers as cards: "apkg" for Anki, "html" a page with
// folded answers.
func Export(ctx context.Context, w io.Writer, e *engine.Engine, p preset.Preset, list []Question, o Deal) error {
	if len(list) > MaxExport {
		list = list[:MaxExport]
	}
	var cards []exported
	for i := range list {
		c, err := export(ctx, e, p, &list[i], o.Texts)
		if err != nil {
			return fmt.Errorf("card %d: %w", i+1, err)
		}
		cards = append(cards, c)
		if o.Show != nil {
			o.Show(i+1, len(list))
		}
	}
	switch o.Format {
	case "apkg":
		return apkg.Write(ctx, w, ankiDeck(o.Title, cards, o.Texts), o.Now)
	case "html":
		var out []report.Card
		for i := range cards {
			out = append(out, cards[i].Card)
		}
		return report.Deck(w, out, o.Texts)
	}
	return fmt.Errorf("%w: format: unknown format %.20q (use %s)", ErrFilter, o.Format, strings.Join(Formats, ", "))
}

// exported is a card with what Anki's fields need.
type exported struct {
	report.Card
	question *Question
	verdict  Assessment
}

func export(ctx context.Context, e *engine.Engine, p preset.Preset, q *Question, tr *texts.Catalogue) (c exported, err error) {
	if e, err = e.With(ctx, q.Rules); err != nil {
		return c, err
	}
	options, err := Options(ctx, e, p, q)
	if err != nil || len(options) == 0 {
		return c, err
	}
	v, err := Judge(ctx, e, p, q, options[0])
	if err != nil {
		return c, err
	}
	c = exported{question: q, verdict: v}
	c.Board = diagram.Diagram{Situation: q.Situation, Rules: q.Rules, Pips: true, NoCube: q.Situation.State.Length == 1, Texts: tr}
	c.ID, c.From = q.Situation.XGID(), tr.Phrase(q.Name)
	if q.Player != "" {
		c.From = q.origin(tr)
	}
	c.Question = asked(q, tr)
	c.Answer = append(c.Answer, tr.Phrase(answerWords[v.Best])+v.words(tr))
	for i, x := range v.Choices {
		line := fmt.Sprintf("%d. %s %s", i+1, tr.Phrase(answer(x.Answer)), tr.Number(figure.Text("%+.3f", x.Equity)))
		if x.StdErr > 0 {
			line += tr.Format(" ± %.3f", x.StdErr)
		}
		if i > 0 {
			line += tr.Number(figure.Text(" (%+.3f)", -x.Loss))
		}
		c.Answer = append(c.Answer, line)
	}
	why, err := Reason(ctx, e, p, q, &v, "")
	if err != nil {
		return c, err
	}
	if text := why.Text(tr); text != "" {
		c.Answer = append(c.Answer, text)
	}
	for _, x := range v.Cubes {
		c.Answer = append(c.Answer, tr.T(cubeOwners[x.Owner], x.Play, tr.Number(figure.Text("%+.3f", x.Value))))
	}
	return c, nil
}

// origin is who erred where, when and how much it lost.
func (q *Question) origin(c *texts.Catalogue) string {
	text := c.T("{0} against {1}, lost {2}", c.Who(q.Player), c.Who(q.Opponent), c.Format("%.3f", q.Loss))
	if q.Date != "" {
		text += ", " + c.Date(q.Date)
	}
	return text
}

// cubeOwners are the lines on the best play for each owner of the cube.
var cubeOwners = map[string]string{
	"centre": texts.Key("Cube in the centre: {0} {1}"), "me": texts.Key("Cube mine: {0} {1}"), "opponent": texts.Key("Cube the opponent's: {0} {1}"),
}

// answerWords are the cube actions as cards write them.
var answerWords = map[string]string{
	roll: texts.Key("No double"), rollTake: texts.Key("No double, take"), rollPass: texts.Key("Too good, pass"), doubleTake: texts.Key("Double, take"), doublePass: texts.Key("Double, pass"),
}

func answer(text string) string {
	if word, ok := answerWords[text]; ok {
		return word
	}
	return text
}

// words are the best play, and how the values came about.
func (v *Assessment) words(c *texts.Catalogue) string {
	text := ""
	if answerWords[v.Best] == "" {
		text = v.Best
	}
	switch v.Source {
	case "exact":
		return text + c.T(" (exact)")
	case "rollout":
		return text + c.T(" (rolled out, {0} games)", v.Trials)
	case "analysis":
		return text + " (" + c.Counted(v.Depth) + ")"
	}
	return text
}

// asked is the question on the front of a card.
func asked(q *Question, c *texts.Catalogue) string {
	at := c.T("money")
	if st := q.Situation.State; st.Length > 0 {
		me, opp := st.Away()
		at = c.T("{0}-away against {1}-away", me, opp)
		if st.Crawford {
			at += c.T(", Crawford")
		}
	}
	switch q.Kind {
	case Play:
		return c.T("{0} to play ({1})", fmt.Sprintf("%d%d", q.Situation.Dice.A, q.Situation.Dice.B), at)
	case Take:
		return c.T("Doubled: was that right? Take or pass?") + " (" + at + ")"
	}
	return c.T("Double or roll? And after a double, take or pass?") + " (" + at + ")"
}

// Fields of the two note types.
var (
	playFields = []string{"Question", "Board", "Best", "Choices", "Cubes", "Source", "XGID"}
	cubeFields = []string{"Question", "Board", "Best", "Choices", "Source", "XGID"}
)

const (
	cardCSS = `.card{font-family:system-ui,sans-serif;font-size:18px;text-align:center;color:#1d2426;background:#fff}
.nightMode.card{color:#e6eaea;background:#22282a}
img{max-width:100%;height:auto}table{margin:.6em auto;border-collapse:collapse}td,th{padding:.2em .6em;text-align:left}td.n{text-align:right;font-variant-numeric:tabular-nums}
.best{font-weight:bold}.small{font-size:13px;opacity:.75}`
	front = `{{Board}}<p>{{Question}}</p>`
	back  = `{{FrontSide}}<hr id=answer><p class=best>{{Best}}</p>{{Choices}}`
	foot  = `<p class=small>{{Source}}<br>{{XGID}}</p>`
)

// ankiDeck makes a deck with a note type for plays and one for cube decisions. Boards are
// SVG files.
func ankiDeck(title string, cards []exported, tr *texts.Catalogue) *apkg.Deck {
	d := &apkg.Deck{Name: title, Media: map[string][]byte{}, Types: []apkg.NoteType{
		{Name: "fibsbot checker play", Fields: playFields, Front: front, Back: back + "{{#Cubes}}<p class=small>" + html.EscapeString(tr.T("Best play for each cube position")) + "</p>{{Cubes}}{{/Cubes}}" + foot, CSS: cardCSS},
		{Name: "fibsbot cube decision", Fields: cubeFields, Front: front, Back: back + foot, CSS: cardCSS},
	}}
	for i := range cards {
		c := &cards[i]
		q := c.question
		if q == nil {
			continue
		}
		drawn := c.Board
		drawn.Theme, drawn.Width = diagram.Plain, 560
		file := "fibsbot-" + q.ID + ".svg"
		d.Media[file] = []byte(drawn.SVG())
		var rows strings.Builder
		rows.WriteString("<table>")
		for k, x := range c.verdict.Choices {
			loss := ""
			if k > 0 {
				loss = tr.Number(figure.Text("%+.3f", -x.Loss))
			}
			fmt.Fprintf(&rows, "<tr><td>%s</td><td class=n>%s</td><td class=n>%s</td></tr>", html.EscapeString(tr.Phrase(answer(x.Answer))), tr.Number(figure.Text("%+.3f", x.Equity)), loss)
		}
		rows.WriteString("</table>")
		fields := []string{html.EscapeString(c.Question), `<img src="` + file + `" alt="">`, html.EscapeString(c.Answer[0]), rows.String()}
		kind := 1
		if q.Kind == Play {
			kind = 0
			cubes := ""
			for _, x := range c.verdict.Cubes {
				cubes += fmt.Sprintf("<tr><td>%s</td><td>%s</td><td class=n>%s</td></tr>", html.EscapeString(map[string]string{"centre": tr.T("cube in the centre"), "me": tr.T("cube mine"), "opponent": tr.T("cube theirs")}[x.Owner]), html.EscapeString(x.Play), tr.Number(figure.Text("%+.3f", x.Value)))
			}
			if cubes != "" {
				cubes = "<table>" + cubes + "</table>"
			}
			fields = append(fields, cubes)
		}
		tags := []string{"backgammon", tagged(q.From), tagged(string(q.Kind)), tagged(q.Phase), tagged(q.Plan)}
		d.Notes = append(d.Notes, apkg.Note{ID: q.ID, Type: kind, Fields: append(fields, html.EscapeString(c.From), html.EscapeString(c.ID)), Tags: tags})
	}
	return d
}

// tagged is a text as one of Anki's tags, which have no blanks.
func tagged(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, ":", "-")), "-")
}
