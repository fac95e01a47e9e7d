package clip

import "strings"

// sentence reads the lines that begin with a letter. A name is tried before
// the fixed words, for a player may be called Type or Score.
func sentence(e *Event, line string) (rest string, ok bool) {
	c := cursor{line}
	var name string
	if c.name(&name) && strings.HasPrefix(c.s, " ") {
		after := cursor{c.s[1:]}
		e.Name = name
		if name == You {
			if rest, ok = youDo(e, after); ok {
				return rest, true
			}
			*e = Event{Name: name}
		}
		if rest, ok = someoneDoes(e, after); ok {
			return rest, true
		}
		*e = Event{}
	}
	if rest, ok = fixedGame(e, line); ok {
		return rest, true
	}
	*e = Event{}
	if fixedLobby(e, line) {
		return "", true
	}
	*e = Event{}
	if fixedList(e, line) {
		return "", true
	}
	*e = Event{}
	return "", fixedSession(e, line)
}

// youDo reads what follows "You ".
func youDo(e *Event, c cursor) (rest string, ok bool) {
	switch {
	case c.lit("roll "):
		e.Kind = Rolls
		return "", c.die(&e.Dice[0]) && c.lit(" and ") && c.die(&e.Dice[1]) && c.dot()
	case c.lit("can't move"):
		e.Kind = CantMove
		return "", c.dot()
	case c.lit("make the first move"):
		e.Kind = FirstMove
		return "", c.dot()
	case c.lit("double. Please wait for "):
		e.Kind = Doubles
		if !c.name(&e.Other) {
			return "", false
		}
		if c.lit(" to accept, reject or redouble") {
			e.Redouble = true
			return "", c.dot()
		}
		return "", c.lit(" to accept or reject") && c.dot()
	case c.lit("accept the double to "):
		e.Kind = Redoubles
		return "", c.num(&e.Cube) && c.lit(" and redouble") && c.dot()
	case c.lit("accept the double."), c.lit("accept the redouble."):
		return takes(e, c)
	case c.lit("accept and win "):
		e.Result = ByResignation
		return gameWon(e, c)
	case c.lit("give up. "):
		e.Kind, e.Result, e.Other = GameOver, ByDrop, You
		if !c.nameOrNone(&e.Name) || !(c.lit(" wins ") || c.lit(" win ")) {
			return "", false
		}
		return gameWon(e, c)
	case c.lit("win the game and get "):
		e.Result = ByBearingOff
		return gameWon(e, c)
	case c.lit("win the "):
		return "", matchWon(e, c)
	case c.lit("want to resign. "):
		e.Kind = OffersResign
		return "", c.nameOrNone(&e.Other) && c.lit(" will win ") && c.points(&e.Points) && c.dot()
	case c.lit("reject. The game continues"):
		e.Kind = RejectsResign
		return "", c.dot()
	case c.lit("are now playing with "):
		e.Kind, e.On = MatchResumes, true
		return "", c.name(&e.Name) && c.lit(". Your running match was loaded") && c.dot()
	case c.lit("are now watching "):
		e.Kind = YouWatch
		return "", c.name(&e.Name) && c.dot()
	case c.lit("are not playing"):
		e.Kind, e.Name = NotPlayingYou, ""
		return "", c.dot()
	case c.lit("stop watching "):
		e.Kind = YouUnwatch
		return "", c.name(&e.Name) && c.dot()
	case c.lit("are not waiting for any players"):
		e.Kind, e.Name = WaitforList, ""
		return "", c.dot()
	case c.lit("are waiting for "):
		e.Kind, e.Name = WaitforList, ""
		if c.lit("the following ") {
			return "", c.num(&e.Count) && c.lit(" players:") && c.end()
		}
		e.Count = 1
		return "", c.name(&e.Text) && c.dot()
	case c.lit("wave goodbye again and log out"):
		e.Kind, e.On = Waves, true
		return "", c.dot()
	case c.lit("wave goodbye"):
		e.Kind = Waves
		return "", c.dot()
	case c.lit("say to yourself: "):
		e.Kind, e.Name = TalksToSelf, ""
		return "", c.rest(&e.Text)
	case c.lit("look great"):
		e.Kind, e.Name = LookSelf, ""
		return "", c.dot()
	case c.lit("are registered"):
		e.Kind, e.Name = GuestRegistered, ""
		return "", c.dot()
	}
	return "", false
}

// takes reads what follows "accept(s) the double." or "the redouble.": the
// new cube for the players, nothing for watchers, and often the next message.
func takes(e *Event, c cursor) (rest string, ok bool) {
	e.Kind = Takes
	bare := c.s
	if c.blanks() && c.lit("The cube shows ") {
		if !c.num(&e.Cube) || !c.opt(".") {
			return "", false
		}
		return strings.TrimLeft(c.s, " "), true
	}
	return strings.TrimLeft(bare, " "), true
}

// gameWon reads the points of a won game, the words of joy or sorrow, and
// the move list that may be glued to them.
func gameWon(e *Event, c cursor) (rest string, ok bool) {
	e.Kind = GameOver
	if !c.points(&e.Points) || !c.opt(".") {
		return "", false
	}
	c.opt(" Congratulations!")
	c.opt(" Congratulation!") // of JIBS, a compatible server
	c.opt(" Sorry.")
	if strings.HasPrefix(c.s, "Score is ") {
		return c.s, true
	}
	return "", c.end()
}

// matchWon reads what follows "win(s) the": length and score.
func matchWon(e *Event, c cursor) bool {
	e.Kind = MatchOver
	return c.num(&e.Length) && c.lit(" point match ") && c.blanks() && c.num(&e.Score[0]) &&
		c.lit("-") && c.num(&e.Score[1]) && c.dot()
}

// someoneDoes reads what follows a name and a blank.
func someoneDoes(e *Event, c cursor) (rest string, ok bool) {
	if c.s == "" {
		return "", false
	}
	switch c.s[0] {
	case 'r':
		return someoneRolls(e, c)
	case 'm':
		switch {
		case c.lit("moves "):
			e.Kind = Moves
			return "", c.steps(&e.Steps) && c.dot()
		case c.lit("makes the first move"):
			e.Kind = FirstMove
			return "", c.dot()
		}
	case 'c':
		switch {
		case c.lit("can't move"):
			e.Kind = CantMove
			return "", c.dot()
		case c.lit("closes connection with "):
			e.Kind, e.Cause = GameSaved, CauseOther
			return "", c.name(&e.Other) && c.lit(",")
		}
	case 'd':
		return someoneDoubles(e, c)
	case 'a':
		switch {
		case c.lit("accepts the double."), c.lit("accepts the redouble."):
			return takes(e, c)
		case c.lit("accepts and wins "):
			e.Result = ByResignation
			return gameWon(e, c)
		case c.lit("and "):
			return reportPair(e, c)
		}
	case 'g':
		if c.lit("gives up. ") {
			e.Kind, e.Result, e.Other = GameOver, ByDrop, e.Name
			if !c.name(&e.Name) || !(c.lit(" wins ") || c.lit(" win ")) {
				return "", false
			}
			return gameWon(e, c)
		}
	case 'w':
		return someoneWins(e, c)
	case 'h':
		switch {
		case c.lit("has joined you. Your running match was loaded"):
			e.Kind = MatchResumes
			return "", c.dot()
		case c.lit("has left the game with "):
			e.Kind, e.Cause = ReportLeft, CauseLeft
			return "", c.name(&e.Other) && c.dot()
		case c.lit("has no saved game"):
			e.Kind = SavedCount
			return "", c.opt("s") && c.dot()
		case c.lit("has "):
			e.Kind = SavedCount
			return "", c.num(&e.Count) && c.lit(" saved game") && c.opt("s") && c.dot()
		}
	case 'i':
		return "", someoneIs(e, c)
	case 'l':
		if c.lit("logs out.") {
			return "", gone(e, c, CauseLogout)
		}
	case 's':
		switch {
		case c.lit("starts watching "):
			e.Kind, e.On = WatchesYou, true
			return "", c.name(&e.Other) && c.dot()
		case c.lit("stops watching "):
			e.Kind = WatchesYou
			return "", c.name(&e.Other) && c.dot()
		}
	case 'b':
		if c.lit("bans ") {
			e.Kind = Banned
			return "", c.name(&e.Other) && c.lit(" from watching") && c.dot()
		}
	case 'f':
		if c.lit("from ") {
			e.Kind = Where
			return "", c.word(&e.Text) && c.end()
		}
	case '-', ' ':
		return "", gamesRow(e, c)
	}
	return "", false
}

func someoneRolls(e *Event, c cursor) (rest string, ok bool) {
	switch {
	case c.lit("rolls "), c.lit("rolled "):
		if !c.die(&e.Dice[0]) {
			return "", false
		}
		if c.lit(" and ") {
			e.Kind = Rolls
			return "", c.die(&e.Dice[1]) && c.dot()
		}
		e.Kind = OpeningRoll
		return "", c.lit(", ") && c.nameOrNone(&e.Other) && (c.lit(" rolls ") || c.lit(" rolled ")) &&
			c.die(&e.Dice[1]) && c.dot()
	case c.lit("rejects. The game continues"):
		e.Kind = RejectsResign
		return "", c.dot()
	case c.lit("redoubles to "):
		e.Kind, e.Asks = Redoubles, true
		if !c.num(&e.Cube) {
			return "", false
		}
		e.Redouble = c.lit(". Type 'accept', 'reject' or 'redouble'")
		return "", (e.Redouble || c.lit(". Type 'accept' or 'reject'")) && c.dot()
	case c.lit("redoubles"):
		e.Kind = Redoubles
		return "", c.dot()
	}
	return "", false
}

func someoneDoubles(e *Event, c cursor) (rest string, ok bool) {
	switch {
	case c.lit("doubles."):
		e.Kind = Doubles
		switch {
		case c.lit(" Type 'accept' or 'reject'"):
			e.Asks = true
		case c.lit(" Type 'accept', 'reject' or 'redouble'"):
			e.Asks, e.Redouble = true, true
		}
		return "", c.dot()
	case c.lit("drops connection."):
		return "", gone(e, c, CauseDropped)
	}
	return "", false
}

func someoneWins(e *Event, c cursor) (rest string, ok bool) {
	switch {
	case c.lit("wins the game and gets "):
		e.Result = ByBearingOff
		return gameWon(e, c)
	case c.lit("wins the "):
		return "", matchWon(e, c)
	case c.lit("wins a "):
		e.Kind = ReportResult
		return "", c.num(&e.Length) && c.lit(" point match against ") && c.name(&e.Other) &&
			c.blanks() && c.num(&e.Score[0]) && c.lit("-") && c.num(&e.Score[1]) && c.dot()
	case c.lit("wants to play "):
		e.Kind = Invites
		return "", c.matchLength(&e.Length) && c.lit(" match with you") && c.dot()
	case c.lit("wants to resume a saved match with you"):
		e.Kind = InvitesResume
		return "", c.dot()
	case c.lit("wants to resign. "), c.lit("want to resign. "):
		// A compatible server tells watchers "bob want to resign".
		e.Kind = OffersResign
		if !c.name(&e.Other) || !c.lit(" will win ") || !c.points(&e.Points) || !c.opt(".") {
			return "", false
		}
		if e.Other == You {
			e.Asks = true
			c.opt(" Type 'accept' or 'reject'")
		}
		return "", c.dot()
	case c.lit("waves goodbye again"):
		e.Kind, e.On = Waves, true
		return "", c.dot()
	case c.lit("waves goodbye"):
		e.Kind = Waves
		return "", c.dot()
	}
	return "", false
}

func someoneIs(e *Event, c cursor) bool {
	switch {
	case c.lit("is away: "):
		e.Kind = IsAway
		return c.rest(&e.Text)
	case c.lit("is watching you"):
		e.Kind, e.On, e.Other = WatchesYou, true, "you"
		return c.dot()
	case c.lit("is watching "):
		e.Kind = WatchersRow
		return c.name(&e.Other) && c.dot()
	case c.lit("is not doing anything interesting"):
		e.Kind = WatchIdle
		return c.dot()
	case c.lit("is not playing"):
		e.Kind = NotPlaying
		return c.dot()
	case c.lit("is waiting for you to log in"):
		e.Kind = WaitedFor
		return c.dot()
	case c.lit("is X - "):
		e.Kind = OldPlayers
		return c.name(&e.Other) && c.lit(" is O") && c.dot()
	default:
		return false
	}
}

// gone reads what follows the words about somebody who went: the match was
// saved, or the watching is over.
func gone(e *Event, c cursor, why Cause) bool {
	e.Cause = why
	switch {
	case c.lit(" The game was saved"):
		e.Kind = GameSaved
		return c.dot()
	case c.lit(". You're not watching anymore"):
		e.Kind = YouUnwatch
		return c.dot()
	default:
		return false
	}
}

// reportPair reads "alice and bob start" and "are resuming".
func reportPair(e *Event, c cursor) (rest string, ok bool) {
	if !c.name(&e.Other) {
		return "", false
	}
	switch {
	case c.lit(" start "):
		e.Kind = ReportStart
		if !c.matchLength(&e.Length) || !c.lit(" match") || !c.opt(".") {
			return "", false
		}
		if strings.HasPrefix(c.s, "** ") {
			return c.s, true
		}
		return "", c.end()
	case c.lit(" are resuming their "):
		e.Kind = ReportResume
		if !c.length(&e.Length) || !(c.lit("-point match") || c.lit(" match")) || !c.opt(".") {
			return "", false
		}
		if strings.HasPrefix(c.s, "** ") {
			return c.s, true
		}
		return "", c.end()
	}
	return "", false
}

// gamesRow reads a row of show games behind the first name.
func gamesRow(e *Event, c cursor) bool {
	e.Kind = GamesRow
	return c.blanks() && c.lit("- ") && c.blanks() && c.name(&e.Other) && c.lit(" (") &&
		c.length(&e.Length) && c.opt(" point") && c.opt(" match") && c.lit(" ") && c.num(&e.Score[0]) &&
		c.lit("-") && c.num(&e.Score[1]) && c.lit(")") && c.end()
}
