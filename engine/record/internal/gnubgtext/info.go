package gnubgtext

import (
	"fmt"
	"strconv"
	"strings"
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
		if m.Date = date(value); m.Date == "" && value != "" {
			g.s.Warn("cannot make anything of the date %.40q", value)
		}
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

// date reads a day as gnubg writes it in the language it runs in: MM/DD/YY in English,
// DD.MM.YYYY and others elsewhere. Where month and day could change places the month
// comes first. Empty where it is no day.
func date(text string) string {
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
	case text[sep] == '.' || month > 12:
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
