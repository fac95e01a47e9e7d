package table

import (
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// A board that contradicts earlier lines: one of the two is wrong, so the table asks the
// server again before it acts on either.

// doubts are what speaks against the state of the match.
type doubts struct {
	board      odd       // a board that contradicts the sheet, not believed yet
	askedAt    time.Time // last request for the board because of a doubt
	impossible int       // boards in a row that cannot be right
	warnedAt   time.Time // last warning about such boards
	gaveUp     string    // the opponent of the match for which a connection was given up because of them
	refusals   int       // refused commands in a row, each within Patience of the one before
	refusedAt  time.Time // when the last command was refused
}

// odd is a board that is not believed yet.
type odd struct {
	opponent string
	length   int
	score    [2]int
	askAt    time.Time // when to ask for the board again; zero if never
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

// recheckPart: the table asks again for a contradicting board after Patience / recheckPart.
const recheckPart = 8

// recheck asks for the board, at once or, after a recent request, a little later: a server
// that contradicts itself in every line is not asked at every line.
func (t *Table) recheck() {
	if next := t.doubts.askedAt.Add(t.opt.Patience / recheckPart); t.now.Before(next) {
		t.doubts.board.askAt = next
		return
	}
	t.askInDoubt()
}

// askInDoubt asks for the board. The present wait continues: its repair asks again if there is
// no answer.
func (t *Table) askInDoubt() {
	t.doubts.askedAt = t.now
	t.do(protocol.AskBoard{})
	if t.stage == playing && (t.wait.until.IsZero() || t.wait.what == seeOpponent) {
		t.expect(seeBoard)
	}
}

// keepWatch makes sure that a match never waits without a timer: any line may be lost, and
// a false line may have ended a wait.
func (t *Table) keepWatch() {
	if t.sheet != nil && t.Wake().IsZero() && (!t.decision.asked || t.decision.answer != nil) {
		t.expect(seeBoard)
	}
}

// goesOn reports whether a match at the board excludes a new one.
func (t *Table) goesOn() bool {
	return t.sheet != nil && t.rules.SeatKept == 0 && (t.stage == playing || t.stage == joining)
}

// doubtful reports whether ev is a board that is not believed: it contradicts the match so
// far, and the server has not yet repeated it. A late or false board is forgotten when the
// next board agrees with the sheet.
func (t *Table) doubtful(ev *protocol.Event) bool {
	s, v := t.sheet, ev.Board
	if s == nil || ev.Kind != protocol.BoardLine || v == nil || !v.Mine || t.rules.SeatKept > 0 {
		return false
	}
	if t.stage == mending {
		if !s.Over {
			return false // its end was not seen, and its list of moves is awaited
		}
	} else if t.view == nil {
		return false
	}
	if !s.Contradicts(v) {
		t.doubts.board = odd{}
		return false
	}
	o := &t.doubts.board
	if o.opponent != v.Opponent || o.length != v.Length || o.score != v.Score {
		*o = odd{opponent: v.Opponent, length: v.Length, score: v.Score, askAt: t.now.Add(t.opt.Patience / recheckPart)}
	}
	if o.asked < o.asks(s) || t.line.old {
		if o.asked > 0 && !t.line.old && o.askAt.IsZero() {
			o.askAt = t.now.Add(t.opt.Patience / recheckPart)
		}
		return true
	}
	t.doubts.board = odd{}
	t.believe(v)
	return false
}

// believe changes the sheet for a board that contradicts it but was repeated.
func (t *Table) believe(v *sheet.Board) {
	s := t.sheet
	fell := v.Score[sheet.Us] < s.Score[sheet.Us] || v.Score[sheet.Them] < s.Score[sheet.Them]
	switch {
	case v.Opponent != s.Opponent:
		t.setAside()
		t.opened(v.Opponent, v.Length, true)
	case s.Length >= 0 && v.Length != s.Length, s.Over && !s.GoesBack(v.Score):
		t.note(Note{Kind: NoteDiscard, Opponent: s.Opponent})
		t.sheet = nil
		t.opened(v.Opponent, v.Length, true)
	case fell, s.GoesBack(v.Score):
		// The announced end was false. The match continues as after an interruption, from
		// this board.
		t.note(Note{Kind: NoteSaved, Opponent: s.Opponent},
			Note{Kind: NoteOpen, Opponent: s.Opponent, Length: s.Length, Resumed: true})
		s.Interrupted()
		t.matches.at(s.Opponent).heard.board = ""
		t.view, t.moves.game, t.idle.joins, t.idle.resumed, t.stage = nil, -1, 0, true, playing
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
func (t *Table) badBoard(why string) {
	if t.stage == mending || t.wait.what == seeLeave {
		return
	}
	t.doubts.impossible++
	if t.doubts.gaveUp == t.sheet.Opponent {
		t.doubts.gaveUp = ""
		t.due.Warn = "impossible board in the match with " + t.sheet.Opponent + " (" + why + "); leaving the match"
		t.cannotResume(t.sheet.Opponent)
		t.command(protocol.Leave{}, seeLeave)
		return
	}
	tries := t.wait.tries
	switch {
	case t.doubts.impossible < badTries:
		t.wait = await{tries: tries}
		t.recheck()
		return
	case t.doubts.impossible == badTries && t.now.Sub(t.doubts.warnedAt) > badWarnEvery:
		t.doubts.warnedAt = t.now
		t.due.Warn = "impossible board in the match with " + t.sheet.Opponent + " (" + why + "); asking again"
	case tries == maxTries:
		t.doubts.gaveUp = t.sheet.Opponent
	}
	t.wait = await{what: seeBoard, until: t.now.Add(t.opt.Patience * time.Duration(tries+1)), tries: tries}
}
