package sheet

import (
	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Rolled records a roll by side that the server has announced.
func (s *Sheet) Rolled(side Side, d board.Dice) {
	if s.rolled(side, d) {
		s.noteSeen(Act{Kind: ActRolled, Side: side, Dice: d})
	}
}

// rolled records a roll by side and reports whether it is a new one.
func (s *Sheet) rolled(side Side, d board.Dice) bool {
	if !d.Valid() {
		return false
	}
	s.closeTurn(side)
	if s.now.Turn == side && s.dice.Sorted() == d.Sorted() && s.dice.Valid() {
		return false // a repeated line
	}
	if s.now.Doubler != Nobody && side == s.now.First {
		s.Took(s.now.Doubler.Other(), 0) // the line about the take was lost
	}
	if s.now.Turn == side.Other() && s.known {
		s.tear() // a whole turn was lost, which may or may not be a dance
	}
	s.now.Doubler, s.pending, s.dice = Nobody, reply{}, d
	s.add(Act{Kind: ActRolled, Side: side, Dice: d})
	return true
}

// closeTurn records what must have happened before side may roll or double: our own play
// that the server accepted silently, or an unannounced dance.
func (s *Sheet) closeTurn(side Side) {
	if !s.dice.Valid() || s.now.Turn == side || s.now.Turn == Nobody {
		return
	}
	if s.now.Turn == Us && s.sent.N > 0 {
		s.played(Us, s.sent)
		return
	}
	if s.known && !s.hasPlay(s.now.Turn, s.dice) {
		s.danced(s.now.Turn)
		return
	}
	s.tear()
}

// tear marks the running game as having a hole and forgets the open roll.
func (s *Sheet) tear() {
	if g := s.Current(); g != nil {
		g.Torn = true
		s.dropOpenRoll()
	}
	s.dice, s.sent = board.Dice{}, board.Play{}
	s.known, s.hole = false, true
}

func (s *Sheet) dropOpenRoll() {
	if g := s.Current(); g != nil {
		if i := g.openRoll(); i >= 0 {
			g.Acts = append(g.Acts[:i], g.Acts[i+1:]...)
		}
	}
}

// view returns the position with side as Me.
func (s *Sheet) view(side Side) board.Position {
	if side == Us {
		return s.now.Position
	}
	return s.now.Position.Swap()
}

func (s *Sheet) hasPlay(side Side, d board.Dice) bool {
	return canPlay(s.view(side), d)
}

// played records a complete play by side. Its Result is from the mover's view.
func (s *Sheet) played(side Side, p board.Play) {
	g := s.Current()
	if g == nil {
		return
	}
	if i := g.openRoll(); i >= 0 && g.Acts[i].Side == side {
		g.Acts[i].Kind, g.Acts[i].Play = ActPlayed, p
		s.notePlaySeen(&g.Acts[i])
	} else {
		g.Torn, s.hole = true, true // a play without a roll: the roll was lost
	}
	s.now.Position = p.Result
	if side == Them {
		s.now.Position = p.Result.Swap()
	}
	s.now.Turn, s.dice, s.sent, s.pending = side.Other(), board.Dice{}, board.Play{}, reply{}
}

// danced records that side had no legal play with the open roll. If the sheet's position
// allows one, that position is wrong.
func (s *Sheet) danced(side Side) {
	g := s.Current()
	if g == nil || !s.dice.Valid() || s.now.Turn != side {
		return
	}
	if !s.known || s.hasPlay(side, s.dice) {
		s.tear()
		return
	}
	s.played(side, board.Play{Result: s.view(side)})
}

// Moved records the steps of a play as the server printed them, in side's own numbering.
func (s *Sheet) Moved(side Side, steps []board.Step) {
	if s.now.Turn == Them && side == Us || s.now.Turn == Us && side == Them {
		s.closeTurn(side)
	}
	g := s.Current()
	if g == nil || !s.known {
		return
	}
	if !s.dice.Valid() || s.now.Turn != side {
		// A repeated line, or one that a board has already shown.
		return
	}
	if len(steps) == 0 {
		s.danced(side)
		return
	}
	p, ok := PlaySteps(s.view(side), steps)
	if !ok || !s.legal(side, s.dice, p.Result) {
		s.tear()
		return
	}
	s.played(side, p)
}

// legal reports whether result is reachable by side with d.
func (s *Sheet) legal(side Side, d board.Dice, result board.Position) bool {
	_, ok := findPlay(s.view(side), d, result)
	return ok
}

// PlayRefused records that the server refused our play.
func (s *Sheet) PlayRefused() { s.sent = board.Play{} }

// DoubledBy records a double.
func (s *Sheet) DoubledBy(side Side) {
	if s.now.Doubler == side {
		return
	}
	if s.now.Doubler == side.Other() && s.now.Doubler != Nobody {
		s.Took(side, 0) // and the other side has rolled since, unseen
		s.tear()
	}
	s.closeTurn(side)
	if s.known && (s.now.Owner == side.Other().Owner() || s.now.Turn == side.Other() || s.dice.Valid()) {
		s.tear() // the cube has changed hands unseen, or a turn was lost
	}
	s.add(Act{Kind: ActDoubled, Side: side})
}

// Redoubled records that side took a double and turned the cube at once: a beaver, or a
// raccoon after one. offered is the value now offered, 0 if unknown. The turn stays with
// the side that doubled first.
func (s *Sheet) Redoubled(side Side, offered int) {
	if s.now.Doubler == side {
		return // a repeated line
	}
	if s.now.Doubler == Nobody {
		s.DoubledBy(side.Other()) // the double itself was missed
	}
	s.add(Act{Kind: ActDoubled, Side: side})
	if offered > 1 {
		s.now.Cube = offered / 2
	}
}

// Took records that side accepted the double; cube is the new value, 0 if unknown. A take
// without a double proves that the double was missed.
func (s *Sheet) Took(side Side, cube int) {
	if s.now.Doubler != side.Other() {
		g := s.Current()
		if g == nil || s.now.Doubler == side || g.lastIs(ActTook) || cube > 0 && cube != 2*s.now.Cube {
			return // a repeated line
		}
		s.DoubledBy(side.Other())
	}
	s.pending = reply{}
	s.add(Act{Kind: ActTook, Side: side})
	if cube > 0 && cube != s.now.Cube {
		s.now.Cube = cube
		s.Current().Torn, s.hole = true, true // an earlier double was not seen
	}
}

// dropped records that side passed a double.
func (s *Sheet) dropped(side Side, points int) {
	if s.Current() == nil {
		return
	}
	if s.now.Doubler != side.Other() {
		// The double itself was missed.
		s.DoubledBy(side.Other())
	}
	s.add(Act{Kind: ActDropped, Side: side})
	s.win(side.Other(), points, false)
}

// Offered records an offer by side to resign for points.
func (s *Sheet) Offered(side Side, points int) {
	if s.resigned == side && s.offer == points {
		return
	}
	s.recordLastPlay()
	s.resigned, s.offer = side, points
	if points > 0 {
		s.add(Act{Kind: ActOffered, Side: side, Games: max(1, points/max(1, s.now.Cube))})
	}
}

// recordLastPlay records our play that bears off the last checker, once a later event
// proves that the server accepted it.
func (s *Sheet) recordLastPlay() {
	if s.now.Turn == Us && s.sent.N > 0 && s.dice.Valid() && s.sent.Result.Me.Count() == 0 {
		s.played(Us, s.sent)
	}
}

// Refused records that the offer to resign was refused.
func (s *Sheet) Refused() {
	if s.resigned == Nobody {
		return
	}
	s.add(Act{Kind: ActRefused, Side: s.resigned.Other()})
	s.resigned, s.offer, s.pending = Nobody, 0, reply{}
}

// win closes the running game.
func (s *Sheet) win(side Side, points int, resigned bool) {
	g := s.Current()
	if g == nil {
		return
	}
	if n := len(g.Acts); !resigned && (n == 0 || g.Acts[n-1].Kind != ActDropped) {
		// The sheet must show the bear-off, or it has a hole.
		if p := s.view(side); !s.known || p.Me.Count() != 0 {
			g.Torn, s.hole = true, true
			s.dropOpenRoll()
		}
	}
	g.Winner, g.Points, g.Resigned = side, points, resigned
	score := g.Score
	score[side] += points
	s.countCrawford(g)
	s.now.Turn, s.dice, s.sent, s.pending = Nobody, board.Dice{}, board.Play{}, reply{}
	s.now.Doubler, s.resigned, s.offer = Nobody, Nobody, 0
	s.reaches(score, side)
}

// reaches enters the score after a game that winner has won, which may end the match.
func (s *Sheet) reaches(score [2]int, winner Side) {
	s.Score = score
	if s.Length > 0 && score[winner] >= s.Length {
		s.Over, s.Winner = true, winner
	}
}

// countCrawford records whether the end of a game proves that the Crawford game is over.
func (s *Sheet) countCrawford(g *Game) {
	st := match.State{Length: s.Length, Score: g.Score}
	s.crawfordOver = s.crawfordOver || g.Crawford || s.Length > 1 && st.PostCrawford()
}
