package clip

import "strings"

// fixedList reads the lines of lists and of the rating calculation that begin
// with fixed words.
func fixedList(e *Event, line string) bool {
	c := cursor{line}
	switch {
	case c.lit("rating calculation:"):
		e.Kind = RatingBegin
		return c.end()
	case c.lit("rating difference D="):
		e.Kind = RatingDifference
		return c.decimal(&e.Value) && c.end()
	case c.lit("Experience: "):
		e.Kind = RatingExperience
		return c.name(&e.Name) && c.lit(" ") && c.num(&e.Points) && c.lit(" - ") &&
			c.name(&e.Other) && c.lit(" ") && c.num(&e.Count) && c.end()
	case c.lit("Probability that underdog wins: Pu=1/(10^(D*sqrt(N)/2000)+1)="):
		e.Kind = RatingUnderdog
		return c.decimal(&e.Value) && c.end()
	case c.lit("P="):
		e.Kind = RatingChance
		return c.decimal(&e.Value) && c.lit(" is 1-Pu if underdog wins and Pu if favorite wins") && c.end()
	case c.lit("K=max(1"):
		e.Kind = RatingK
		return c.opt(" ") && c.lit(",") && c.blanks() && c.lit("-Experience/100+5) for ") &&
			c.name(&e.Name) && c.lit(": ") && c.decimal(&e.Value) && c.end()
	case c.lit("change for "):
		e.Kind = RatingChange
		return c.name(&e.Name) && c.lit(": ") && c.opt("-") && c.lit("4*K*sqrt(N)*P=") &&
			c.decimal(&e.Value) && c.end()
	case c.lit("Information about "):
		e.Kind = WhoisHeader
		return c.name(&e.Name) && c.lit(":") && c.end()
	case c.lit("No information found on user "):
		e.Kind = WhoisNone
		return c.name(&e.Name) && c.dot()
	case c.lit("No  S  username"):
		e.Kind = WhoHeader
		return true
	case c.lit("who:  "):
		e.Kind = WhoRow
		return c.blanks() && c.rest(&e.Text)
	case c.lit("List of games:"):
		e.Kind = GamesHeader
		return c.end()
	case c.lit("Watching players:"):
		e.Kind = WatchersHeader
		e.On = c.lit(" none")
		return c.dot()
	case c.lit("max_logins is "):
		e.Kind = ShowMax
		return c.num(&e.Count) && c.lit(" (maximum: ") && c.num(&e.Points) && c.lit(")") && c.end()
	case c.lit("The server is running on port "):
		e.Kind = Port
		return c.num(&e.Count) && c.dot()
	case c.lit("The server is running since "):
		e.Kind = RunningSince
		e.Text = strings.TrimSuffix(c.s, ".")
		return true
	case c.lit("Time (UTC) "), c.lit("n: "), c.lit("S: "), c.lit("T: "),
		// stat of the embedded server
		c.lit("Memory in use: "), c.lit("Accounts: "), c.lit("Users on line: "), c.lit("Saved matches: "):
		e.Kind, e.Text = StatRow, line
		return true
	case c.lit("The "):
		e.Kind = LastHeader
		return c.num(&e.Count) && c.lit(" last logins/logouts:") && c.end()
	case c.lit("Done"):
		e.Kind = Done
		return c.lit(".") && c.end()
	case c.lit("Why would you want to do that"):
		e.Kind = ServerJoke
		return true
	}
	return lastRow(e, line)
}

// statRow reads the rows of stat, average and dicetest that begin with a figure
// which is no code: "1234 accounts", "23:00-00:00 ...", "6: 1667", "6-1 278".
func statRow(e *Event, line string) bool {
	var n int
	c := cursor{line}
	*e = Event{Kind: StatRow, Text: line}
	if !c.num(&n) {
		return false
	}
	switch {
	case c.lit(" bytes"), c.lit(" accounts"), c.lit(" ratings saved"), c.lit(" registered users"):
		return true
	case c.lit("("):
		return c.num(&n) && c.lit(") saved games ")
	case c.lit(": "), c.lit("-1 "):
		return c.blanks() && c.num(&n)
	default:
		return c.lit(":") && c.num(&n) && c.lit("-") && c.num(&n) && c.lit(":")
	}
}

// lastRow reads "Wed 11:08 UTC: bob drops connection."
func lastRow(e *Event, line string) bool {
	if len(line) < 10 || line[3] != ' ' {
		return false
	}
	var hours, minutes int
	c := cursor{line[4:]}
	if !c.num(&hours) || !c.lit(":") || !c.num(&minutes) || !c.lit(" ") {
		return false
	}
	e.Kind, e.Text = LastRow, line[:len(line)-len(c.s)-1]
	return c.name(&e.Name) && c.lit(": ") && c.rest(&e.Other)
}

// indented reads the lines that begin with a blank: rows of lists.
func indented(e *Event, line string) bool {
	c := cursor{strings.TrimLeft(line, " \t")}
	switch {
	case c.lit("opponent "):
		e.Kind = SavedHeader
		return strings.Contains(c.s, "matchlength")
	case c.lit("rank name "):
		e.Kind = RatingsHeader
		return true
	case c.lit("Goodbye."), c.lit("Thanks for playing."):
		e.Kind = Goodbye
		return c.end()
	case c.lit("One account per person only!"):
		e.Kind = Banner
		return c.end()
	case c.lit("gives up. "):
		// A compatible server that lost the opponent's name.
		e.Kind, e.Result = GameOver, ByDrop
		if !c.name(&e.Name) || !(c.lit(" wins ") || c.lit(" win ")) {
			return false
		}
		_, ok := gameWon(e, c)
		return ok
	}
	for _, row := range [...]func(*Event, string) bool{starRow, whoisRow, plainSavedRow, ratingsRow, whoRow} {
		*e = Event{}
		if row(e, line) {
			return true
		}
	}
	return false
}

func starRow(e *Event, line string) bool {
	return strings.HasPrefix(line, " *") && savedRow(e, line[2:], 1)
}

func plainSavedRow(e *Event, line string) bool {
	return strings.HasPrefix(line, "  ") && savedRow(e, line[2:], 0)
}

// savedRow reads a row of show saved behind its stars.
func savedRow(e *Event, line string, stars int) bool {
	c := cursor{line}
	e.Kind, e.Count = SavedRow, stars
	return c.name(&e.Name) && c.blanks() && c.length(&e.Length) && c.blanks() &&
		c.num(&e.Score[0]) && c.blanks() && c.lit("-") && c.blanks() && c.num(&e.Score[1]) && c.end()
}

// ratingsRow reads a row of ratings, with or without its star.
func ratingsRow(e *Event, line string) bool {
	c := cursor{line}
	e.Kind = RatingsRow
	return c.blanks() && c.num(&e.Count) && c.lit(" ") && c.name(&e.Name) && c.lit(" ") && c.blanks() &&
		c.decimal(&e.Value) && c.lit(" ") && c.blanks() && c.num(&e.Points) && c.end()
}

// whoRow reads a row of who in telnet mode: number, marks, name and so on.
func whoRow(e *Event, line string) bool {
	var number int
	var marks string
	c := cursor{line}
	e.Kind, e.Text = WhoRow, strings.TrimLeft(line, " ")
	return c.blanks() && c.num(&number) && c.lit(" ") && c.blanks() && c.word(&marks) && len(marks) <= 3 &&
		c.blanks() && c.name(&e.Name) && c.lit(" ") && c.blanks() && c.decimal(&e.Value)
}

// whoisRow reads the indented lines of whois.
func whoisRow(e *Event, line string) bool {
	if !strings.HasPrefix(line, "  ") {
		return false
	}
	c := cursor{line[2:]}
	switch {
	case c.lit("Last login:"):
		e.Kind = WhoisLastLogin
		c.blanks()
		e.Text, e.Other, _ = strings.Cut(c.s, " from ")
		return e.Text != ""
	case c.lit("Last logout:"):
		e.Kind = WhoisLastLogout
		return c.blanks() && c.rest(&e.Text) && e.Text != ""
	case c.lit("Still logged in. "):
		e.Kind, e.On = WhoisPresent, true
		return c.until(" idle", &e.Text) && c.dot()
	case c.lit("Not logged in right now"):
		e.Kind = WhoisPresent
		return c.dot()
	case c.lit("Rating:"):
		e.Kind = WhoisRating
		return c.blanks() && c.decimal(&e.Value) && c.lit(" Experience:") && c.blanks() && c.num(&e.Count) && c.end()
	case c.lit("Email address: "):
		e.Kind = WhoisEmail
		return c.word(&e.Text) && c.end()
	case c.lit("No email address"):
		e.Kind = WhoisEmail
		return c.dot()
	case c.name(&e.Name):
		return whoisStatus(e, c)
	default:
		return false
	}
}

// whoisStatus reads what follows the name in the indented lines of whois.
func whoisStatus(e *Event, c cursor) bool {
	switch {
	case c.lit(" is away: "):
		e.Kind = WhoisAway
		return c.rest(&e.Text)
	case c.lit(" is playing with "):
		e.Kind = WhoisPlaying
		return c.name(&e.Other) && c.dot()
	case c.lit(" is ready to play, "):
		e.On = true
	case c.lit(" is not ready to play, "):
	default:
		return false
	}
	e.Kind = WhoisStatus
	if !c.lit("not watching") && !(c.lit("watching ") && c.name(&e.Other)) {
		return false
	}
	return c.lit(", not playing") && c.dot()
}

// fixedSession reads the lines around login, registration and logout that
// begin with fixed words.
func fixedSession(e *Event, line string) bool {
	c := cursor{line}
	switch {
	case c.lit("login:"):
		e.Kind = LoginPrompt
		return c.end()
	case c.lit("password:"), c.lit("Please give your password:"), c.lit("Please retype your password:"):
		e.Kind, e.Text = PasswordPrompt, line
		return c.end()
	case strings.EqualFold(strings.TrimSuffix(line, "."), "login incorrect"):
		e.Kind, e.Text = LoginRefused, line
		return true
	case c.lit("WELCOME TO THE"):
		e.Kind = Banner
		return c.end()
	case c.lit("Thanks for using this server!"):
		e.Kind = Goodbye
		return c.end()
	case c.lit("Please register before using this server:"):
		e.Kind = GuestText
		return c.end()
	case c.lit("Type in no password and hit Enter/Return"), c.lit("Type 'help beginner' to get started"):
		e.Kind = GuestText
		return true
	case c.lit("Minimal password length is "):
		e.Kind = GuestPasswordShort
		return c.num(&e.Count) && c.lit(" characters") && c.dot()
	case c.lit("You are registered"):
		e.Kind = GuestRegistered
		return c.dot()
	case c.lit("Your site is not allowed to create new accounts"):
		e.Kind, e.Text = Refused, line
		return c.dot()
	}
	return serverTime(e, line)
}

// serverTime reads "Friday, July 03 18:04:27 MEST   ( Fri Jul  3 16:04:27 2020 UTC )".
func serverTime(e *Event, line string) bool {
	day, _, found := strings.Cut(line, ", ")
	if !found || !strings.HasSuffix(day, "day") || !isName(day) {
		return false
	}
	local, utc, found := strings.Cut(line, "(")
	if !found || !strings.HasSuffix(utc, " UTC )") {
		return false
	}
	e.Kind = ServerTime
	e.Other = strings.TrimRight(local, " ")
	e.Text = strings.TrimSuffix(strings.TrimLeft(utc, " "), " )")
	return true
}
