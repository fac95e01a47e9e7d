package report

import (
	"encoding/json"
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"fibsbot/engine/record"
	"fibsbot/internal/figure"
	"fibsbot/internal/texts"
)

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
var inScript = regexp.MustCompile(`say\('([^']+)'`)

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
