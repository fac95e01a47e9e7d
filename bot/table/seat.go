package table

import (
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// Rules of servers that keep the seat of a player who is away, and save no matches
// (protocol.Rules.Seat): opponents leave and return, matches end in our absence, and the
// bot must leave the table after a match.

// Away reports whether the opponent's seat is empty.
func (t *Table) Away() bool { return t.away }

// Parted returns the opponent of a match that has just ended while we still sit there.
func (t *Table) Parted() (opponent string, ok bool) {
	return t.nego.with, t.nego.step == negoParting && !t.nego.ours && t.stage == lobby
}

// Rematch offers that opponent another match of the same length. The answer may take as
// long as that to an invitation.
func (t *Table) Rematch(now time.Time) Due {
	var due Due
	if _, ok := t.Parted(); ok {
		t.nego.until = now.Add(t.opt.Answer)
		t.do(&due, protocol.Rematch{})
	}
	return due
}

// part starts the wait between the end of a match and leaving it.
func (t *Table) part(with string, away bool, now time.Time) {
	wait := t.opt.Parting
	if away {
		wait *= 6
	}
	t.nego = negotiation{with: with, length: -1, step: negoParting, until: now.Add(wait)}
}

// standUp leaves a match that is over. The server says when we have left.
func (t *Table) standUp(due *Due, n negotiation, now time.Time) {
	n.ours, n.until = true, now.Add(t.opt.Patience)
	t.nego = n
	t.do(due, protocol.Leave{})
}

// opponentGone handles an empty seat. Nothing is sent meanwhile, because servers treat that
// differently. An empty name means our opponent.
func (t *Table) opponentGone(due *Due, name string, now time.Time) {
	if name == "" {
		name = t.absent(due, now)
	}
	switch s := t.sheet; {
	case s == nil && t.stage == visiting:
		t.passive(now) // a match is running, and the server does not say with whom
	case s == nil && t.nego.step == negoParting && !t.nego.ours && t.nego.with == name:
		t.standUp(due, t.nego, now)
	case s != nil && s.Opponent == name && (t.stage == playing || t.stage == joining):
		t.away = true
		t.progress()
		t.passive(now)
	}
}

// absent returns who is away in the running match. After a login the server does not name
// him; only a single open match identifies him.
func (t *Table) absent(due *Due, now time.Time) string {
	if t.sheet == nil && t.stage == visiting && len(t.saved) == 1 {
		for name := range t.saved {
			t.opened(due, name, -1, true, now)
		}
	}
	if t.sheet == nil {
		return ""
	}
	return t.sheet.Opponent
}

// opponentBack continues the match.
func (t *Table) opponentBack(due *Due, name string, now time.Time) {
	if s := t.sheet; s == nil || s.Opponent != name || !t.away {
		return
	}
	t.away, t.sent = false, false
	t.progress()
	if t.stage == joining {
		t.joins = 0
		t.expect(seeJoinPrompt, now) // the next board shows whether we have rolled
		return
	}
	t.askBoard(due, now)
}

// endedAway handles the end of a match that ended in our absence, at whose table we still sit.
// Only a match that was interrupted for us has something to end.
func (t *Table) endedAway(due *Due, ev protocol.Event, now time.Time) {
	name := ev.Name
	if ev.IsYou() {
		name = ev.Other
	}
	switch {
	case t.rules.Seat == 0 || t.sheet != nil || name == "" || t.nego.step == negoParting:
	case t.saved[name] != nil:
		t.opened(due, name, -1, true, now)
	case t.stage == visiting:
		t.enterLobby(due, now)
		t.part(name, false, now)
	case t.stage == lobby:
		t.part(name, false, now)
	}
}

// discard forgets the running match, of which nothing is filed.
func (t *Table) discard(due *Due) {
	due.Notes = append(due.Notes, Note{Kind: NoteDiscard, Opponent: t.sheet.Opponent})
	delete(t.heard, t.sheet.Opponent)
	t.sheet, t.haveView, t.listed, t.away = nil, false, -1, false
	t.wait = await{}
}

// gone ends a match that we have left, or from which the server has removed us. A player
// who was away when the other left has lost it.
func (t *Table) gone(due *Due, now time.Time) {
	if t.forfeited(t.sheet) {
		t.finish(due)
		t.enterLobby(due, now)
		return
	}
	t.discard(due)
	t.enterLobby(due, now)
}

// Released reports whether the server gives us the match if we leave it.
func (t *Table) Released() bool { return t.released }

// forfeited ends a match that one of the players left after it had begun, and reports
// whether it did. An opponent we leave in his seat wins, unless the match is rated and he
// kept us waiting: the server says so, or he is to play.
func (t *Table) forfeited(s *sheet.Sheet) bool {
	winner := sheet.Us
	switch {
	case !matchBegun(s):
		return false
	case t.away, t.released:
	case !s.Left():
		return false // the reason is not known
	case t.rating(s.Opponent) == "" || t.rating(t.opt.Name) == "" || !t.theirs():
		winner = sheet.Them
	}
	s.Forfeited(winner)
	return s.Over
}

// matchBegun reports whether anything was played or doubled in a match.
func matchBegun(s *sheet.Sheet) bool {
	return len(s.Games) > 1 || len(s.Games) == 1 && len(s.Games[0].Acts) > 0
}

// trusted is a number of matches that a restarted server does not reach while we are
// offline.
const trusted = 50

// endedUnseen ends a match that the server no longer has and reports whether its end is
// known: by our own last play, or by who was away when the other left. A player who is away
// plays nothing, so the match cannot have ended by a play if the opponent was away when our
// line broke. A restarted server has forgotten the match and numbers matches from 1.
func (t *Table) endedUnseen(s *sheet.Sheet, now time.Time) bool {
	if t.rules.Seat == 0 || s.Number < trusted || t.number < s.Number {
		return false
	}
	away, known := t.broke[s.Opponent]
	if !away && now.Sub(t.lastAt) < t.rules.Seat {
		s.Ended()
	}
	if known && !s.Over && (away && matchBegun(s) || s.Undecided()) {
		winner := sheet.Them
		if away {
			winner = sheet.Us
		}
		s.Forfeited(winner)
	}
	return s.Over
}
