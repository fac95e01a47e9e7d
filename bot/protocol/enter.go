package protocol

import "fibsbot/bot/sheet"

// Enter enters an event into the sheet s, which may be nil. me is the account's name. Events
// that do not concern the match are ignored.
func Enter(s *sheet.Sheet, ev *Event, me string) {
	if s == nil || ev == nil {
		return
	}
	if enterList(s, ev, me) {
		return
	}
	side := func(name string) sheet.Side {
		switch name {
		case You, me:
			return sheet.Us
		case s.Opponent:
			return sheet.Them
		}
		return sheet.Nobody
	}
	who := side(ev.Name)
	if s.Over && !tellsScore(ev.Kind) {
		return // the match may continue after all, but no play follows its end
	}
	switch ev.Kind {
	case MatchLength:
		s.LengthTold(ev.Length)
	case GameBegins:
		s.NewGame()
	case OpeningRoll:
		s.OpeningRolled(ev.Dice)
	case FirstMove:
		s.OpeningWon(who)
	case OnlyMove:
		s.OnlyMoved(ev.Steps)
	case AlreadyDone, OfferStands:
		s.OfferStands()
	case NothingToAnswer:
		s.NothingToAnswer()
	case RefusesResign:
		s.Refused()
	case GameOver:
		winner := who
		if winner == sheet.Nobody {
			winner = side(ev.Other).Other()
		}
		if winner != sheet.Nobody {
			s.GameWon(winner, ev.Points, ev.How)
		}
	case Score:
		if a, b := who, side(ev.Other); a == sheet.Us && b == sheet.Them {
			s.ScoreTold(ev.Score[0], ev.Score[1])
		} else if a == sheet.Them && b == sheet.Us {
			s.ScoreTold(ev.Score[1], ev.Score[0])
		}
	case BoardLine:
		if s.Concerns(ev.Board) {
			s.Saw(*ev.Board)
		}
	case NoDoubleCrawford:
		s.CrawfordRefused()
	case PlayRefused, MoveRefused:
		s.PlayRefused()
	default:
		if who != sheet.Nobody {
			enterAct(s, ev, who)
		}
	}
}

// tellsScore reports whether events of that kind carry a score, which may disprove the end of
// a match.
func tellsScore(k Kind) bool {
	return k == BoardLine || k == Score || k == PointsHeld || k == MatchOver
}

// enterAct enters what one of the two players did.
func enterAct(s *sheet.Sheet, ev *Event, who sheet.Side) {
	switch ev.Kind {
	case PointsHeld:
		s.PointsTold(who, ev.Points)
	case Rolls:
		s.Rolled(who, ev.Dice)
	case Moves:
		s.Moved(who, ev.Steps)
	case CannotMove:
		if s.Opponent == "You" && s.Turn() != sheet.Nobody {
			who = s.Turn() // the line is the same for both
		}
		s.Danced(who)
	case Doubles:
		s.DoubledBy(who)
	case Redoubles:
		if s.Length <= 0 {
			s.Redoubled(who, ev.Cube)
		}
	case Takes:
		s.Took(who, ev.Cube)
	case OffersResign:
		s.Offered(who, ev.Points)
	case MatchOver:
		// After a login a line may still report another match, interrupted before.
		if s.Length <= 0 || ev.Length <= 0 || ev.Length == s.Length {
			s.MatchWon(who, ev.Score)
		}
	}
}

// listed are the lines of a list of moves.
var listed = map[Kind]sheet.ActKind{ListMove: sheet.ActPlayed, ListDouble: sheet.ActDoubled, ListAccept: sheet.ActTook,
	ListReject: sheet.ActDropped, ListResign: sheet.ActOffered, ListOther: 0}

// enterList reads a list of moves. It reports whether ev belonged to one.
func enterList(s *sheet.Sheet, ev *Event, me string) bool {
	switch ev.Kind {
	case ListBegins:
		s.ListBegins()
	case ListPlayers:
		isMe := func(name string) bool { return name == me || name == You }
		s.ListPlayers(isMe(ev.Name) && ev.Other == s.Opponent || ev.Name == s.Opponent && isMe(ev.Other), isMe(ev.Name))
	case ListMove, ListDouble, ListAccept, ListReject, ListResign, ListOther:
		s.Listed(listed[ev.Kind], ev.First, ev.Dice, ev.Steps)
	case ListWon:
		s.ListWon(ev.First)
	case Noise, BadBoard: // a damaged line does not end the list
		return false
	default:
		s.ListEnds()
		return false
	}
	return true
}

// EnterSent enters a command of our own in the sheet s.
func EnterSent(s *sheet.Sheet, c Command) {
	switch c := c.(type) {
	case Take, AcceptResign:
		s.Sent(sheet.ActTook, 0)
	case Drop, RefuseResign:
		s.Sent(sheet.ActDropped, 0)
	case Double:
		s.Sent(sheet.ActDoubled, 0)
	case Resign:
		s.Sent(sheet.ActOffered, c.Games)
	case Leave:
		s.SentLeave()
	case Move:
		s.SentMove(c.Steps)
	}
}
