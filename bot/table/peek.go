package table

import (
	"time"

	"fibsbot/bot/sheet"
)

// Theirs reports whether the match waits for the opponent to roll, play, answer or join
// the next game, and is not being left.
func (t *Table) Theirs() bool { return t.wait.what != seeLeave && t.theirs() }

func (t *Table) theirs() bool {
	s := t.sheet
	if s == nil {
		return false
	}
	if t.seat.away {
		return t.stage == playing || t.stage == joining
	}
	switch t.stage {
	case joining:
		return t.wait.what == seePartner
	case playing:
		if t.view == nil || s.Resigner() == sheet.Them || s.Doubler() == sheet.Them {
			return false
		}
		return s.Resigner() == sheet.Us || s.Doubler() == sheet.Us || s.Turn() == sheet.Them
	}
	return false
}

// Between reports whether a game of the match has ended and the next one has not begun.
func (t *Table) Between() bool { return t.sheet != nil && t.stage == joining }

// CatchingUp reports whether the table is still finding out how matches ended while it was
// offline. A new match with the same opponent would erase the only list of moves that
// shows the end of the old one.
func (t *Table) CatchingUp() bool {
	return t.stage == visiting || t.stage == mending || len(t.matches.closing) > 0
}

// Takes reports whether an invitation of name can be accepted or refused now. While the table asks
// the server about another inviter, or joins him, it cannot: on a slow server a crowd of inviters
// would replace each other for ever.
func (t *Table) Takes(name string) bool {
	return t.nego.step != negoProbing && t.nego.step != negoJoining || t.nego.with == name
}

// Nudge asks for the board for an opponent who thinks that the bot hangs. It does nothing
// while a command is outstanding, which has its own timer.
func (t *Table) Nudge(now time.Time) Due {
	t.begin(now)
	if t.sheet == nil || t.stage != playing && t.stage != joining || t.outstanding() {
		return t.due
	}
	t.decision.sent = false
	t.askBoard()
	return t.due
}

// outstanding reports whether our last command may still take effect.
func (t *Table) outstanding() bool {
	switch t.wait.what {
	case seeNothing, seeOpponent, seePartner:
		return false
	}
	return t.now.Before(t.wait.until)
}

// initialize makes a zero Table usable, with the defaults of all options.
func (t *Table) initialize() {
	if t.lobby == nil {
		*t = *New(Options{})
	}
}
