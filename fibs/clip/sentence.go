package clip

import (
	"slices"
	"strings"
)

// sentence reads the lines that begin with a letter.
func sentence(e *Event, line string) (rest string, ok bool) {
	if len(line) > 3 && (line[0] == 'O' || line[0] == 'X') && line[1] == ':' && line[2] == ' ' {
		oldmovesLine(e, line)
		return "", true
	}
	if rest, ok = tables()["sentence"].read(e, line); ok {
		return rest, true
	}
	return "", toggleRow(e, line)
}

// oldKinds are the lines of a move list without dice.
var oldKinds = map[string]Kind{"doubles": OldDoubles, "accepts": OldAccepts, "rejects": OldRejects, "wants to resign": OldResigns, "wins": OldWins}

// oldmovesLine reads a line of a move list.
func oldmovesLine(e *Event, line string) {
	text := line[3:]
	e.Kind, e.Side = oldKinds[text], Side(line[0])
	if e.Kind != Unknown {
		return
	}
	c := cursor{text}
	if c.lit("(") && c.die(&e.Dice[0]) && c.lit(" ") && c.die(&e.Dice[1]) && c.lit(")") {
		if c.blanks(); strings.HasPrefix(c.s, "can't move") || c.steps(&e.Steps) && c.end() {
			e.Kind = OldMove
			return
		}
	}
	*e = Event{Kind: OldOther, Side: e.Side, Text: text}
}

// toggleRow reads a row of the list that toggle prints.
func toggleRow(e *Event, line string) bool {
	c := cursor{line}
	if !c.name(&e.Name) || !slices.Contains(switchNames[:], e.Name) {
		return false
	}
	c.blanks()
	e.Kind, e.On = ToggleRow, c.s == "YES"
	return e.On || c.s == "NO"
}

// indented reads the lines that begin with a blank: rows of lists.
func indented(e *Event, line string) bool {
	if stars, row := 0, line; strings.HasPrefix(line, " *") || strings.HasPrefix(line, "  ") {
		if line[1] == '*' {
			stars = 1
		}
		if savedRow(e, row[2:], stars) {
			return true
		}
	}
	_, ok := tables()["indented"].read(e, strings.TrimLeft(line, " \t"))
	return ok
}

// savedRow reads a row of show saved behind its stars.
func savedRow(e *Event, line string, stars int) bool {
	c := cursor{line}
	*e = Event{Kind: SavedRow, Count: stars}
	return c.name(&e.Name) && c.blanks() && c.length(&e.Length) && c.blanks() &&
		c.num(&e.Score[0]) && c.blanks() && c.lit("-") && c.blanks() && c.num(&e.Score[1]) && c.end()
}

// starred reads the lines that begin with a star.
func starred(e *Event, line string) (rest string, ok bool) {
	switch {
	case strings.HasPrefix(line, "*** "):
		threeStars(e, line[4:])
		return "", true
	case strings.HasPrefix(line, "** "):
		return twoStars(e, line[3:]), true
	case strings.HasPrefix(line, "**"):
		return "", savedRow(e, line[2:], 2)
	default:
		_, ok = tables()["indented"].read(e, strings.TrimLeft(line[1:], " ")) // ratings of players who are on line
		return "", ok
	}
}

// threeStars reads announcements to all users.
func threeStars(e *Event, text string) {
	e.Kind, e.Text = Notice, text
	c := cursor{text}
	switch {
	case text == "running dice test:", strings.HasPrefix(text, "Why would you want to do that"):
		e.Kind, e.Text = Known, ""
		return
	case !c.lit("ATTENTION ! FIBS will "):
		return
	}
	e.Kind = Attention
	switch {
	case c.lit("restart"):
		e.Text = "restart"
	case c.lit("shut down"):
		e.Text = "shut down"
	default:
		e.Text = c.s
		return
	}
	n := 0
	if !c.lit(" in ") || !c.num(&n) {
		return
	}
	switch {
	case c.lit(" minute"):
		n *= 60
	case c.lit(" hour"):
		n *= 3600
	}
	e.Count = n
}

// twoStars reads answers to us, most of them refusals.
func twoStars(e *Event, text string) (rest string) {
	stars := tables()["stars"]
	rest, ok := stars.read(e, text)
	if ok {
		return rest
	}
	// A compatible server forgets the line end behind some refusals.
	if at := strings.Index(text, ".** "); at >= 0 {
		if _, ok = stars.read(e, text[:at+1]); ok {
			return text[at+1:]
		}
	}
	*e = Event{Kind: Refused, Text: text}
	if strings.HasSuffix(text, "The game was saved.") {
		e.Kind, e.Cause, e.Text = GameSaved, CauseOther, ""
	}
	return ""
}
