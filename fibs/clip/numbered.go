package clip

import (
	"cmp"
	"strings"
)

// The kinds of the codes that stand alone, of talk (a name and a text), and of echoes (a text).
var (
	bareCodes = map[int]Kind{3: MotdBegin, 4: MotdEnd, 6: PlayersEnd}
	talkCodes = map[int]Kind{12: Says, 13: Shouts, 14: Whispers, 15: Kibitzes, 16: YouSay, 20: Alerts}
	echoCodes = map[int]Kind{17: YouShout, 18: YouWhisper, 19: YouKibitz}
)

// numbered reads the lines that begin with a CLIP code. It reports false for
// a line that only happens to begin with a digit.
func (p *Parser) numbered(e *Event, line string) bool {
	code, text, more := strings.Cut(line, " ")
	n, ok := parseNumber(code)
	if !ok || n > 99 {
		return false
	}
	if p.phase == beforeLogin {
		if p.hand {
			e.Kind, e.Text = BogusLine, line
			return true
		}
		return n == 1 && welcome(e, text)
	}
	if !more {
		// An echo of nothing but blanks has lost them.
		e.Kind = cmp.Or(bareCodes[n], echoCodes[n])
		return e.Kind != Unknown
	}
	if !coded(e, n, line, text) {
		*e = Event{Kind: ClipOther, Count: n, Text: text}
	}
	return true
}

// coded reads a line of code n, which text follows.
func coded(e *Event, n int, line, text string) bool {
	c := cursor{text}
	switch n {
	case 1:
		return welcome(e, text)
	case 2:
		s, ok := ParseSettings(line)
		e.Kind, e.Name, e.Settings = OwnInfo, s.Name, &s
		return ok
	case 5:
		p, ok := ParsePlayer(line)
		if ok {
			e.Kind, e.Name, e.Player = PlayerLine, p.Name, p
		}
		return ok
	case 7:
		e.Kind = LogsIn
		ok := c.name(&e.Name) && c.lit(" ") && c.rest(&e.Text)
		e.On = strings.HasSuffix(e.Text, " again.")
		return ok
	case 8:
		e.Kind = LogsOut
		ok := c.name(&e.Name) && c.lit(" ") && c.rest(&e.Text)
		e.Cause = cmp.Or(causeOf(e.Text, e.Name), CauseOther)
		return ok
	case 9:
		e.Kind = Mail
		return c.name(&e.Name) && c.lit(" ") && c.time(&e.When) && c.blanks() && c.rest(&e.Text)
	case 10, 11:
		e.Kind = MailDelivered
		if n == 11 {
			e.Kind = MailSaved
		}
		return c.name(&e.Name) && c.end()
	}
	if e.Kind = echoCodes[n]; e.Kind != Unknown {
		e.Text = text
		return true
	}
	e.Kind = talkCodes[n]
	return e.Kind != Unknown && c.name(&e.Name) && (c.s == "" || c.lit(" ")) && c.rest(&e.Text)
}

// welcome reads what follows code 1.
func welcome(e *Event, text string) bool {
	c := cursor{text}
	e.Kind = Welcome
	return c.name(&e.Name) && c.lit(" ") && c.time(&e.When) && c.lit(" ") && c.word(&e.Text) && c.end()
}

// causeOf reads why a player left from sentences such as "bob logs out.", whatever follows
// the full stop.
func causeOf(text, name string) Cause {
	is := func(before, after string) bool {
		c := cursor{text}
		return c.lit(before) && c.lit(name) && c.lit(after)
	}
	switch {
	case is("", " logs out."):
		return CauseLogout
	case is("", " drops connection."):
		return CauseDropped
	case is("Connection with user ", " timed out."), is("Connection with ", " timed out."):
		return CauseTimeout
	case is("Network error with ", ""):
		return CauseNetwork
	case is("Closed old connection with user ", "."):
		return CauseReplaced
	default:
		return CauseNone
	}
}
