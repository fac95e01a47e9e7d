package table

import (
	"fibsbot/bot/sheet"
	"time"
)

// Theirs tells whether the match waits for the opponent: to roll, to play, to
// answer, or to join the next game.
func (t *Table) Theirs() bool {
	s := t.sheet
	if s == nil {
		return false
	}
	if t.away {
		return t.stage == playing || t.stage == joining
	}
	switch t.stage {
	case joining:
		return t.wait.what == seePartner
	case playing:
		if !t.haveView || s.Resigner() == sheet.Them || s.Doubler() == sheet.Them {
			return false
		}
		return s.Resigner() == sheet.Us || s.Doubler() == sheet.Us || s.Turn() == sheet.Them
	}
	return false
}

// Between reports whether a game of the match is over and the next one has not begun.
func (t *Table) Between() bool { return t.sheet != nil && t.stage == joining }

// Settling tells whether the table still finds out how matches went while it was
// off line. A new match with the same opponent would erase the only list of
// moves that tells the end of the old one.
func (t *Table) Settling() bool {
	return t.stage == visiting || t.stage == mending || len(t.closing) > 0
}

// Nudge is for an opponent who thinks that the bot hangs: the board is asked for, unless
// the effect of a command is waited for, whose time will come.
func (t *Table) Nudge(now time.Time) Due {
	var due Due
	if t.sheet == nil || t.stage != playing && t.stage != joining || t.outstanding(now) {
		return due
	}
	t.sent = false
	t.askBoard(&due, now)
	return due
}

// outstanding reports whether a command of ours has been sent whose effect may still come.
func (t *Table) outstanding(now time.Time) bool {
	switch t.wait.what {
	case seeNothing, seeOpponent, seePartner:
		return false
	}
	return now.Before(t.wait.until)
}

// made makes a zero Table one that New has made without options.
func (t *Table) made() {
	if t.lobby == nil {
		*t = *New(Options{})
	}
}
