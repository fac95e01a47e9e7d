package gnubgtext

import (
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
		if m.Date = value; value != "" && (&record.Days{}).Day(value) == "" && !record.Ambiguous(value) {
			g.s.Warn("cannot read the date %.40q", value)
			m.Date = ""
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
