package clip

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

// gone reads what follows the words about a player who went: the match was
// saved, the watching is over, or nothing.
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
		e.Kind = LogsOut
		return c.end()
	}
}
