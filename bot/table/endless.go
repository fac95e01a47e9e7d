package table

import (
	"fibsbot/bot/protocol"
)

// Unlimited matches never end by themselves. Each finished game is filed as a match of its
// own, and the bot leaves the match after the game that LastGame announces.

// lastGame is whether the running game of an unlimited match is the last one, and what the
// opponent is told after it.
type lastGame struct {
	on  bool
	say string
}

// LastGame sets whether the running game of an unlimited match is the last one. If it is,
// the bot leaves after it and tells the opponent say, unless say is empty.
func (t *Table) LastGame(last bool, say string) { t.lastGame = lastGame{last, say} }

// putAway files the finished games of an unlimited match and reports whether there were
// any to file.
func (t *Table) putAway() bool {
	s := t.sheet
	if s.Filed == len(s.Games) {
		return false
	}
	s.Filed = len(s.Games)
	t.note(Note{Kind: NoteOver, Opponent: s.Opponent})
	t.matches.at(s.Opponent).heard = heard{}
	return true
}

// allFiled reports whether an unlimited match was interrupted between two games, with no
// game that waits for its list of moves. The journal then holds nothing to resume. If our
// own line broke, a next game that we joined may be running, so this is not reported.
func (t *Table) allFiled() bool {
	s := t.sheet
	if s.Length != 0 || len(s.Games) == 0 || s.Current() != nil || t.opt.Mend && s.NeedsMending() {
		return false
	}
	if !t.putAway() {
		if t.stage == offline {
			return false
		}
		t.due.Notes = append(t.due.Notes, Note{Kind: NoteDiscard, Opponent: s.Opponent}) // that of the next game
	}
	return true
}

// nextGame files the game of an unlimited match that has ended and starts the journal of
// the next one. After the last game it leaves the match and returns true.
func (t *Table) nextGame() (left bool) {
	s := t.sheet
	if s.Current() != nil {
		return false
	}
	filed := t.putAway()
	if t.lastGame.on {
		if t.wait.what == seeLeave && t.now.Before(t.wait.until) {
			return true
		}
		if t.lastGame.say != "" {
			t.do(protocol.Tell{Name: s.Opponent, Text: t.lastGame.say})
		}
		t.command(protocol.Leave{}, seeLeave)
		return true
	}
	if filed {
		t.note(Note{Kind: NoteOpen, Opponent: s.Opponent, Resumed: true, Next: true, Score: s.Score, Ratings: t.ratings(s.Opponent)})
	}
	return false
}
