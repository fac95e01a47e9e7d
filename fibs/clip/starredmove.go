package clip

import "strings"

// ordinal takes "first" to "fourth".
func (c *cursor) ordinal(into *int) bool {
	for i, w := range [...]string{"first", "second", "third", "fourth"} {
		if c.lit(w) {
			*into = i + 1
			return true
		}
	}
	return false
}

// starredMoves reads the refusals of the move command.
func starredMoves(e *Event, text string) bool {
	e.Kind, e.Text = MoveRefused, text
	c := cursor{text}
	var word string
	inMove := func() bool { return c.lit(" in your ") && c.ordinal(&e.Count) && c.lit(" move") && c.dot() }
	switch {
	case c.lit("You must give "):
		return c.num(&e.Count) && c.lit(" move") && c.opt("s") && c.dot()
	case c.lit("Please don't give more than "):
		return c.num(&e.Count) && c.lit(" move") && c.opt("s") && c.dot()
	case c.lit("You can't move from "):
		return c.opt("the ") && c.name(&word) && inMove()
	case c.lit("You can't move to "):
		return c.name(&word) && inMove()
	case c.lit("You have to remove pieces from the bar"), c.lit("You can't remove this piece"),
		c.lit("You can't move home"):
		return inMove()
	case c.lit("You can't move "):
		var n int
		if strings.Contains(c.s, " point") {
			return c.num(&n) && c.lit(" point") && c.opt("s") && inMove()
		}
		return c.name(&word) && c.lit("-home") && inMove()
	case c.ordinal(&e.Count):
		return c.lit(" move: legal words are ")
	default:
		return false
	}
}

// starredArguments reads the lines with two stars that repeat an argument of
// ours or tell a number.
func starredArguments(e *Event, text string) bool {
	c := cursor{text}
	e.Text = text
	switch {
	case c.lit("Unknown command: '"):
		e.Kind = UnknownCommand
		e.Text = strings.TrimSuffix(c.s, "'")
		return strings.HasSuffix(c.s, "'")
	case c.lit("Not yet implemented: '"):
		e.Kind = NotImplemented
		return c.until("'", &e.Text) && c.dot()
	case c.lit("Don't know how to toggle "):
		e.Kind, e.Text = ToggleUnknown, ""
		return c.word(&e.Name) && c.end()
	case c.lit("Don't know how to show "):
		e.Kind = Usage
		return c.word(&e.Name) && c.end()
	case c.lit("Unknown value '"):
		e.Kind = SetRefused
		return c.until("'. Try ", &e.Name)
	case c.lit("This redouble is not a"):
		e.Kind = CantRedouble
		return true
	case c.lit("System administrator causes shutdown"):
		e.Kind, e.Text = Attention, "shut down"
		return true
	case c.lit("The Crawford rule doesn't"):
		e.Kind = CrawfordNoDouble
		return true
	case c.lit("You can't play a "):
		e.Kind = BadLength
		return c.num(&e.Length) && c.lit(" point match") && c.dot()
	case c.lit("The game is already over"), c.lit("The match is already over"):
		e.Kind, e.Text = GameIsOver, strings.Fields(text)[1]
		return c.dot()
	case c.lit("usage: "), c.lit("Usage: "), c.lit("Tell "),
		c.lit("invalid range from "), c.lit("range currently limited to "),
		c.lit("Please give a positive number after '"), c.lit("Please use only one of the given names "):
		e.Kind = Usage
		return true
	case c.lit("Gagged users: "):
		e.Kind = GagList
		return c.rest(&e.Text)
	case c.lit("Blinded users: "):
		e.Kind = BlindList
		return c.rest(&e.Text)
	case c.lit("Version "):
		e.Kind = Version
		return c.rest(&e.Text)
	case c.lit("Last login: "):
		e.Kind = TelnetGreeting
		return true
	case c.lit("You just logged in a second time from "):
		e.Kind = SecondLogin
		return c.until(", terminating", &e.Text)
	case c.lit("Please use another name. '"):
		e.Kind, e.Text = GuestNameTaken, ""
		return c.until("' is already used by someone else", &e.Name) && c.dot()
	case c.lit("Please use a name with at most "):
		e.Kind, e.Text = GuestNameLong, ""
		return c.num(&e.Count) && c.lit(" characters") && c.dot()
	case c.lit("'"):
		e.Kind = Refused
		return c.until("' is not an email address", &e.Name) && c.dot()
	case c.lit("WARNING: Don't accept if you want to continue the saved "):
		return warnsSaved(e, c)
	case c.lit("Ambigous name: Try one of: "), c.lit("Ambiguous name: Try one of: "):
		e.Kind = NameList
		return c.rest(&e.Text)
	case c.num(&e.Count):
		e.Kind, e.Text = Heard, ""
		return c.lit(" user") && c.opt("s") && c.lit(" heard you") && c.dot()
	default:
		return false
	}
}

// warnsSaved reads the tail of the warning that an invitation would destroy a
// saved match.
func warnsSaved(e *Event, c cursor) bool {
	e.Kind, e.Text = WarnsSaved, ""
	if !c.length(&e.Length) {
		return false
	}
	return c.opt(" point") && c.lit(" match!") && c.end()
}
