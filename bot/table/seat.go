package table

import (
	"strings"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// Rules of servers that keep the seat of a player who is away, and save no matches
// (protocol.Rules.Seat): opponents leave and return, matches end in our absence, and the
// bot must leave the table after a match.

// opponentSeat is the seat of the opponent at the board.
type opponentSeat struct {
	away     bool // it is empty
	released bool // the server gives us the match if we leave it
}

// Away reports whether the opponent's seat is empty.
func (t *Table) Away() bool { return t.seat.away }

// Parted returns the opponent of a match that has just ended while we still sit there.
func (t *Table) Parted() (opponent string, ok bool) {
	return t.nego.with, t.nego.step == negoParting && !t.nego.ours && t.stage == lobby
}

// Rematch offers that opponent another match of the same length. The answer may take as
// long as that to an invitation.
func (t *Table) Rematch(now time.Time) Due {
	t.begin(now)
	if _, ok := t.Parted(); ok {
		t.nego.until = now.Add(t.opt.Answer)
		t.do(protocol.Rematch{})
	}
	return t.due
}

// waitToLeave starts the wait between the end of a match and leaving it.
func (t *Table) waitToLeave(with string, away bool) {
	wait := t.opt.Parting
	if away {
		wait *= 6
	}
	t.nego = negotiation{with: with, length: -1, step: negoParting, until: t.now.Add(wait)}
}

// standUp leaves a match that is over. The server says when we have left.
func (t *Table) standUp(n negotiation) {
	n.ours, n.until = true, t.now.Add(t.opt.Patience)
	t.nego = n
	t.do(protocol.Leave{})
}

// opponentGone handles an empty seat. Nothing is sent meanwhile, because servers treat that
// differently. An empty name means our opponent.
func (t *Table) opponentGone(name string) {
	if name == "" {
		name = t.absent()
	}
	switch s := t.sheet; {
	case s == nil && t.stage == visiting:
		t.passive() // a match is running, and the server does not say with whom
	case s == nil && t.nego.step == negoParting && !t.nego.ours && t.nego.with == name:
		t.standUp(t.nego)
	case s != nil && s.Opponent == name && (t.stage == playing || t.stage == joining):
		t.seat.away = true
		t.progress()
		t.passive()
	}
}

// absent returns who is away in the running match. After a login the server does not name
// him; only a single open match identifies him.
func (t *Table) absent() string {
	if saved := t.matches.sheets(); t.sheet == nil && t.stage == visiting && len(saved) == 1 {
		for name := range saved {
			t.opened(name, -1, true)
		}
	}
	if t.sheet == nil {
		return ""
	}
	return t.sheet.Opponent
}

// opponentBack continues the match.
func (t *Table) opponentBack(name string) {
	if s := t.sheet; s == nil || s.Opponent != name || !t.seat.away {
		return
	}
	t.seat.away, t.decision.sent = false, false
	t.progress()
	if t.stage == joining {
		t.idle.joins = 0
		t.expect(seeJoinPrompt) // the next board shows whether we have rolled
		return
	}
	t.askBoard()
}

// endedAway handles the end of a match that ended in our absence, at whose table we still sit.
// Only a match that was interrupted for us has something to end.
func (t *Table) endedAway(ev protocol.Event) {
	name := ev.Name
	if ev.IsYou() {
		name = ev.Other
	}
	switch {
	case name == ev.Name && ev.Other != protocol.You: // a match of others, which we watch
	case t.rules.SeatKept == 0 || t.sheet != nil || name == "" || t.nego.step == negoParting:
	case t.matches.of(name).sheet != nil:
		t.opened(name, -1, true)
	case t.stage == visiting:
		t.enterLobby()
		t.waitToLeave(name, false)
	case t.stage == lobby:
		t.waitToLeave(name, false)
	}
}

// discard forgets the running match, of which nothing is filed.
func (t *Table) discard() {
	t.note(Note{Kind: NoteDiscard, Opponent: t.sheet.Opponent})
	t.matches.at(t.sheet.Opponent).heard = heard{}
	t.leaveBoard()
	t.progress()
}

// leftMatch ends a match that we have left, or from which the server has removed us. A player
// who was away when the other left has lost it.
func (t *Table) leftMatch() {
	if t.forfeited(t.sheet) {
		t.finish()
		t.enterLobby()
		return
	}
	t.discard()
	t.enterLobby()
}

// Released reports whether the server gives us the match if we leave it.
func (t *Table) Released() bool { return t.seat.released }

// forfeited ends a match that one of the players left after it had begun, and reports
// whether it did. An opponent we leave in his seat wins, unless the match is rated and he
// kept us waiting: the server says so, or he is to play.
func (t *Table) forfeited(s *sheet.Sheet) bool {
	winner := sheet.Us
	switch {
	case !matchBegun(s):
		return false
	case t.seat.away, t.seat.released:
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
func (t *Table) endedUnseen(s *sheet.Sheet) bool {
	if t.rules.SeatKept == 0 || s.Number < trusted || t.line.match < s.Number {
		return false
	}
	broke := t.matches.of(s.Opponent).broke
	away := broke != nil && *broke
	if !away && t.now.Sub(t.lineAt) < t.rules.SeatKept {
		s.Ended()
	}
	if broke != nil && !s.Over && (away && matchBegun(s) || s.Undecided()) {
		winner := sheet.Them
		if away {
			winner = sheet.Us
		}
		s.Forfeited(winner)
	}
	return s.Over
}

// Signs that the opponent at the board no longer plays us although no line has ended the
// match: he invites us, his who line names another opponent or none, or he leaves the
// server. After each sign the table asks for the board, and the answer decides.

// noteGone handles a line that may be such a sign. Servers that keep the seat of a player
// who is away announce this themselves.
func (t *Table) noteGone(ev protocol.Event) {
	if t.invites.atBoard != nil && ev.Kind == protocol.LogsOut && ev.Name == t.invites.atBoard.From {
		t.invites.atBoard = nil
	}
	s := t.sheet
	if s == nil || t.rules.SeatKept > 0 || t.stage != playing && t.stage != joining {
		return
	}
	switch ev.Kind {
	case protocol.LogsOut:
		if ev.Name == s.Opponent {
			t.checkPresence(0)
		}
	case protocol.UserInfo:
		if u := ev.User; u != nil && u.Name == s.Opponent && !strings.EqualFold(u.Opponent, t.opt.Name) {
			t.checkPresence(t.opt.Patience) // every such line of the server may be wrong
		}
	}
}

// wantsBack reports whether an invitation comes from the opponent at the board. It is kept
// until the match is known to be over: until then the policy would answer that the bot is
// busy.
func (t *Table) wantsBack(inv Invitation) bool {
	if s := t.sheet; s == nil || s.Opponent != inv.From || t.rules.SeatKept > 0 || t.stage != playing && t.stage != joining {
		return false
	}
	t.invites.atBoard = &inv
	t.checkPresence(t.opt.Patience / wishes)
	return true
}

// wishes is how often within Patience the table asks for the board when the opponent
// invites again and again.
const wishes = 8

// checkPresence asks for the board, unless it did so within quiet. The present wait continues: its
// repair asks again if there is no answer.
func (t *Table) checkPresence(quiet time.Duration) {
	if t.now.Sub(t.doubts.askedAt) < quiet || t.answers.out > 0 && t.wait.what == seeBoard && t.now.Before(t.wait.until) {
		return
	}
	t.askInDoubt()
}
