package table

import (
	"time"

	"fibsbot/bot/protocol"
)

// Unlimited matches have no end of their own. Each finished game is filed as a match of its
// own, and the match is left between two games when LastGame reports it.

// LastGame says whether the running game of an unlimited match is the last: the match is
// left behind it, and the opponent is told say, unless that is empty.
func (t *Table) LastGame(last bool, say string) { t.last, t.lastWords = last, say }

// putAway has the finished games of an unlimited match filed, and reports whether any was
// left to file.
func (t *Table) putAway(due *Due) bool {
	s := t.sheet
	if s.Filed == len(s.Games) {
		return false
	}
	s.Filed = len(s.Games)
	due.Notes = append(due.Notes, Note{Kind: NoteOver, Opponent: s.Opponent})
	delete(t.heard, s.Opponent)
	return true
}

// allFiled reports whether an unlimited match is interrupted between two games and has none
// that waits for its list of moves; the journal then holds nothing to resume. With our
// own line gone a next game that we have joined may be running.
func (t *Table) allFiled(due *Due) bool {
	s := t.sheet
	if s.Length != 0 || len(s.Games) == 0 || s.Current() != nil || t.opt.Mend && s.NeedsMending() {
		return false
	}
	if !t.putAway(due) {
		if t.stage == offline {
			return false
		}
		due.Notes = append(due.Notes, Note{Kind: NoteDiscard, Opponent: s.Opponent}) // that of the next game
	}
	return true
}

// nextGame files the game of an unlimited match that has ended and begins the journal of
// the next one. When that was the last game it leaves the match and returns true.
func (t *Table) nextGame(due *Due, now time.Time) (left bool) {
	s := t.sheet
	if s.Current() != nil {
		return false
	}
	filed := t.putAway(due)
	if t.last {
		if t.wait.what == seeLeave && now.Before(t.wait.until) {
			return true
		}
		if t.lastWords != "" {
			t.do(due, protocol.Tell{Name: s.Opponent, Text: t.lastWords})
		}
		t.do(due, protocol.Leave{})
		t.expect(seeLeave, now)
		return true
	}
	if filed {
		due.Notes = append(due.Notes, Note{Kind: NoteOpen, Opponent: s.Opponent, Resumed: true, Next: true, Score: s.Score, Ratings: t.ratings(s.Opponent)})
	}
	return false
}
