package bgammon

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"fibsbot/bgammon/client"
	"fibsbot/bgammon/wire"
	"fibsbot/bot/protocol"
	"fibsbot/internal/crash"
)

// link is a session of the client as a protocol.Link. It does what the server leaves
// to its clients: a play is sent hop by hop, as the server says it may be made next;
// every turn is ended by ok.
type link struct {
	s      *client.Session
	events chan protocol.Event
	quit   chan struct{}
	done   chan struct{}
	fault  error // of ours; set before done is closed

	mu     sync.Mutex
	reader reader
	queue  []protocol.Event // made up here, in order with the server's
	wake   chan struct{}
	hops   []wire.Hop // of our play, not made yet
	ended  bool       // ok has been sent for this turn
	// lists counts the lists of matches and asks how often the board was asked for: the
	// second list answers the question that we sent after the login, and what the server
	// had to say about a match of ours came before it.
	lists, asks int
}

// patience is how often the board may be asked for before the server is taken to have
// said all about the login.
const patience = 3

var _ protocol.QueuedLink = (*link)(nil)

func newLink(s *client.Session) *link {
	l := &link{s: s, events: make(chan protocol.Event), quit: make(chan struct{}), done: make(chan struct{}), wake: make(chan struct{}, 1)}
	l.send(wire.ListGames)
	go l.pass()
	return l
}

// pass hands events on until the session has ended.
func (l *link) pass() {
	defer close(l.done)
	defer close(l.events)
	for {
		l.mu.Lock()
		pending := l.queue
		l.queue = nil
		l.mu.Unlock()
		for _, e := range pending {
			select {
			case l.events <- e:
			case <-l.quit:
				l.drain()
				return
			}
		}
		select {
		case <-l.wake:
		case <-l.quit:
			l.drain()
			return
		case ev, ok := <-l.s.Events():
			if !ok {
				return
			}
			if err := l.guarded(ev); err != nil {
				l.fault = protocol.Failed(protocol.CauseCrash, fmt.Errorf("reading %q: %w", ev.Line, err))
				return
			}
		}
	}
}

// guarded is heard; a fault of this program in a line ends this connection, and none
// of another account.
func (l *link) guarded(ev client.Event) (err error) {
	defer crash.To(&err)
	l.heard(ev)
	return nil
}

// drain reads what still comes, so that the session can end.
func (l *link) drain() {
	for range l.s.Events() {
	}
}

// heard turns one line into events and does what it asks for at once.
func (l *link) heard(ev client.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	again := ev.Line == l.reader.line
	l.queue = append(l.queue, l.reader.Said(ev.Line)...)
	switch e := ev.Event.(type) {
	case wire.List:
		if l.lists++; l.lists == 2 && l.asks > 0 {
			l.asks = patience
			l.queue = append(l.queue, l.standing()...)
		}
	case wire.Board:
		if !again {
			l.goOn(&e)
		}
	case wire.Refusal:
		if e.Command == "move" && len(l.reader.last.Hops) > 0 {
			l.send(wire.Reset) // the whole play is decided anew
		}
		if e.Command == "move" {
			l.hops = nil
		}
	}
}

// goOn makes the next hop of our play, or ends a turn in which nothing is left to do.
func (l *link) goOn(b *wire.Board) {
	mine := !b.Spectating && b.Full() && b.Turn == wire.TurnOwn && b.Winner == 0 && b.Die1 > 0 && b.Die2 > 0 && !b.Offered
	switch {
	case b.Spectating:
	case b.Full() && b.MatchOver():
		l.hops = nil
	case !mine:
		l.hops, l.ended = nil, false
	case len(b.Available) > 0:
		l.ended = false
		if len(b.Hops) == 0 {
			return // where the turn begins, the play is still to be decided
		}
		if !l.hop(b) {
			// We came back into the middle of our own turn, or the play does not go on
			// from here: begin it again.
			l.hops = nil
			l.send(wire.Reset)
		}
	case !l.ended:
		l.hops, l.ended = nil, true
		l.send(wire.OK)
	}
}

// hop sends the next hop of our play that the server allows, and tells whether there
// was one.
func (l *link) hop(b *wire.Board) bool {
	for i, h := range l.hops {
		if slices.Contains(b.Available, h) {
			l.hops = slices.Delete(slices.Clone(l.hops), i, i+1)
			l.send(wire.Move{h})
			return true
		}
	}
	return false
}

// send queues a command of the link's own. A full queue ends nothing: the board comes
// again.
func (l *link) send(c wire.Command) { _ = l.s.Send(c) }

// Events implements protocol.Link.
func (l *link) Events() <-chan protocol.Event { return l.events }

// Err implements protocol.Link.
func (l *link) Err() error {
	<-l.done
	if l.fault != nil {
		return l.fault
	}
	select {
	case <-l.quit:
		return nil
	default:
	}
	if err := l.s.Err(); err != nil {
		return failure(err)
	}
	return nil
}

// Close implements protocol.Link.
func (l *link) Close() error {
	close(l.quit)
	err := l.s.Close()
	<-l.done
	return err
}

// Waiting implements protocol.QueuedLink.
func (l *link) Waiting() int { return l.s.Waiting() }

// Send implements protocol.Link.
func (l *link) Send(c protocol.Command) error { return l.SendWhile(c, nil) }

// Drained implements protocol.QueuedLink.
func (l *link) Drained() <-chan struct{} { return l.s.Drained() }

// SendWhile implements protocol.QueuedLink.
func (l *link) SendWhile(c protocol.Command, valid func() bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.answer(c) {
		return nil
	}
	wc := commandOf(c)
	if wc == nil {
		return nil // nothing that this server could understand
	}
	if m, ok := wc.(wire.Move); ok {
		l.hops = slices.Clone(m)
		for i, h := range l.hops {
			if slices.Contains(l.reader.last.Available, h) {
				l.hops = slices.Delete(l.hops, i, i+1)
				return queueError(l.s.SendWhile(wire.Move{h}, valid))
			}
		}
		return queueError(l.s.SendWhile(m, valid)) // the server will say what is wrong
	}
	if t, ok := c.(protocol.Tell); ok && t.Name != l.reader.opponent {
		return nil // there is talk within a match only
	}
	if wc == wire.Leave {
		// Somebody may join the table that we have not left yet: that match is meant to
		// be played.
		match := l.reader.matches
		valid = func() bool {
			l.mu.Lock()
			defer l.mu.Unlock()
			return l.reader.matches == match
		}
	}
	return queueError(l.s.SendWhile(wc, valid))
}

func queueError(err error) error {
	if errors.Is(err, client.ErrQueueFull) {
		return fmt.Errorf("%w: %w", protocol.ErrQueueFull, err)
	}
	if errors.Is(err, wire.ErrCommand) {
		return nil
	}
	return err
}

// answer answers what the server has no command for from what is known; it tells
// whether it did.
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
		told := l.standing()
		if len(told) == 0 {
			return true
		}
		e = told[0]
	default:
		return false
	}
	l.queue = append(l.queue, e)
	select {
	case l.wake <- struct{}{}:
	default:
	}
	return true
}

// standing is the answer to a look at the board; none while the server may still have to
// tell of a match, in the middle of a turn, whose end will tell, or at a match that is over
// and not left.
func (l *link) standing() []protocol.Event {
	switch {
	case l.reader.shown.Board != nil:
		return []protocol.Event{l.reader.shown}
	case l.reader.opponent != "", l.lists < 2 && l.asks < patience:
		return nil
	}
	return []protocol.Event{{Kind: protocol.NoMatch}}
}
