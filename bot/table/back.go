package table

import (
	"strings"
	"time"

	"fibsbot/bot/protocol"
)

// Signs that the opponent at the board does not play us although no line has ended the
// match: he asks to play, his who line names another opponent or none, or he leaves the
// server. Each asks for the board, whose answer decides.

// doubts handles a line that may be such a sign. Servers that keep the seat of a player
// who is away announce that themselves.
func (t *Table) doubts(due *Due, ev protocol.Event, now time.Time) {
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
			t.doubt(due, t.opt.Patience, now) // a server may be wrong about him in every such line
		}
	}
}

// wantsBack handles an invitation of the opponent at the board and reports whether it
// was one. It is judged once the match is known to be off; at the board the policy would
// call the bot busy.
func (t *Table) wantsBack(due *Due, inv Invitation, now time.Time) bool {
	if s := t.sheet; s == nil || s.Opponent != inv.From || t.rules.Seat > 0 || t.stage != playing && t.stage != joining {
		return false
	}
	t.back = &inv
	t.doubt(due, t.opt.Patience/wishes, now)
	return true
}

// wishes is how often in a Patience the board is asked for when the opponent invites
// again and again.
const wishes = 8

// doubt asks for the board, unless it has been asked for within quiet. What is waited
// for stays so: without an answer its repair looks again.
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
