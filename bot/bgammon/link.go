package bgammon

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"fibsbot/bgammon/client"
	"fibsbot/bgammon/wire"
	"fibsbot/bot/protocol"
	"fibsbot/internal/panics"
)

// link is a session of the client as a protocol.Link. It does what the server leaves to its
// clients: it sends a play hop by hop and ends every turn with ok.
type link struct {
	s      *client.Session
	events chan protocol.Event
	quit   chan struct{}
	done   chan struct{}
	fault  error // of this program; set before done is closed

	mu     sync.Mutex
	reader reader
	queue  []protocol.Event // made up here, in order with the server's
	wake   chan struct{}
	turn   turn
	// asked is our roll, double or answer that the server has not reacted to, or nil. It
	// is not sent twice.
	asked   wire.Command
	leaving int // the number of the match that we leave: nothing is played in it any more
	// lists counts the received lists of matches, asks the requests for the board. The
	// second list answers our request after the login; by then the server has sent all it
	// has about our match.
	lists, asks int
}

// patience is how often the board may be asked for until the login counts as complete.
const patience = 3

var _ protocol.QueuedLink = (*link)(nil)

func newLink(s *client.Session) *link {
	l := &link{s: s, events: make(chan protocol.Event), quit: make(chan struct{}), done: make(chan struct{}), wake: make(chan struct{}, 1), reader: reader{live: true}}
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

// guarded calls heard. A panic on a line ends this connection only, not those of other
// accounts.
func (l *link) guarded(ev client.Event) (err error) {
	defer panics.Recover(&err)
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
	news, answer := ev.Line != l.reader.line, l.reader.trust
	l.queue = append(l.queue, l.reader.Said(ev.Line)...)
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
			l.leaving = 0
		}
	}
}

// send queues a command of the link's own, or nothing. A full queue ends nothing: the
// board comes again.
func (l *link) send(c wire.Command) {
	if c != nil {
		l.reader.trust = false // a board that was asked for may come from before c
		_ = l.s.Send(c)
	}
}

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
		return nil // this server has no such command
	}
	if ofTurn(c) {
		if l.leaving == l.reader.matches && l.leaving > 0 {
			return nil
		}
		return queueError(l.act(wc, valid))
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
	return queueError(l.s.SendWhile(wc, valid))
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
// already. valid is that of SendWhile.
func (l *link) act(c wire.Command, valid func() bool) error {
	if m, ok := c.(wire.Move); ok {
		if !l.reader.allows(m) {
			return nil // decided before what the server has said since
		}
		if c = l.turn.decided(slices.Clone(m), &l.reader.last); c == nil {
			return nil // the play continues when the sent commands have had their effect
		}
		l.reader.trust = false
		return l.s.SendWhile(c, l.still(valid, func() { l.send(l.turn.lost(&l.reader.last, true)) }))
	}
	switch {
	case l.asked == c:
		return nil
	case c == wire.Roll && l.reader.hasRolled():
		l.tell(protocol.Event{Kind: protocol.AlreadyDone})
		return nil
	}
	l.asked, l.reader.trust = c, false
	return l.s.SendWhile(c, l.still(valid, func() { l.asked = nil }))
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

func queueError(err error) error {
	if errors.Is(err, client.ErrQueueFull) {
		return fmt.Errorf("%w: %w", protocol.ErrQueueFull, err)
	}
	if errors.Is(err, wire.ErrCommand) {
		return nil
	}
	return err
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

// tell passes on an event of the link's own.
func (l *link) tell(e protocol.Event) {
	l.queue = append(l.queue, e)
	select {
	case l.wake <- struct{}{}:
	default:
	}
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
