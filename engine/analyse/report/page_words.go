package report

import (
	"fmt"
	"html/template"
	"strings"

	"fibsbot/internal/figure"
	"fibsbot/internal/texts"
)

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
