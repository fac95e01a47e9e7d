package report

import (
	"html/template"
	"strings"

	"fibsbot/internal/figure"
	"fibsbot/internal/texts"
)

// markSigns are how players write that a decision was wrong, by the words of a Row.Mark.
var markSigns = map[string]string{"doubtful": "?!", "bad": "?", "very_bad": "??"}

// esc makes text fit for HTML.
func esc(s string) string { return template.HTMLEscapeString(s) }

// luckSign is an arrow or two for the luck of a roll, nothing for ordinary dice.
func luckSign(c *texts.Catalogue, l int8) string {
	switch l {
	case 2:
		return `<i class=up title="` + esc(c.T("very lucky")) + `">▲▲</i>`
	case 1:
		return `<i class=up title="` + esc(c.T("lucky")) + `">▲</i>`
	case -1:
		return `<i class=dn title="` + esc(c.T("unlucky")) + `">▼</i>`
	case -2:
		return `<i class=dn title="` + esc(c.T("very unlucky")) + `">▼▼</i>`
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
