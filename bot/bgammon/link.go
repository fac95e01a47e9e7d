package bgammon

import (
	"context"
	"slices"
	"sync"

	"fibsbot/bgammon/client"
	"fibsbot/bgammon/wire"
	"fibsbot/bot/protocol"
)

// link is a session of the client as a protocol.Link. It does what the server leaves to its
// clients: it sends a play hop by hop and ends every turn with ok.
type link struct {
	*client.Session
	protocol.Pipe
	protocol Protocol

	mu     sync.Mutex // held until there is a session
	reader reader
	queue  []protocol.Event // to be handed on: the server's and those made up here, in order
	turn   turn
	// asked is our roll, double or answer that the server has not reacted to, or nil. It
	// is not sent twice.
	asked   wire.Command
	leaving int // the number of the match that we leave: nothing is played in it any more
	// lists counts the received lists of matches, asks the requests for the board. The
	// second list answers our request after the login; by then the server has sent all it
	// has about our match.
	lists, asks int

	handing chan struct{} // holds a value while no one hands on events
}

// patience is how often the board may be asked for until the login counts as complete.
const patience = 3

var _ protocol.Link = (*link)(nil)

// dial logs in.
func (p Protocol) dial(ctx context.Context, o client.Options) (*link, error) {
	l := &link{Pipe: protocol.NewPipe(), protocol: p, handing: make(chan struct{}, 1), reader: reader{live: true, people: p.Person}}
	o.Deliver = l.deliver
	l.handing <- struct{}{}
	l.mu.Lock()
	defer l.mu.Unlock()
	var err error
	if l.Session, err = client.Dial(ctx, o); err != nil {
		return nil, err
	}
	l.send(wire.ListGames)
	return l, nil
}

// deliver is the client's Options.Deliver.
func (l *link) deliver(ev *client.Event) {
	if ev != nil {
		l.heard(*ev)
		l.hand()
		return
	}
	<-l.handing
	l.End()
}

// hand hands on what is queued. It waits for the reader of events. Nothing is handed on after
// the end.
func (l *link) hand() {
	select {
	case <-l.handing:
		defer func() { l.handing <- struct{}{} }()
	case <-l.Quit:
		return
	}
	for {
		l.mu.Lock()
		if len(l.queue) == 0 {
			l.mu.Unlock()
			return
		}
		e := l.queue[0]
		l.queue = l.queue[1:]
		l.mu.Unlock()
		if !l.Hand(e) {
			return
		}
	}
}

// heard turns one line into events and does what it asks for at once.
func (l *link) heard(ev client.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	news, answer, away := ev.Line != l.reader.line, l.reader.trust, l.reader.away
	l.queue = append(l.queue, l.reader.FromServer(ev.Line)...)
	last := &l.reader.last
	switch e := ev.Event.(type) {
	case wire.List:
		if l.lists++; l.lists == 2 && l.asks > 0 {
			l.asks = patience
			l.queue = append(l.queue, l.standing()...)
		}
	case wire.Board:
		if (news || answer) && l.reader.line == ev.Line { // believed
			l.asked = nil
			if answer {
				l.turn.sent = nil // it was carried out before, or never will be
			}
			l.send(l.turn.saw(last))
		}
		if l.reader.watched.stray {
			l.reader.watched.end()
			l.send(wire.Leave)
		}
		if l.reader.watched.seated {
			l.queue = append(l.queue, l.reader.watched.refused("The match has not begun."))
			l.reader.watched.end()
			l.send(wire.Leave)
		}
	case wire.Joined:
		// What the server refused without the opponent is sent again: the board that comes with him may
		// say nothing new.
		if away && !l.reader.away {
			l.send(l.turn.saw(last))
		}
	case wire.Left:
		if l.reader.watched.left {
			l.unwatch()
		}
		l.goOn()
	case wire.Rolled, wire.Win:
		l.asked = nil
	case wire.Notice:
		// Without the opponent some commands are refused so, and in no other words.
		l.asked = nil
		if l.reader.away && l.turn.sent == wire.OK {
			l.send(l.turn.lost(last, false))
		}
	case wire.Refusal:
		l.asked = nil
		if e.Command == "move" || e.Command == "ok" && ours(last) {
			l.send(l.turn.lost(last, true)) // the whole play is decided again
		}
		if e.Command == "leave" {
			l.goOn()
			l.leaving = 0
		}
	}
}

// send queues a command of the link's own, or nothing. A full queue ends nothing: the
// board comes again.
func (l *link) send(c wire.Command) {
	if c != nil {
		l.reader.trust = false // a board that was asked for may come from before c
		_ = l.Session.Send(c, nil)
	}
}

// Err implements protocol.Link.
func (l *link) Err() error { return failure(l.Session.Err()) }

// Close implements protocol.Link.
func (l *link) Close() error {
	close(l.Quit)
	return l.Session.Close()
}

// Send implements protocol.Link.
func (l *link) Send(c protocol.Command, valid func() bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.answer(c) {
		return nil
	}
	wc := l.protocol.commandOf(c)
	if wc == nil {
		return nil // this server has no such command
	}
	switch c := c.(type) {
	case protocol.Watch:
		return l.watch(c.Name)
	case protocol.Unwatch:
		l.unwatch()
		return nil
	case protocol.Invite, protocol.Open:
		l.unwatch()
		return l.parted(wc, valid)
	}
	if l.reader.watched.player != "" && (ofTurn(c) || wc == wire.Leave) {
		return nil // the server would take it for a player's
	}
	if ofTurn(c) {
		if l.leaving == l.reader.matches && l.leaving > 0 {
			return nil
		}
		return sendError(l.act(wc, valid))
	}
	if t, ok := c.(protocol.Tell); ok && (t.Name != l.reader.opponent || l.reader.away) {
		return nil // talk is possible within a match only, with a player who is there
	}
	if wc == wire.Disconnect {
		l.reader.bye = true
	}
	if wc == wire.Leave {
		// A player may join before we have left: then the match is played.
		match := l.reader.matches
		l.leaving = match
		valid = func() bool {
			l.mu.Lock()
			defer l.mu.Unlock()
			return l.reader.matches == match
		}
	}
	return sendError(l.Session.Send(wc, valid))
}

// ofTurn reports whether c is decided for the state of a game.
func ofTurn(c protocol.Command) bool {
	switch c.(type) {
	case protocol.Roll, protocol.Next, protocol.Move, protocol.Double, protocol.Take, protocol.Drop, protocol.Resign:
		return true
	}
	return false
}

// act sends what was decided for a state of a game, unless it is on its way or done
// already. valid is that of Send.
func (l *link) act(c wire.Command, valid func() bool) error {
	if m, ok := c.(wire.Move); ok {
		if !l.reader.allows(m) {
			return nil // decided before what the server has said since
		}
		if c = l.turn.decided(slices.Clone(m), &l.reader.last); c == nil {
			return nil // the play continues when the sent commands have had their effect
		}
		l.reader.trust = false
		return l.Session.Send(c, l.still(valid, func() { l.send(l.turn.lost(&l.reader.last, true)) }))
	}
	switch {
	case l.asked == c:
		return nil
	case c == wire.Roll && l.reader.hasRolled():
		l.tell(protocol.Event{Kind: protocol.AlreadyDone})
		return nil
	}
	l.asked, l.reader.trust = c, false
	return l.Session.Send(c, l.still(valid, func() { l.asked = nil }))
}

// still is valid, and does otherwise when that reports false: the command is not sent.
func (l *link) still(valid func() bool, otherwise func()) func() bool {
	if valid == nil {
		return nil
	}
	return func() bool {
		if valid() {
			return true
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		otherwise()
		return false
	}
}

func sendError(err error) error {
	return protocol.SendError(err, client.ErrQueueFull, wire.ErrCommand)
}

// answer answers a command that the server does not have, and reports whether it did.
func (l *link) answer(c protocol.Command) bool {
	var e protocol.Event
	switch c := c.(type) {
	case protocol.AskSaved:
		e.Kind = protocol.SavedBegins
	case protocol.AskSavedCount:
		e = protocol.Event{Kind: protocol.SavedCount, Name: c.Name}
	case protocol.Resume:
		e = protocol.Event{Kind: protocol.NoSavedMatch, Name: c.Name}
	case protocol.AskMoves:
		e.Kind = protocol.ListRefused
	case protocol.AskBoard:
		l.asks++
		if l.reader.watched.player != "" {
			l.send(wire.ShowBoard)
			return true
		}
		if l.reader.shown.Board != nil {
			// After doubtful boards or a command without effect the answer decides.
			doubt := l.reader.doubted || l.asked != nil || l.turn.sent != nil
			l.send(wire.ShowBoard)
			l.reader.trust = doubt
		}
		told := l.standing()
		if len(told) == 0 {
			return true
		}
		e = told[0]
	default:
		return false
	}
	l.tell(e)
	return true
}

// tell hands on an event of the link's own. It does not wait: the reader of events calls it.
func (l *link) tell(e protocol.Event) {
	l.queue = append(l.queue, e)
	go l.hand()
}

// standing returns the answer to AskBoard. It is empty while the server may still announce a
// match, in the middle of a turn, and at a match that is over and not left.
func (l *link) standing() []protocol.Event {
	switch {
	case l.reader.shown.Board != nil:
		return []protocol.Event{l.reader.shown}
	case l.reader.opponent == "" && l.reader.away:
		return []protocol.Event{{Kind: protocol.OpponentGone, Match: l.reader.number}}
	case l.reader.opponent != "", l.lists < 2 && l.asks < patience:
		return nil
	}
	return []protocol.Event{{Kind: protocol.NoMatch, Match: l.reader.highest}}
}
