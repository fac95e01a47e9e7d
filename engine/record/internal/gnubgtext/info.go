package gnubgtext

import (
	"fmt"
	"strconv"
	"strings"

	"fibsbot/engine/record"
)

// info reads a line of "Match Information".
func (g *reader) info(text string) {
	m := g.s.Match
	if g.at == comment {
		if strings.TrimSpace(text) == "" {
			g.at = info
		} else if len(m.Comment)+len(text) < maxNote {
			m.Comment += "\n" + text
		}
		return
	}
	if w := winsLine.FindStringSubmatch(text); w != nil && g.player(w[1]) >= 0 {
		_ = g.wins(w) // a game of nothing but its result: the error would come again
		return
	}
	if i := strings.LastIndex(text, "'s rating: "); i > 0 {
		if p := g.player(text[:i]); p >= 0 {
			m.Players[p].Rating = text[i+len("'s rating: "):]
		}
		return
	}
	key, value, _ := strings.Cut(text, ": ")
	value = strings.TrimSpace(value)
	switch key {
	case "Date":
		g.date(value)
	case "Event":
		m.Event = value
	case "Round":
		m.Round = value
	case "Place":
		m.Place = value
	case "Annotator":
		m.Annotator = value
	case "Comments":
		m.Comment, g.at = value, comment
	}
}

// date takes the day of the match. One whose month and day could change places waits for
// the end of the file, where another day may tell their order.
func (g *reader) date(text string) {
	m := g.s.Match
	first, second := date(text, false), date(text, true)
	switch {
	case text == "":
	case first == "" && second == "":
		g.s.Warn("cannot read the date %.40q", text)
	case first == second:
		m.Date = first
	case first == "" || second == "":
		m.Date = first + second
		g.order[second != ""] = true
	default:
		m.Date = text
		g.unsure = append(g.unsure, unsure{m, g.line, text})
	}
}

// unsure is a day that can be read in two ways.
type unsure struct {
	m    *record.Match
	line int
	text string
}

// days settles the days that can be read in two ways, in the order of the others of the
// file. Without one a year of two digits is that of the C locale, whose month comes first;
// any other day is kept as it is written.
func (g *reader) days() {
	for _, d := range g.unsure {
		short := len(d.text)-strings.LastIndexAny(d.text, "/-") <= len("/24")
		switch {
		case g.order[true] != g.order[false]:
			d.m.Date = date(d.text, g.order[true])
		case short:
			d.m.Date = date(d.text, false)
		default:
			if len(g.warnings) < maxWarnings {
				g.warnings = append(g.warnings, record.Warning{Line: d.line, Text: fmt.Sprintf("the date %s may be %s or %s: kept as it is written", d.text, date(d.text, false), date(d.text, true))})
			}
		}
	}
}

// date reads a day as gnubg writes it in the language it runs in: MM/DD/YYYY, DD/MM/YYYY,
// DD.MM.YYYY, YYYY-MM-DD and others, with dayFirst where a stroke or hyphen does not say.
// Empty if it is not a day.
func date(text string, dayFirst bool) string {
	sep := strings.IndexAny(text, "/.-")
	if sep < 0 {
		return ""
	}
	f := strings.Split(strings.TrimRight(text, "."), text[sep:sep+1])
	if len(f) != 3 {
		return ""
	}
	var n [3]int
	for i, s := range f {
		v, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || v < 0 || v > 9999 {
			return ""
		}
		n[i] = v
	}
	year, month, day := n[2], n[0], n[1]
	switch {
	case len(f[0]) == 4:
		year, month, day = n[0], n[1], n[2]
	case text[sep] == '.' || dayFirst:
		month, day = day, month
	}
	switch {
	case year < 70:
		year += 2000
	case year < 100:
		year += 1900
	}
	if month < 1 || month > 12 || day < 1 || day > 31 {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", year, month, day)
}
