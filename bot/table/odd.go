package table

import (
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// A board that contradicts earlier lines: one of the two is wrong, so the table asks the
// server again before it acts on either.

// odd is a board that is not believed yet.
type odd struct {
	opponent string
	length   int
	score    [2]int
	look     time.Time // when to ask for the board again; zero if never
	asked    int       // how often the board was asked for again
}

// asks returns how often the server must repeat the board after a request before it is
// believed: twice if the sheet's match would be another one, because a single repetition may
// have been on its way already.
func (o *odd) asks(s *sheet.Sheet) int {
	if o.opponent != s.Opponent || s.Length >= 0 && o.length != s.Length {
		return 2
	}
	return 1
}

// recheck: the table asks again for a contradicting board after Patience / recheck.
const recheck = 8

// look asks for the board, at once or, after a recent request, a little later: a server
// that contradicts itself in every line is not asked at every line.
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

// keepWatch makes sure that a match never waits without a timer: any line may be lost, and
// a false line may have ended a wait.
func (t *Table) keepWatch(now time.Time) {
	if t.sheet != nil && t.Wake().IsZero() && (!t.asked || t.answer != nil) {
		t.wait = await{what: seeBoard, until: now.Add(t.opt.Patience), tries: t.wait.tries}
	}
}

// goesOn reports whether a match at the board excludes a new one.
func (t *Table) goesOn() bool {
	return t.sheet != nil && t.rules.Seat == 0 && (t.stage == playing || t.stage == joining)
}

// doubtful reports whether ev is a board that is not believed: it contradicts the match so
// far, and the server has not yet repeated it. A late or false board is forgotten when the
// next board agrees with the sheet.
func (t *Table) doubtful(due *Due, ev *protocol.Event, now time.Time) bool {
	s, v := t.sheet, ev.Board
	if s == nil || ev.Kind != protocol.BoardLine || v == nil || !v.Mine || t.rules.Seat > 0 {
		return false
	}
	if t.stage == mending {
		if !s.Over {
			return false // its end was not seen, and its list of moves is awaited
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
	if o.asked < o.asks(s) || t.old {
		if o.asked > 0 && !t.old && o.look.IsZero() {
			o.look = now.Add(t.opt.Patience / recheck)
		}
		return true
	}
	t.odd = odd{}
	t.believe(due, v, now)
	return false
}

// believe changes the sheet for a board that contradicts it but was repeated.
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
		// The announced end was false. The match continues as after an interruption, from
		// this board.
		due.Notes = append(due.Notes, Note{Kind: NoteSaved, Opponent: s.Opponent},
			Note{Kind: NoteOpen, Opponent: s.Opponent, Length: s.Length, Resumed: true})
		s.Interrupted()
		t.heardOf(s).board = ""
		t.haveView, t.listed, t.joins, t.resumed, t.stage = false, -1, 0, true, playing
		t.moveOn()
		t.progress()
	}
}

// badTries is the number of impossible boards in a row after which the operator is warned.
const badTries = 2

// badWarnEvery is the shortest time between two such warnings.
const badWarnEvery = time.Hour

// badBoard handles an impossible board. The table asks again, with growing pauses, until
// repair gives the connection up; on the next connection it leaves the match.
func (t *Table) badBoard(due *Due, why string, now time.Time) {
	if t.stage == mending || t.wait.what == seeLeave {
		return
	}
	t.bad++
	if t.badLost == t.sheet.Opponent {
		t.badLost = ""
		due.Warn = "impossible board in the match with " + t.sheet.Opponent + " (" + why + "); leaving the match"
		t.cannotResume(due, t.sheet.Opponent)
		t.do(due, protocol.Leave{})
		t.expect(seeLeave, now)
		return
	}
	tries := t.wait.tries
	switch {
	case t.bad < badTries:
		t.wait = await{tries: tries}
		t.look(due, now)
		return
	case t.bad == badTries && now.Sub(t.badWarned) > badWarnEvery:
		t.badWarned = now
		due.Warn = "impossible board in the match with " + t.sheet.Opponent + " (" + why + "); asking again"
	case tries == maxTries:
		t.badLost = t.sheet.Opponent
	}
	t.wait = await{what: seeBoard, until: now.Add(t.opt.Patience * time.Duration(tries+1)), tries: tries}
}
