package table

import (
	"time"

	"fibsbot/bot/protocol"
)

// Unlimited matches never end by themselves. Each finished game is filed as a match of its
// own, and the bot leaves the match after the game that LastGame announces.

// LastGame sets whether the running game of an unlimited match is the last one. If it is,
// the bot leaves after it and tells the opponent say, unless say is empty.
func (t *Table) LastGame(last bool, say string) { t.last, t.lastWords = last, say }

// putAway files the finished games of an unlimited match and reports whether there were
// any to file.
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

// allFiled reports whether an unlimited match was interrupted between two games, with no
// game that waits for its list of moves. The journal then holds nothing to resume. If our
// own line broke, a next game that we joined may be running, so this is not reported.
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

// nextGame files the game of an unlimited match that has ended and starts the journal of
// the next one. After the last game it leaves the match and returns true.
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
