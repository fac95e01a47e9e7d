package table

import (
	"fmt"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
)

// repair handles a command without effect: it asks for the board and decides again. After
// maxTries rounds it gives the connection up.
func (t *Table) repair() {
	what := t.wait.what
	if what == seeMoves && t.moves.coming {
		t.listEnds()
		return
	}
	t.wait.tries++
	if what == seeOpponent {
		t.wait.tries = 0 // the opponent may take his time: only ask whether a line was lost
		t.suspectResignation()
	}
	if t.wait.tries > maxTries {
		t.giveUp(what)
		return
	}
	switch t.stage {
	case joining:
		t.repairJoin(what)
	case mending:
		switch {
		case t.wait.tries > mendTries:
			t.endMending()
		case what == seeEnd:
			t.command(protocol.AskBoard{}, seeEnd)
		default:
			t.command(protocol.AskMoves{Name: t.sheet.Opponent}, seeMoves)
		}
	case visiting:
		t.command(protocol.AskBoard{}, seeBoard)
	case playing:
		// Our command may have been lost: the next board counts as an answer.
		if t.wait.tries > 1 {
			t.answers.lost()
		}
		t.decision.sent = false
		t.command(protocol.AskBoard{}, seeBoard)
	default:
		t.wait = await{}
	}
}

// suspectResignation asks now and then whether the opponent's offer to resign was lost, which
// no board shows. A roll out of turn is harmless, and an open offer blocks it with a message.
// (A rejection could drop a double that is on its way to us.)
func (t *Table) suspectResignation() {
	t.idle.boards++
	if t.rules.ResignsAtOnce || t.idle.boards%t.suspicion() != 0 || t.stage != playing || t.sheet == nil {
		return
	}
	if t.sheet.Resigner() == sheet.Nobody && t.sheet.Doubler() == sheet.Nobody {
		t.do(protocol.Roll{})
	}
}

// giveUp reconnects, since nothing has brought what the table waits for.
func (t *Table) giveUp(what effect) {
	if t.stage == visiting && t.matches.told && t.rules.SeatKept == 0 {
		// The server answers, but some send no board between matches.
		t.notPlaying()
		return
	}
	t.wait = await{}
	t.due.Reconnect = "no effect of " + string(what)
	if mute := t.now.Sub(t.heardAt); mute >= maxTries*t.opt.Patience {
		t.due.Reconnect = fmt.Sprintf("the server has said nothing for %s, waiting for the effect of %s", mute.Round(time.Second), what)
		t.due.Silent = true
	}
}

// repairJoin asks again for what lies between two games of a match.
func (t *Table) repairJoin(what effect) {
	switch {
	case what == seeMoves && t.wait.tries <= mendTries:
		t.command(protocol.AskMoves{Name: t.sheet.Opponent}, seeMoves) // the next game erases the list
	case what == seeLeave && t.lastGame.on:
		t.command(protocol.Leave{}, seeLeave)
	default:
		t.do(protocol.Next{})
		if what != seePartner && what != seeMoves {
			t.do(protocol.AskBoard{}) // the game may still be running
		}
		t.expect(seeJoin)
	}
}
