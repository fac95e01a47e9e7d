package table

import "fibsbot/bot/protocol"

// answers counts the boards that were asked for and have not come. A server answers in
// order, so a board that was asked for before a command of ours shows what was before
// it, however late it comes, and is no proof that the command had no effect.
type answers struct {
	out    int  // asked for on this connection and still to come
	before int  // of those, asked for before our last command of the game
	told   bool // the server's last line is one that a board follows by itself
	wild   bool // the last answer came although nothing was asked
}

// sent notes a command of ours.
func (a *answers) sent(c protocol.Command) {
	switch c.(type) {
	case protocol.AskBoard:
		a.out++
	case protocol.Roll, protocol.Move, protocol.Double, protocol.Take, protocol.Beaver, protocol.Drop,
		protocol.Resign, protocol.AcceptResign, protocol.RefuseResign, protocol.Next:
		a.before = a.out
	}
}

// heard notes a line of the server. old tells that it answers a question for the board
// from before our last command.
func (a *answers) heard(ev *protocol.Event) (old bool) {
	switch ev.Kind {
	case protocol.BoardLine, protocol.BadBoard:
		if ev.Kind == protocol.BoardLine && !ev.Keep {
			return false // another's
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

// lost gives up what was asked for: noise has spoilt the answers.
func (a *answers) lost() { a.out, a.before = 0, 0 }
