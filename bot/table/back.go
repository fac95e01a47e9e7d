package table

import (
	"strings"
	"time"

	"fibsbot/bot/protocol"
)

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
	if s == nil || t.rules.Seat > 0 || t.stage != playing && t.stage != joining {
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
	if s := t.sheet; s == nil || s.Opponent != inv.From || t.rules.Seat > 0 || t.stage != playing && t.stage != joining {
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
