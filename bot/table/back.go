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
func (t *Table) noteGone(due *Due, ev protocol.Event, now time.Time) {
	if t.back != nil && ev.Kind == protocol.LogsOut && ev.Name == t.back.From {
		t.back = nil
	}
	s := t.sheet
	if s == nil || t.rules.Seat > 0 || t.stage != playing && t.stage != joining {
		return
	}
	switch ev.Kind {
	case protocol.LogsOut:
		if ev.Name == s.Opponent {
			t.doubt(due, 0, now)
		}
	case protocol.UserInfo:
		if u := ev.User; u != nil && u.Name == s.Opponent && !strings.EqualFold(u.Opponent, t.opt.Name) {
			t.doubt(due, t.opt.Patience, now) // every such line of the server may be wrong
		}
	}
}

// wantsBack reports whether an invitation comes from the opponent at the board. It is kept
// until the match is known to be over: until then the policy would answer that the bot is
// busy.
func (t *Table) wantsBack(due *Due, inv Invitation, now time.Time) bool {
	if s := t.sheet; s == nil || s.Opponent != inv.From || t.rules.Seat > 0 || t.stage != playing && t.stage != joining {
		return false
	}
	t.back = &inv
	t.doubt(due, t.opt.Patience/wishes, now)
	return true
}

// wishes is how often within Patience the table asks for the board when the opponent
// invites again and again.
const wishes = 8

// doubt asks for the board, unless it did so within quiet. The present wait continues: its
// repair asks again if there is no answer.
func (t *Table) doubt(due *Due, quiet time.Duration, now time.Time) {
	if now.Sub(t.doubtAt) < quiet || t.answers.out > 0 && t.wait.what == seeBoard && now.Before(t.wait.until) {
		return
	}
	t.doubtAt = now
	t.do(due, protocol.AskBoard{})
	if t.stage == playing && (t.wait.until.IsZero() || t.wait.what == seeOpponent) {
		t.expect(seeBoard, now)
	}
}
