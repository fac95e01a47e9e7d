package table

import (
	"time"

	"fibsbot/bot/protocol"
)

// effect is what a table waits for: the effect of its last command, or the next action of
// the server or the opponent.
type effect string

const (
	seeNothing     effect = ""
	seeBoard       effect = "board"              // one that was asked for, or that the server sends unasked
	seeOpening     effect = "opening board"      // the first board of a game
	seeEffect      effect = "effect"             // of a repeated command
	seeRoll        effect = "roll"               // our dice
	seePlay        effect = "play"               // the server accepts our play
	seeDouble      effect = "double"             // the server passes our double on
	seeTake        effect = "take"               // ours
	seeDrop        effect = "drop"               // ours
	seeResignation effect = "resign"             // the server passes our offer to resign on
	seeAcceptance  effect = "accept resignation" // ours
	seeRefusal     effect = "reject resignation" // ours
	seeResult      effect = "result"             // the score after a game
	seeJoinPrompt  effect = "join prompt"        // to join the next game
	seeJoin        effect = "join"               // the next game
	seePartner     effect = "partner"            // the opponent joins the next game
	seeOpponent    effect = "opponent"           // rolls, plays or answers
	seeMoves       effect = "oldmoves"           // the list of moves that was asked for
	seeSaved       effect = "saved"              // the list of saved matches
	seeLeave       effect = "leave"              // we have left the board
	seeEnd         effect = "end of match"       // the server no longer has the match that was announced as over
)

// await is the one effect that is still to come.
type await struct {
	what  effect
	until time.Time
	tries int
}

// answers counts requested boards that have not arrived. A server answers in order: a board
// requested before our command shows the state before that command, however late it arrives.
// It does not prove that the command had no effect.
type answers struct {
	out    int  // asked for on this connection and still to come
	before int  // those asked for before our last command of the game
	told   bool // the server sends a board unasked after its last line
	wild   bool // the last answer came although nothing was asked
}

// sent counts our command c.
func (a *answers) sent(c protocol.Command) {
	switch c.(type) {
	case protocol.AskBoard:
		a.out++
	case protocol.Roll, protocol.Move, protocol.Double, protocol.Take, protocol.Beaver, protocol.Drop,
		protocol.Resign, protocol.AcceptResign, protocol.RefuseResign, protocol.Next:
		a.before = a.out
	}
}

// heard counts a line of the server and reports whether it answers a request for the board
// that was sent before our last command.
func (a *answers) heard(ev *protocol.Event) (old bool) {
	switch ev.Kind {
	case protocol.BoardLine, protocol.BadBoard:
		if ev.Kind == protocol.BoardLine && !ev.Keep {
			return false // the board of another match
		}
		if told := a.told; told {
			a.told, a.wild = false, false
			return false
		}
	case protocol.NoMatch:
	case protocol.PointsHeld, protocol.MatchGoesOn, protocol.FirstMove, protocol.Rolls, protocol.Moves, protocol.OnlyMove:
		a.told = true
		return false
	default:
		a.told = false
		return false
	}
	a.wild = a.out == 0
	a.out = max(0, a.out-1)
	old = a.before > 0
	a.before = max(0, a.before-1)
	return old
}

// lost gives up all expected answers: noise has destroyed them.
func (a *answers) lost() { a.out, a.before = 0, 0 }
