package table

import (
	"strings"

	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/fibs/clip"
)

// Apply enters a line of the server in the sheet s. me is the account's name. Lines
// that say nothing about the match are ignored, so a whole session may be fed.
func Apply(s *sheet.Sheet, ev clip.Event, me string) {
	if applyList(s, ev, me) {
		return
	}
	side := func(name string) sheet.Side {
		switch name {
		case clip.You, me:
			return sheet.Us
		case s.Opponent:
			return sheet.Them
		}
		return sheet.Nobody
	}
	who := side(ev.Name)
	switch ev.Kind {
	case clip.ResumeLength:
		s.LengthTold(lengthOf(ev.Length))
	case clip.GameBegins:
		s.NewGame()
	case clip.OpeningRoll:
		s.OpeningRolled(diceOf(ev.Dice))
	case clip.FirstMove:
		s.OpeningWon(who)
	case clip.OnlyMove:
		s.OnlyMoved(stepsOf(ev.Steps))
	case clip.AlreadyDidThat, clip.ResignPending:
		s.OfferStands()
	case clip.NothingToAnswer:
		s.NothingToAnswer()
	case clip.RejectsResign:
		s.Refused()
	case clip.GameOver:
		winner := who
		if winner == sheet.Nobody {
			winner = side(ev.Other).Other()
		}
		if winner != sheet.Nobody {
			s.GameWon(winner, ev.Points, howOf(ev.Result))
		}
	case clip.Score:
		if a, b := who, side(ev.Other); a == sheet.Us && b == sheet.Them {
			s.ScoreTold(ev.Score[0], ev.Score[1])
		} else if a == sheet.Them && b == sheet.Us {
			s.ScoreTold(ev.Score[1], ev.Score[0])
		}
	case clip.BoardLine:
		if v, ok := boardOf(s, ev); ok {
			s.Saw(v)
		}
	case clip.CrawfordNoDouble:
		s.CrawfordRefused()
	case clip.MoveRefused, clip.NotYourMove, clip.RollFirst:
		s.PlayRefused()
	default:
		if who != sheet.Nobody {
			applyAct(s, &ev, who)
		}
	}
}

// applyAct enters what one of the two players did.
func applyAct(s *sheet.Sheet, ev *clip.Event, who sheet.Side) {
	switch ev.Kind {
	case clip.ResumePoints:
		s.PointsTold(who, ev.Points)
	case clip.Rolls:
		s.Rolled(who, diceOf(ev.Dice))
	case clip.Moves:
		s.Moved(who, stepsOf(ev.Steps))
	case clip.CantMove:
		s.Danced(who)
	case clip.Doubles:
		s.DoubledBy(who)
	case clip.Redoubles:
		if s.Length <= 0 {
			s.Redoubled(who, ev.Cube)
		}
	case clip.Takes:
		s.Took(who, ev.Cube)
	case clip.OffersResign:
		s.Offered(who, ev.Points)
	case clip.MatchOver:
		s.MatchWon(who, ev.Score)
	}
}

// applyList reads the answer to oldmoves. It reports whether ev belonged to it.
func applyList(s *sheet.Sheet, ev clip.Event, me string) bool {
	first := ev.Side == 'X'
	listed := func(k sheet.ListKind) { s.Listed(k, first, diceOf(ev.Dice), stepsOf(ev.Steps)) }
	switch ev.Kind {
	case clip.OldScore:
		s.ListBegins()
	case clip.OldPlayers:
		isMe := func(name string) bool { return name == me || name == clip.You }
		s.ListPlayers(isMe(ev.Name) && ev.Other == s.Opponent || ev.Name == s.Opponent && isMe(ev.Other), isMe(ev.Name))
	case clip.OldMove:
		listed(sheet.ListMove)
	case clip.OldDoubles:
		listed(sheet.ListDouble)
	case clip.OldAccepts:
		listed(sheet.ListAccept)
	case clip.OldRejects:
		listed(sheet.ListReject)
	case clip.OldResigns:
		listed(sheet.ListResign)
	case clip.OldOther:
	case clip.OldWins:
		s.ListWon(first)
	case clip.Blank, clip.BadBoard: // a line that noise has spoilt ends nothing
		return false
	default:
		s.ListEnds()
		return false
	}
	return true
}

func howOf(r clip.Result) sheet.How {
	switch r {
	case clip.ByDrop:
		return sheet.ByDrop
	case clip.ByResignation:
		return sheet.ByResignation
	}
	return sheet.ByBearingOff
}

// boardOf returns the board of ev when it is one of the match on the sheet.
func boardOf(s *sheet.Sheet, ev clip.Event) (sheet.Board, bool) {
	if ev.Board == nil {
		return sheet.Board{}, false
	}
	v, err := ViewOf(*ev.Board)
	if err != nil || !s.Concerns(&v) {
		return sheet.Board{}, false
	}
	return v, true
}

// Sent enters a command of our own in the sheet, as it goes over the wire.
func Sent(s *sheet.Sheet, text string) {
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "accept":
		s.SentAccept()
	case "reject":
		s.SentReject()
	case "double":
		s.SentDouble()
	case "resign":
		s.SentResign(resignGames(rest))
	case "leave":
		s.SentLeave()
	case "move", "m":
		if steps, ok := parseSteps(rest); ok {
			s.SentMove(steps)
		}
	}
}

// resignGames reads the argument of resign; 0 is what cannot be read.
func resignGames(size string) int {
	for games, letter := range []string{1: "n", 2: "g", 3: "b"} {
		if letter != "" && strings.HasPrefix(size, letter) {
			return games
		}
	}
	return 0
}

func diceOf(d clip.Dice) board.Dice { return board.Dice{A: d[0], B: d[1]} }

// lengthOf turns FIBS's match length into the engine's: 0 is unlimited.
func lengthOf(n int) int {
	if n >= clip.Unlimited {
		return 0
	}
	return n
}

// stepsOf turns the server's steps into their mover's numbering. What is no step
// becomes one that no position allows.
func stepsOf(list clip.Steps) []board.Step {
	steps := make([]board.Step, 0, clip.MaxSteps)
	for _, st := range list.List[:min(list.N, clip.MaxSteps)] {
		from, to := int(st.From), int(st.To)
		if st.From == clip.Bar {
			from = numBar
		}
		if st.To == clip.Off {
			to = numOff
		}
		step, ok := stepOf(from, to)
		if !ok {
			step = board.Step{From: -1}
		}
		steps = append(steps, step)
	}
	return steps
}
