package table

import (
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// Boards that contradict what was told before: one of the two is wrong, and the server is
// asked again before anything follows from either.

// odd is what a board says that is not believed yet.
type odd struct {
	opponent string
	length   int
	score    [2]int
	look     time.Time // when to ask for the board again; zero not, or no more
	asked    bool      // it has been asked for again
}

// recheck is the part of Patience after which a board that contradicts is asked for again.
const recheck = 8

// look asks for the board, at once or, when it has been asked for just now, in a while:
// a server that contradicts itself in every line is not asked at every line.
func (t *Table) look(due *Due, now time.Time) {
	if next := t.doubtAt.Add(t.opt.Patience / recheck); now.Before(next) {
		t.odd.look = next
		return
	}
	t.doubtAt = now
	t.do(due, protocol.AskBoard{})
	if t.stage == playing && (t.wait.until.IsZero() || t.wait.what == seeOpponent) {
		t.expect(seeBoard, now)
	}
}

// keepWatch sees to it that a match never waits for a line alone: every line may be lost, or
// a lie that has ended a wait.
func (t *Table) keepWatch(now time.Time) {
	if t.sheet != nil && t.Wake().IsZero() && (!t.asked || t.answer != nil) {
		t.wait = await{what: seeBoard, until: now.Add(t.opt.Patience), tries: t.wait.tries}
	}
}

// goesOn reports whether a match of ours is at the board that leaves no room for another
// one.
func (t *Table) goesOn() bool {
	return t.sheet != nil && t.rules.Seat == 0 && (t.stage == playing || t.stage == joining)
}

// holds reports whether ev is a board that is not believed: it contradicts the match as it
// was told, and the server has not yet said the same again after a while. One that was
// late, or never true, is forgotten when the next board agrees with the sheet.
func (t *Table) holds(due *Due, ev *protocol.Event, now time.Time) bool {
	s, v := t.sheet, ev.Board
	if s == nil || ev.Kind != protocol.BoardLine || v == nil || !v.Mine || t.rules.Seat > 0 {
		return false
	}
	if t.stage == mending {
		if !s.Over {
			return false // its end was not seen, and the list of it is asked for
		}
	} else if !t.haveView {
		return false
	}
	if !s.Contradicts(v) {
		t.odd = odd{}
		return false
	}
	o := &t.odd
	if o.opponent != v.Opponent || o.length != v.Length || o.score != v.Score {
		*o = odd{opponent: v.Opponent, length: v.Length, score: v.Score, look: now.Add(t.opt.Patience / recheck)}
	}
	if !o.asked || t.old {
		return true
	}
	t.odd = odd{}
	t.believe(due, v, now)
	return false
}

// believe makes room for a board that contradicts the sheet and is believed all the same.
func (t *Table) believe(due *Due, v *sheet.Board, now time.Time) {
	s := t.sheet
	fell := v.Score[sheet.Us] < s.Score[sheet.Us] || v.Score[sheet.Them] < s.Score[sheet.Them]
	switch {
	case v.Opponent != s.Opponent:
		t.setAside(due)
		t.opened(due, v.Opponent, v.Length, true, now)
	case s.Length >= 0 && v.Length != s.Length, s.Over && !s.GoesBack(v.Score):
		due.Notes = append(due.Notes, Note{Kind: NoteDiscard, Opponent: s.Opponent})
		t.sheet = nil
		t.opened(due, v.Opponent, v.Length, true, now)
	case fell, s.GoesBack(v.Score):
		// The end that was told is taken back. The match goes on as after an interruption:
		// this board says how it stands.
		due.Notes = append(due.Notes, Note{Kind: NoteSaved, Opponent: s.Opponent},
			Note{Kind: NoteOpen, Opponent: s.Opponent, Length: s.Length, Resumed: true})
		s.Interrupted()
		t.heardOf(s).board = ""
		t.haveView, t.listed, t.joins, t.resumed, t.stage = false, -1, 0, true, playing
		t.moveOn()
		t.progress()
	}
}

// badTries is how many boards in a row that cannot be right are asked for again on a
// connection before an operator should know.
const badTries = 2

// badQuiet is the least time between two warnings of such boards.
const badQuiet = time.Hour

// badBoard handles a board that cannot be right. It is asked for again, ever more slowly;
// repair gives the connection up in the end, and on the next one the match is left.
func (t *Table) badBoard(due *Due, why string, now time.Time) {
	if t.stage == mending {
		return
	}
	t.bad++
	if t.badLost {
		if t.wait.what != seeLeave {
			due.Warn = "the board of the match with " + t.sheet.Opponent + " cannot be right (" + why + "); leaving the match"
			t.do(due, protocol.Leave{})
			t.expect(seeLeave, now)
		}
		return
	}
	tries := t.wait.tries
	switch {
	case t.bad < badTries:
		t.wait = await{tries: tries}
		t.look(due, now)
		return
	case t.bad == badTries && now.Sub(t.badTold) > badQuiet:
		t.badTold = now
		due.Warn = "the board of the match with " + t.sheet.Opponent + " cannot be right (" + why + "); asking again"
	case tries == maxTries:
		t.badLost = true
	}
	t.wait = await{what: seeBoard, until: now.Add(t.opt.Patience * time.Duration(tries+1)), tries: tries}
}
