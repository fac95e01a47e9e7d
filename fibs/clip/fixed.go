package clip

import "strings"

// fixedGame reads the lines of a game that begin with fixed words.
func fixedGame(e *Event, line string) (rest string, ok bool) {
	c := cursor{line}
	switch line[0] {
	case 'P':
		switch {
		case c.lit("Please move "):
			e.Kind = PleaseMove
			return "", c.num(&e.Count) && c.lit(" piece") && c.opt("s") && c.dot()
		case c.lit("Please wait for "):
			e.Kind = AwaitAnswer
			return "", c.name(&e.Name) && (c.lit(" to accept, reject or redouble") || c.lit(" to accept or reject")) && c.dot()
		case c.lit("Player "):
			return "", playerStar(e, c)
		case c.lit("Pipcounts: "):
			e.Kind = CurrentPips
			return "", c.name(&e.Name) && c.lit(" ") && c.num(&e.Points) && c.blanks() &&
				c.name(&e.Other) && c.lit(" ") && c.num(&e.Count) && c.dot()
		}
	case 'I':
		switch {
		case c.lit("It's your turn to move"):
			e.Kind, e.Name = FirstMove, You
			return "", c.dot()
		case c.lit("It's your turn. Please roll or double"), c.lit("It's your turn to roll or double"):
			e.Kind, e.Asks = RollOrDouble, true
			return "", c.dot()
		}
	case 'S', 's':
		switch {
		case c.lit("Starting a new game with "):
			e.Kind = GameBegins
			return "", c.nameOrNone(&e.Name) && c.dot()
		case c.lit("score in "):
			e.Kind = Score
			return "", c.length(&e.Length) && c.opt(" point") && c.lit(" match: ") && c.blanks() &&
				c.name(&e.Name) && c.lit("-") && c.num(&e.Score[0]) && c.lit(" ") &&
				c.name(&e.Other) && c.lit("-") && c.num(&e.Score[1]) && c.dot()
		case c.lit("Score is "):
			e.Kind = OldScore
			return "", c.num(&e.Score[0]) && c.lit("-") && c.num(&e.Score[1]) && c.lit(" in ") &&
				c.matchLength(&e.Length) && c.lit(" match") && c.dot()
		}
	case 'T', 't':
		switch {
		case c.lit("Type 'join' if you want to play the next game"):
			e.Kind, e.Asks = JoinNext, true
			return "", true
		case c.lit("Type 'join "):
			e.Kind = InviteHint
			return "", c.name(&e.Name) && c.lit("' to accept") && c.dot()
		case c.lit("The only possible move is "):
			e.Kind = OnlyMove
			return "", c.steps(&e.Steps) && e.Steps.N > 0 && c.dot()
		case c.lit("The number on the doubling cube is now "):
			e.Kind = CubeNow
			return "", c.num(&e.Cube) && c.dot()
		case c.lit("turn: "):
			e.Kind = ResumeTurn
			return "", c.name(&e.Name) && c.dot()
		}
	case 'B':
		if c.lit("Bearing off: ") || c.lit("Bear off: ") {
			return bearsOff(e, c)
		}
	case 'm':
		switch {
		case c.lit("match length: "):
			e.Kind = ResumeLength
			return "", c.length(&e.Length) && c.dot()
		case c.lit("match length"):
			e.Kind = RatingLength
			return "", c.blanks() && c.lit("N=") && c.num(&e.Length) && c.end()
		}
	case 'u':
		if c.lit("unlimited match") {
			e.Kind, e.Length = ResumeLength, Unlimited
			return "", c.opt("length") && c.dot()
		}
	case 'p':
		if c.lit("points for ") {
			e.Kind = ResumePoints
			if at, _, found := strings.Cut(c.s, ":"); found && strings.Contains(at, " ") {
				c.opt("user ")
			}
			return "", c.name(&e.Name) && c.lit(": ") && c.num(&e.Points) && c.dot()
		}
	case 'W':
		if c.lit("WARNING: Don't accept if you want to continue the saved ") {
			return "", warnsSaved(e, c)
		}
	case 'C', 'N':
		return "", wentByNetwork(e, line)
	case 'O', 'X':
		if len(line) > 3 && line[1] == ':' && line[2] == ' ' {
			oldmovesLine(e, line)
			return "", true
		}
	}
	return "", false
}

// bearsOff reads a greedy bear-off, behind which the move may be glued.
func bearsOff(e *Event, c cursor) (rest string, ok bool) {
	e.Kind = BearsOff
	for c.s != "" && isDigit(c.s[0]) {
		if e.Steps.N == MaxSteps || !c.point(&e.Steps.List[e.Steps.N].From) || !c.lit(" o") {
			return "", false
		}
		e.Steps.N++
		c.blanks()
	}
	if e.Steps.N == 0 {
		return "", false
	}
	if c.s != "" && c.s[0] != '.' {
		return c.s, true
	}
	return "", c.dot()
}

// wentByNetwork reads the lines about a lost opponent that do not begin with
// his name.
func wentByNetwork(e *Event, line string) bool {
	c := cursor{line}
	switch {
	case c.lit("Connection timed out"):
		e.Kind = YouTimedOut
		return c.dot()
	case c.lit("Connection with "):
		if at, _, found := strings.Cut(c.s, " timed out"); found && strings.Contains(at, " ") {
			c.opt("user ")
		}
		return c.name(&e.Name) && c.lit(" timed out.") && gone(e, c, CauseTimeout)
	case c.lit("Network error with "):
		return c.name(&e.Name) && c.lit(".") && gone(e, c, CauseNetwork)
	case c.lit("Closed old connection with user "):
		if !c.name(&e.Name) || !c.lit(".") {
			return false
		}
		if c.s == "" {
			e.Kind, e.Cause = GameSaved, CauseReplaced
			return true
		}
		if gone(e, c, CauseReplaced) {
			return true
		}
		c = cursor{" The game was saved"}
		return strings.HasSuffix(line, "The game was saved.") && gone(e, c, CauseReplaced)
	default:
		return false
	}
}

// oldmovesLine reads a line of a move list.
func oldmovesLine(e *Event, line string) {
	e.Side = Side(line[0])
	text := line[3:]
	switch text {
	case "doubles":
		e.Kind = OldDoubles
	case "accepts":
		e.Kind = OldAccepts
	case "rejects":
		e.Kind = OldRejects
	case "wants to resign":
		e.Kind = OldResigns
	case "wins":
		e.Kind = OldWins
	default:
		c := cursor{text}
		e.Kind = OldMove
		if c.lit("(") && c.die(&e.Dice[0]) && c.lit(" ") && c.die(&e.Dice[1]) && c.lit(")") {
			if c.blanks(); strings.HasPrefix(c.s, "can't move") || c.steps(&e.Steps) && c.end() {
				return
			}
		}
		*e = Event{Kind: OldOther, Side: e.Side, Text: text}
	}
}

// fixedLobby reads the lines around invitations and settings that begin with
// fixed words.
func fixedLobby(e *Event, line string) bool {
	c := cursor{line}
	switch {
	case c.lit("You're now watching "):
		e.Kind = YouWatch
		return c.name(&e.Name) && c.dot()
	case c.lit("You're away. Please type 'back'"):
		e.Kind = YouAreAway
		return c.dot()
	case c.lit("Your game with "):
		e.Kind, e.Cause, e.Name = GameSaved, CauseLogout, You
		return c.name(&e.Other) && c.lit(" was saved") && c.dot()
	case c.lit("Your game was saved in the panic file"):
		e.Kind = PanicSaved
		return c.dot()
	case c.lit("Your email address is '"):
		e.Kind = AddressSet
		return c.until("'", &e.Text) && c.dot()
	case c.lit("Your name will be "):
		e.Kind = GuestNameOK
		return c.name(&e.Name) && c.dot()
	case c.lit("Your password may not contain ':'"):
		e.Kind = GuestPasswordColon
		return c.dot()
	case c.lit("Welcome back"):
		e.Kind = WelcomeBack
		return c.dot()
	case c.lit("Welcome to "):
		e.Kind = GuestWelcome
		return c.until(". You just logged in as guest", &e.Name) && c.dot()
	case c.lit("Value of '"):
		if !c.until("'", &e.Name) {
			return false
		}
		switch {
		case c.lit(" set to "):
			e.Kind = VariableSet
		case c.lit(" is "):
			e.Kind = VariableValue
		default:
			return false
		}
		e.Text = strings.Trim(strings.TrimSuffix(c.s, "."), "'")
		return e.Text != ""
	case c.lit("Settings saved"):
		e.Kind = SettingsSaved
		return c.dot()
	case c.lit("Settings of variables:"):
		e.Kind = VariableHeader
		return c.end()
	case c.lit("The current settings are:"):
		e.Kind = ToggleHeader
		return c.end()
	case c.lit("Can't find timezone '"):
		e.Kind, e.Text = SetRefused, line
		return c.until("'. Try one of:", &e.Name)
	case c.lit("Password changed"):
		e.Kind = PasswordChanged
		return c.dot()
	case c.lit("no saved games"):
		e.Kind = SavedNone
		return c.dot()
	case c.lit("opponent "):
		e.Kind = SavedHeader
		return strings.Contains(c.s, "matchlength")
	case c.lit("There are no new messages for you"):
		e.Kind = MailNone
		return c.dot()
	case c.lit("There are messages for you:"):
		e.Kind = MailHeader
		return c.end()
	case c.lit("There are "):
		e.Kind = WhoCount
		return c.num(&e.Count) && c.lit(" users logged on") && c.dot()
	case c.lit("None of the users is away"):
		e.Kind = AwayList
		return c.dot()
	case c.lit("The following users are away:"):
		e.Kind, e.On = AwayList, true
		return c.end()
	case c.lit("The command `"):
		e.Kind = NotImplemented
		return c.until("' is not yet implemented", &e.Text) && c.dot()
	case c.lit("Ambigous name: Try one of:"), c.lit("Ambiguous name: Try one of:"):
		e.Kind = NameList
		return c.blanks() && c.rest(&e.Text)
	}
	return settingRow(e, line)
}

// settingRow reads a row of the lists that toggle and set print.
func settingRow(e *Event, line string) bool {
	c := cursor{line}
	if !c.name(&e.Name) {
		return false
	}
	switch e.Name {
	case "boardstyle", "linelength", "pagelength", "redoubles", "sortwho", "timezone":
		e.Kind = VariableRow
		return c.lit(":") && c.blanks() && c.word(&e.Text) && c.end()
	}
	switch c.blanks(); c.s {
	case "YES":
		e.On = true
	case "NO":
	default:
		return false
	}
	e.Kind = ToggleRow
	for t := range switchNames {
		if switchNames[t] == e.Name {
			return true
		}
	}
	return false
}
