package table

import (
	"fmt"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// repair handles a command without effect: it asks for the board and decides again. After
// maxTries rounds it gives the connection up.
func (t *Table) repair(due *Due, now time.Time) {
	what := t.wait.what
	if what == seeMoves && t.listing {
		t.listEnds(due, now)
		return
	}
	t.wait.tries++
	if what == seeOpponent {
		t.wait.tries = 0 // the opponent may take his time: only ask whether a line was lost
		t.suspectResignation(due)
	}
	if t.wait.tries > maxTries {
		t.giveUp(due, what, now)
		return
	}
	switch t.stage {
	case joining:
		t.repairJoin(due, what, now)
	case mending:
		switch {
		case t.wait.tries > mendTries:
			t.endMending(due, now)
		case what == seeEnd:
			t.do(due, protocol.AskBoard{})
			t.expect(seeEnd, now)
		default:
			t.do(due, protocol.AskMoves{Name: t.sheet.Opponent})
			t.expect(seeMoves, now)
		}
	case visiting:
		t.do(due, protocol.AskBoard{})
		t.expect(seeBoard, now)
	case playing:
		// Our command may have been lost: the next board counts as an answer.
		if t.wait.tries > 1 {
			t.answers.lost()
		}
		t.sent = false
		t.do(due, protocol.AskBoard{})
		t.expect(seeBoard, now)
	default:
		t.wait = await{}
	}
}

// suspectResignation asks now and then whether the opponent's offer to resign was lost, which
// no board shows. A roll out of turn is harmless, and an open offer blocks it with a message.
// (A rejection could drop a double that is on its way to us.)
func (t *Table) suspectResignation(due *Due) {
	t.idle++
	if t.rules.ResignsAtOnce || t.idle%t.suspicion() != 0 || t.stage != playing || t.sheet == nil {
		return
	}
	if t.sheet.Resigner() == sheet.Nobody && t.sheet.Doubler() == sheet.Nobody {
		t.do(due, protocol.Roll{})
	}
}

// giveUp reconnects, since nothing has brought what the table waits for.
func (t *Table) giveUp(due *Due, what effect, now time.Time) {
	if t.stage == visiting && t.savedTold && t.rules.Seat == 0 {
		// The server answers, but some send no board between matches.
		t.notPlaying(due, now)
		return
	}
	t.wait = await{}
	due.Reconnect = "no effect of " + string(what)
	if mute := now.Sub(t.heardAt); mute >= maxTries*t.opt.Patience {
		due.Reconnect = fmt.Sprintf("the server has said nothing for %s, waiting for the effect of %s", mute.Round(time.Second), what)
		due.Silent = true
	}
}

// repairJoin asks again for what lies between two games of a match.
func (t *Table) repairJoin(due *Due, what effect, now time.Time) {
	switch {
	case what == seeMoves && t.wait.tries <= mendTries:
		t.do(due, protocol.AskMoves{Name: t.sheet.Opponent}) // the next game erases the list
		t.expect(seeMoves, now)
	case what == seeLeave && t.last:
		t.do(due, protocol.Leave{})
		t.expect(seeLeave, now)
	default:
		t.do(due, protocol.Next{})
		if what != seePartner && what != seeMoves {
			t.do(due, protocol.AskBoard{}) // the game may still be running
		}
		t.expect(seeJoin, now)
	}
}
