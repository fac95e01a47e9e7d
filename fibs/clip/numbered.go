package clip

import (
	"strconv"
	"strings"
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
		switch n {
		case 3:
			e.Kind = MotdBegin
		case 4:
			e.Kind = MotdEnd
		case 6:
			e.Kind = PlayersEnd
		case 17, 18, 19:
			// An echo of nothing but blanks.
			e.Kind = [...]Kind{YouShout, YouWhisper, YouKibitz}[n-17]
		default:
			return false
		}
		return true
	}
	c := cursor{text}
	switch n {
	case 1:
		ok = welcome(e, text)
	case 2:
		var s Settings
		if s, ok = ParseSettings(line); ok {
			e.Kind, e.Name, e.Settings = OwnInfo, s.Name, &s
		}
	case 5:
		var pl Player
		if pl, ok = ParsePlayer(line); ok {
			e.Kind, e.Name, e.Player = PlayerLine, pl.Name, &pl
		}
	case 7:
		e.Kind = LogsIn
		ok = c.name(&e.Name) && c.lit(" ") && c.rest(&e.Text)
		e.On = strings.HasSuffix(e.Text, " again.")
	case 8:
		e.Kind = LogsOut
		ok = c.name(&e.Name) && c.lit(" ") && c.rest(&e.Text)
		if e.Cause = causeOf(e.Text, e.Name); e.Cause == CauseNone {
			e.Cause = CauseOther
		}
	case 9:
		var when string
		e.Kind = Mail
		ok = c.name(&e.Name) && c.lit(" ") && c.word(&when) && c.blanks() && c.rest(&e.Text)
		if ok {
			var err error
			e.When, err = strconv.ParseInt(when, 10, 64)
			ok = err == nil
		}
	case 10:
		e.Kind = MailDelivered
		ok = c.name(&e.Name) && c.end()
	case 11:
		e.Kind = MailSaved
		ok = c.name(&e.Name) && c.end()
	case 12, 13, 14, 15, 16, 20:
		switch n {
		case 12:
			e.Kind = Says
		case 13:
			e.Kind = Shouts
		case 14:
			e.Kind = Whispers
		case 15:
			e.Kind = Kibitzes
		case 16:
			e.Kind = YouSay
		default:
			e.Kind = Alerts
		}
		ok = c.name(&e.Name) && (c.s == "" || c.lit(" ")) && c.rest(&e.Text)
	case 17:
		e.Kind, e.Text = YouShout, text
	case 18:
		e.Kind, e.Text = YouWhisper, text
	case 19:
		e.Kind, e.Text = YouKibitz, text
	default:
		ok = false
	}
	if !ok {
		*e = Event{Kind: ClipOther, Count: n, Text: text}
	}
	return true
}

// welcome reads what follows code 1.
func welcome(e *Event, text string) bool {
	var when string
	c := cursor{text}
	if !(c.name(&e.Name) && c.lit(" ") && c.word(&when) && c.lit(" ") && c.word(&e.Text) && c.end()) {
		return false
	}
	var err error
	e.When, err = strconv.ParseInt(when, 10, 64)
	e.Kind = Welcome
	return err == nil
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
