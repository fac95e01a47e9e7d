package sheet

import "fibsbot/engine/board"

// How is the way a game was won.
type How uint8

// The ways to win a game.
const (
	ByBearingOff How = iota
	ByDrop
	ByResignation
)

// LengthTold records the match length if it was unknown. 0 is unlimited.
func (s *Sheet) LengthTold(n int) {
	if s.Length < 0 {
		s.Length = n
	}
}

// Concerns reports whether b is a board of this match, and takes the match length from it if
// that was unknown.
func (s *Sheet) Concerns(b *Board) bool {
	if b == nil || !b.Mine || b.Opponent != s.Opponent {
		return false
	}
	s.LengthTold(b.Length)
	return s.Length == b.Length
}

// OpeningRolled records the dice of the opening; OpeningWon records their winner.
func (s *Sheet) OpeningRolled(d board.Dice) {
	if s.closeBorneOff() {
		s.begin() // the last checker is off, so this is the next game
	}
	if s.announced {
		s.opensAnnounced()
		s.unscored = true
	}
	s.opening = d
}

// OpeningWon records who moves first.
func (s *Sheet) OpeningWon(side Side) {
	if side != Nobody && s.opening.Valid() && !s.opening.Double() && !s.hasActs() && s.Current() != nil {
		s.Rolled(side, s.opening)
	}
	s.opening = board.Dice{}
}

// OnlyMoved records a play that the server announced without a name: that of the player on
// turn.
func (s *Sheet) OnlyMoved(steps []board.Step) {
	if s.now.Turn != Nobody {
		s.Moved(s.now.Turn, steps)
	}
}

// Danced records that side cannot move.
func (s *Sheet) Danced(side Side) {
	if s.now.Turn == side {
		s.danced(side)
	}
}

// OfferStands records that our offer to resign, made before an interruption, is still
// unanswered.
func (s *Sheet) OfferStands() {
	if s.Current() != nil && s.resigned == Nobody {
		s.resigned = Us
	}
}

// NothingToAnswer records that the server does not know the offer or the double on the
// sheet.
func (s *Sheet) NothingToAnswer() {
	s.resigned, s.offer, s.pending = Nobody, 0, reply{}
}

// GameWon records the end of a game for points, 0 if unknown. In a game without a hole the
// sheet's cube decides the points until a score contradicts it.
func (s *Sheet) GameWon(winner Side, points int, how How) {
	if s.Current() == nil && !s.reopen(winner, points) {
		return
	}
	defer s.scored()()
	own, sure := s.worth(winner, how)
	if own > 0 && (sure || points <= 0) {
		points, own = own, points
	}
	switch {
	case how == ByDrop:
		s.dropped(winner.Other(), points)
	case how == ByBearingOff && winner == Us && s.now.Turn == Us && s.sent.N > 0:
		s.played(Us, s.sent)
		s.win(winner, points, false)
	default:
		s.win(winner, points, how == ByResignation) // without the offer, which may have been lost
	}
	s.contested(own)
}

// MatchWon records the end of the match; score starts with the winner's. It completes a last
// game whose own result was missed.
func (s *Sheet) MatchWon(winner Side, score [2]int) {
	defer s.scored()()
	var final [2]int
	final[winner], final[winner.Other()] = score[0], score[1]
	switch {
	case final == s.Score:
	case s.Current() != nil:
		g := s.Current()
		g.Score, g.Told = g.began(), nil
		if !s.closeUnseen(final) {
			g.Torn = true // how it ended is not known
		}
	default:
		s.takenBack(final)
		s.resize(final)
		s.decide(final)
	}
	s.Score = final
	s.Over, s.Winner = true, winner
}

// Undecided reports whether the match has begun and no unseen event can have ended a game:
// no double waits for an answer, and no player is about to bear off the last checkers.
func (s *Sheet) Undecided() bool {
	const last = 8 // checkers that two rolls can bear off
	if s.Current() == nil || !s.hasActs() {
		return len(s.Games) > 1 || len(s.Games) == 1 && s.Games[0].Finished()
	}
	return s.known && s.now.Doubler == Nobody && s.pending == reply{} && s.now.Position.Me.Count() > last && s.now.Position.Opp.Count() > last
}

// Forfeited records that the server gives the match to winner because the other player was
// away at its end. Between two games this adds a game without a roll.
func (s *Sheet) Forfeited(winner Side) {
	if s.Over || s.Length <= 0 || s.Score[winner] >= s.Length {
		return
	}
	g := s.Current()
	if g == nil {
		g = s.begin()
	}
	s.win(winner, s.Length-g.Score[winner], true)
	g.Forfeit = true
}

// reply is our answer, double or offer to resign, sent but not confirmed.
type reply struct {
	kind  ActKind
	games int // offered by a resignation, 0 if unknown
}

// Sent records that an act of ours is on its way: ActTook or ActDropped, which also accept and
// refuse a resignation, ActDoubled, or ActOffered with the number of games, 0 if unknown.
func (s *Sheet) Sent(kind ActKind, games int) {
	if s.Current() != nil {
		s.pending = reply{kind, games}
	}
}

// SentLeave records that we are leaving the match by a command of our own.
func (s *Sheet) SentLeave() { s.left = true }

// SentMove records that our play was sent and is not confirmed. An illegal play is ignored,
// because the server will refuse it.
func (s *Sheet) SentMove(steps []board.Step) {
	if !s.known || len(steps) == 0 {
		return
	}
	if p, ok := PlaySteps(s.now.Position, steps); ok && s.now.Turn == Us && s.dice.Valid() && s.legal(Us, s.dice, p.Result) {
		s.sent = p
	}
}
