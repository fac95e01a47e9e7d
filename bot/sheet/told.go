package sheet

import "fibsbot/engine/board"

// How says how a game was won.
type How uint8

// The ways to win a game.
const (
	ByBearingOff How = iota
	ByDrop
	ByResignation
)

// LengthTold notes the match length when it was not known. 0 is unlimited.
func (s *Sheet) LengthTold(n int) {
	if s.Length < 0 {
		s.Length = n
	}
}

// Concerns tells whether b is a board of this match, and takes the match length
// from it when it was not known.
func (s *Sheet) Concerns(b *Board) bool {
	if b == nil || !b.Mine || b.Opponent != s.Opponent {
		return false
	}
	s.LengthTold(b.Length)
	return s.Length == b.Length
}

// OpeningRolled notes the dice of the opening; who won them is told by
// OpeningWon.
func (s *Sheet) OpeningRolled(d board.Dice) {
	if s.closeBorneOff() {
		s.begin() // behind a last checker any game is another one
	}
	if s.announced {
		s.opensAnnounced()
		s.unscored = true
	}
	s.opening = d
}

// OpeningWon notes who moves first.
func (s *Sheet) OpeningWon(side Side) {
	if side != Nobody && s.opening.Valid() && !s.opening.Double() && !s.hasActs() && s.Current() != nil {
		s.Rolled(side, s.opening)
	}
	s.opening = board.Dice{}
}

// OnlyMoved notes a play that the server told without a name: it is that of the
// player on turn.
func (s *Sheet) OnlyMoved(steps []board.Step) {
	if s.turn != Nobody {
		s.Moved(s.turn, steps)
	}
}

// Danced notes that side cannot move.
func (s *Sheet) Danced(side Side) {
	if s.turn == side {
		s.danced(side)
	}
}

// OfferStands notes that an offer of ours to resign, made before an
// interruption, still waits for its answer.
func (s *Sheet) OfferStands() {
	if s.Current() != nil && s.resigned == Nobody {
		s.resigned = Us
	}
}

// NothingToAnswer notes that the server knows nothing of the offer or the double
// that the sheet knows of.
func (s *Sheet) NothingToAnswer() {
	s.resigned, s.offer, s.pending = Nobody, 0, reply{}
}

// GameWon notes the end of a game for points, 0 when not told. What a game without a hole
// was worth by its own cube is believed until a score says otherwise.
func (s *Sheet) GameWon(winner Side, points int, how How) {
	if s.Current() == nil {
		return
	}
	defer s.scored()()
	own, sure := s.worth(winner, how)
	if own > 0 && (sure || points <= 0) {
		points, own = own, points
	}
	switch how {
	case ByDrop:
		s.dropped(winner.Other(), points)
	case ByResignation:
		// The offer may have been lost; the result has the points.
		s.won(winner, points, true)
	default:
		s.won(winner, points, false)
	}
	s.contested(own)
}

// MatchWon notes the end of the match; score is the winner's first. It heals a
// last game whose own result was not told.
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
			g.Torn = true // nobody knows how it ended
		}
	default:
		s.takenBack(final)
		s.resize(final)
		s.decide(final)
	}
	s.Score = final
	s.Over, s.Winner = true, winner
}

// Undecided reports whether the match has begun, and that nothing unseen can have ended a game:
// no double waits for an answer, and neither player is about to bear off his last checkers.
func (s *Sheet) Undecided() bool {
	const last = 8 // checkers that two rolls can bear off
	if s.Current() == nil || !s.hasActs() {
		return len(s.Games) > 1 || len(s.Games) == 1 && s.Games[0].Finished()
	}
	return s.known && s.doubled == Nobody && s.pending == reply{} && s.pos.Me.Count() > last && s.pos.Opp.Count() > last
}

// Forfeited notes that the server gives the match to winner, because the other player was
// away at its end. Between two games it is a game of its own without a roll.
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

// reply is an answer, a double or an offer of ours that is on its way.
type reply struct {
	kind  replyKind
	games int // offered by a resignation, 0 unknown
}

type replyKind uint8

const (
	replyNone replyKind = iota
	replyAccept
	replyReject
	replyDouble
	replyResign
)

func (s *Sheet) replied(r reply) {
	if s.Current() != nil {
		s.pending = r
	}
}

// SentAccept notes that our yes to a double or a resignation is on its way.
func (s *Sheet) SentAccept() { s.replied(reply{kind: replyAccept}) }

// SentReject notes that our no to a double or a resignation is on its way.
func (s *Sheet) SentReject() { s.replied(reply{kind: replyReject}) }

// SentDouble notes that our double is on its way.
func (s *Sheet) SentDouble() { s.replied(reply{kind: replyDouble}) }

// SentResign notes that our offer to resign games games is on its way; 0 when
// the number is not known.
func (s *Sheet) SentResign(games int) { s.replied(reply{kind: replyResign, games: games}) }

// SentLeave notes that we leave the board by a command of our own.
func (s *Sheet) SentLeave() { s.left = true }

// SentMove notes that a play of ours is on its way. What is not legal is no
// news: the server will refuse it.
func (s *Sheet) SentMove(steps []board.Step) {
	if !s.known || len(steps) == 0 {
		return
	}
	if p, ok := PlaySteps(s.pos, steps); ok && s.turn == Us && s.dice.Valid() && s.legal(Us, s.dice, p.Result) {
		s.sent = p
	}
}
