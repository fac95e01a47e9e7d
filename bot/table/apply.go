package table

import (
	"strings"

	"fibsbot/engine/board"
	"fibsbot/fibs/clip"
)

// Apply enters a line of the server in the sheet. me is the account's name. Lines
// that say nothing about the match are ignored, so a whole session may be fed.
func (s *Sheet) Apply(ev clip.Event, me string) {
	if s.applyList(ev, me) {
		return
	}
	side := func(name string) Side {
		switch name {
		case clip.You, me:
			return Us
		case s.Opponent:
			return Them
		}
		return Nobody
	}
	who := side(ev.Name)
	switch ev.Kind {
	case clip.ResumeLength:
		s.setLength(lengthOf(ev.Length))
	case clip.ResumePoints:
		if who != Nobody {
			s.pointsTold(who, ev.Points)
		}
	case clip.GameBegins:
		s.newGame()
	case clip.OpeningRoll:
		s.opening = diceOf(ev.Dice)
	case clip.FirstMove:
		if who != Nobody && s.opening.Valid() && !s.opening.Double() && !s.hasActs() && s.current() != nil {
			s.rolled(who, s.opening)
		}
		s.opening = board.Dice{}
	case clip.Rolls:
		if who != Nobody {
			s.rolled(who, diceOf(ev.Dice))
		}
	case clip.Moves:
		if who != Nobody {
			s.movedText(who, stepsOf(ev.Steps))
		}
	case clip.OnlyMove, clip.BearsOff:
		// Nobody is named: it is the player on turn. A greedy bear-off may be
		// only the first part of a play; the board that follows has it all.
		if ev.Kind == clip.OnlyMove && s.turn != Nobody {
			s.movedText(s.turn, stepsOf(ev.Steps))
		}
	case clip.CantMove:
		if who != Nobody && s.turn == who {
			s.danced(who)
		}
	case clip.Doubles:
		if who != Nobody {
			s.doubledBy(who)
		}
	case clip.Redoubles:
		if who != Nobody && s.Length <= 0 {
			s.redoubled(who, ev.Cube)
		}
	case clip.Takes:
		if who != Nobody {
			s.took(who, ev.Cube)
		}
	case clip.OffersResign:
		if who != Nobody {
			s.offered(who, ev.Points)
		}
	case clip.AlreadyDidThat, clip.ResignPending:
		if s.current() != nil && s.resigned == Nobody {
			s.resigned = Us // an offer from before the interruption still stands
		}
	case clip.NothingToAnswer:
		// The server has forgotten the offer or the double we know of.
		s.resigned, s.offer, s.pending = Nobody, 0, ""
	case clip.RejectsResign:
		s.refused()
	case clip.GameOver:
		s.gameOver(ev, side)
	case clip.Score:
		if a, b := side(ev.Name), side(ev.Other); a == Us && b == Them {
			s.scoreTold(ev.Score[0], ev.Score[1])
		} else if a == Them && b == Us {
			s.scoreTold(ev.Score[1], ev.Score[0])
		}
	case clip.MatchOver:
		if who != Nobody {
			s.matchOver(who, ev.Score)
		}
	case clip.BoardLine:
		if v, ok := s.boardOf(ev); ok {
			s.sawBoard(v)
		}
	case clip.CrawfordNoDouble:
		s.crawfordRefused()
	case clip.MoveRefused, clip.NotYourMove, clip.RollFirst:
		s.playRefused()
	}
}

// boardOf returns the board of ev as the sheet's own, when it is.
func (s *Sheet) boardOf(ev clip.Event) (View, bool) {
	if ev.Board == nil {
		return View{}, false
	}
	v, err := ViewOf(*ev.Board)
	if err != nil || !v.Mine || v.Opponent != s.Opponent {
		return View{}, false
	}
	s.setLength(v.Length)
	return v, s.Length == v.Length
}

// setLength notes the match length when it was not known.
func (s *Sheet) setLength(n int) {
	if s.Length < 0 {
		s.Length = n
	}
}

func (s *Sheet) gameOver(ev clip.Event, side func(string) Side) {
	winner := side(ev.Name)
	if winner == Nobody {
		winner = side(ev.Other).Other()
	}
	if winner == Nobody {
		return
	}
	switch ev.Result {
	case clip.ByDrop:
		s.dropped(winner.Other(), ev.Points)
	case clip.ByResignation:
		if g := s.current(); g != nil {
			// The offer may have been lost; the result has the points.
			s.won(winner, ev.Points, true)
		}
	default:
		s.won(winner, ev.Points, false)
	}
}

// matchOver notes the end of the match; score is the winner's first. It heals a
// last game whose own result line was lost.
func (s *Sheet) matchOver(winner Side, score [2]int) {
	var final [2]int
	final[winner], final[winner.Other()] = score[0], score[1]
	switch {
	case final == s.Score:
	case s.current() != nil:
		s.closeUnseen(final)
	default:
		s.resize(final)
	}
	s.Score = final
	s.Over, s.Winner = true, winner
}

// Sent enters a command of our own, as it goes over the wire.
func (s *Sheet) Sent(text string) {
	if !minorCommand(text) {
		s.heard.board = "" // a board that is the same tells that it had no effect
	}
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "accept", "reject", "double", "resign":
		s.sentAnswer(text)
		return
	case "leave":
		s.abandoned = true
		return
	}
	if word != "move" && word != "m" || !s.known {
		return
	}
	steps, ok := parseSteps(rest)
	if !ok {
		return
	}
	if p, ok := applySteps(s.pos, steps); ok && s.turn == Us && s.dice.Valid() && s.legal(Us, s.dice, p.Result) {
		s.sentPlay(p)
	}
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
