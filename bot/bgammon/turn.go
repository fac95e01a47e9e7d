package bgammon

import (
	"slices"

	"fibsbot/bgammon/wire"
)

// turn is our turn in progress. The server takes a play hop by hop and shows a board after
// each. One command is sent at a time, and the next when a board shows its effect. Hops that do
// not belong to the decided play are taken back first, so a turn never mixes two plays. The
// zero turn has not begun.
type turn struct {
	play []wire.Hop   // as decided, nil before that
	sent wire.Command // without effect so far: a Move, Reset or OK; nil for nothing
	want []wire.Hop   // the hops of the board that shows the effect of sent
	// undone counts the resets, for a server that ignores them or plays automatically.
	undone int
}

// maxUndone bounds the resets of one turn. After them the table waits for the effect of its
// play and finally reconnects.
const maxUndone = 3

// ours reports whether b asks for our play: dice are rolled, and no double waits.
func ours(b *wire.Board) bool {
	return !b.Spectating && b.Turn == wire.TurnOwn && b.Winner == 0 && b.Die1 > 0 && b.Die2 > 0 && !b.Offered && !b.MatchOver()
}

// saw reads a board and returns what to send now, or nil.
func (t *turn) saw(b *wire.Board) wire.Command {
	if !ours(b) {
		*t = turn{}
		return nil
	}
	if t.sent != nil {
		if t.sent == wire.OK || !slices.Equal(b.Hops, t.want) {
			return nil // from before what is on its way
		}
		t.sent = nil
	}
	return t.next(b)
}

// decided takes the play for the turn that b shows and returns what to send now, or nil.
func (t *turn) decided(play []wire.Hop, b *wire.Board) wire.Command {
	t.play = play
	if t.sent != nil || !ours(b) {
		return nil
	}
	return t.next(b)
}

// lost handles a command without effect: the server refused it, or it was not sent. It returns
// what to send now, or nil. Hops of a play that is given up are taken back.
func (t *turn) lost(b *wire.Board, giveUp bool) wire.Command {
	t.sent = nil
	if !giveUp {
		return nil
	}
	t.play = nil
	if ours(b) && len(b.Hops) > 0 {
		return t.undo(b)
	}
	return nil
}

// next returns what to send at a board when no command is under way.
func (t *turn) next(b *wire.Board) wire.Command {
	rest, follows := without(t.play, b.Hops)
	switch {
	case t.play == nil && len(b.Available) == 0:
		return t.send(wire.OK, nil) // no legal play, or a turn that was played before the connection broke
	case t.play == nil && len(b.Hops) == 0:
		return nil // to be decided
	case t.play == nil || !follows:
		return t.undo(b)
	case len(rest) == 0 && len(b.Available) == 0:
		return t.send(wire.OK, nil)
	}
	for _, h := range rest {
		if slices.Contains(b.Available, h) {
			return t.send(wire.Move{h}, append(slices.Clone(b.Hops), h))
		}
	}
	if len(b.Hops) > 0 || len(rest) == 0 {
		return t.undo(b)
	}
	return t.send(wire.Move(rest), rest) // the server will say what is wrong
}

// undo takes back the hops of this turn, or ends it if that has no effect.
func (t *turn) undo(b *wire.Board) wire.Command {
	if t.undone++; t.undone <= maxUndone {
		return t.send(wire.Reset, nil)
	}
	if len(b.Available) == 0 {
		return t.send(wire.OK, nil)
	}
	return nil
}

func (t *turn) send(c wire.Command, want []wire.Hop) wire.Command {
	t.sent, t.want = c, want
	return c
}

// without returns the hops of a play that are not made yet. ok is false if made has a hop that
// is not in the play.
func without(play, made []wire.Hop) (rest []wire.Hop, ok bool) {
	rest = slices.Clone(play)
	for _, h := range made {
		i := slices.Index(rest, h)
		if i < 0 {
			return rest, false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return rest, true
}
