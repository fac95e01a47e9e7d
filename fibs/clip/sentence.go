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
