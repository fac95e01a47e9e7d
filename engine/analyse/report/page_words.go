package report

import (
	"html/template"
	"strings"

	"fibsbot/internal/figure"
)

// markSigns are how players write that a decision was wrong, by the words of a Row.Mark.
var markSigns = map[string]string{"doubtful": "?!", "bad": "?", "very_bad": "??"}

// esc makes text fit for HTML.
func esc(s string) string { return template.HTMLEscapeString(s) }

// luckSign is an arrow or two for the luck of a roll, nothing for ordinary dice.
func luckSign(l int8) string {
	switch l {
	case 2:
		return `<i class=up title="very lucky">▲▲</i>`
	case 1:
		return `<i class=up title="lucky">▲</i>`
	case -1:
		return `<i class=dn title="unlucky">▼</i>`
	case -2:
		return `<i class=dn title="very unlucky">▼▼</i>`
	}
	return ""
}

// percents writes chances as 61.2 · 14.0 · 0.3.
func percents(v ...float64) string {
	var w []string
	for _, x := range v {
		w = append(w, figure.Text("%.1f", 100*x))
	}
	return strings.Join(w, " · ")
}

// percentDiff is a difference of chances as pages show it.
func percentDiff(v float64) string {
	return typographic(figure.Signed(100*v, 2) + "%")
}

// printed is an equity as pages show it: signed, with the minus sign of print.
func printed(x float64) string { return typographic(signed(x)) }

// typographic turns the hyphens of numbers into minus signs.
func typographic(s string) string { return strings.ReplaceAll(s, "-", "−") }
