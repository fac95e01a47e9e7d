package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/internal/panics"
)

// handle carries out one line and reports whether the connection stays open.
func (s *Server) handle(ctx context.Context, c *conn, line string) bool {
	fate, ok := s.fateOf(ctx, c, &line)
	if !ok {
		return false
	}
	s.mu.Lock()
	defer s.release()
	s.admitLine()
	switch {
	case c.gone:
		return false
	case fate == Swallow:
		return true
	case fate == Drop:
		s.sever(c)
		return false
	}
	if u := c.user; u != nil && s.opts.OnDone != nil {
		d := Done{User: u.name, Line: line, Before: s.standing(u)}
		s.obey(c, line)
		d.Answer, d.After = string(c.pending), s.standing(u)
		// Before the texts: who reads of what this line did finds the hook told.
		s.emit(func() { s.done(d) })
	} else {
		s.obey(c, line)
	}
	s.deliver(c)
	if fate == DropAfter && !c.gone {
		s.sever(c)
	}
	return !c.gone
}

// obey is dispatch. A panic ends only the connection whose line caused it. The log gets only the
// first word of the line: the rest may be a password.
func (s *Server) obey(c *conn, line string) {
	word, _ := head(line)
	if c.user == nil {
		word = "(before the login)"
	}
	// The world may not even be able to see him off.
	s.runFirst("command", word, func() { s.dispatch(c, line) }, func() { s.sever(c) }, func() { s.hangUp(c, true) })
}

// runFirst runs do and, if it panics, the first of the others that does not. The mutex is held.
func (s *Server) runFirst(what, of string, do func(), others ...func()) {
	err := guarded(do)
	for _, other := range others {
		if err == nil {
			return
		}
		s.noteFault(err, what, of)
		err = guarded(other)
	}
	if err != nil {
		s.noteFault(err, what, of)
	}
}

func guarded(do func()) (err error) {
	defer panics.Recover(&err)
	do()
	return nil
}

// noteFault logs a fault behind the effects that were noted before.
func (s *Server) noteFault(err error, what, of string) {
	s.emit(func() { s.logFault(err, what, of) })
}

// logFault logs a fault at once, without the mutex.
func (s *Server) logFault(err error, what, of string) {
	_ = guarded(func() { withStack(s.opts.Log, err).WithField(what, of).Error(err.Error()) })
}

func withStack(l logrus.FieldLogger, err error) logrus.FieldLogger {
	var fault *panics.Fault
	if errors.As(err, &fault) {
		l = l.WithField("stack", string(fault.Stack))
	}
	return l
}

// fateOf asks the hook about a line, which it replaces by the earlier line that it names. It
// reports false when the connection is over.
func (s *Server) fateOf(ctx context.Context, c *conn, typed *string) (Fate, bool) {
	s.mu.Lock()
	c.last = s.opts.Now()
	u, n := c.user, 0
	if u != nil {
		u.lines++
		n = u.lines
		*typed = u.recall(*typed)
		if isHeard(*typed) {
			// By user and not by connection, so that a new login does not help.
			wait, _ := s.talk.take(key(u.name), time.Now(), time.Hour)
			s.pause(c, wait)
		}
	}
	gone := c.gone
	s.release()
	if gone || u == nil || s.opts.OnLine == nil {
		return Carry, !gone
	}
	fate := Drop // of a line that the hook cannot decide about
	if err := guarded(func() { fate = s.opts.OnLine(ctx, u.name, *typed, n) }); err != nil {
		s.logFault(err, "hook", "OnLine")
	}
	return fate, true
}

// standing returns the state of a user's match.
func (s *Server) standing(u *user) Standing {
	m := u.match
	if m == nil {
		return Standing{}
	}
	return Standing{Match: m.Record.Number, Game: m.Record.Earlier + len(m.Record.Games), Actions: len(m.game().Actions), Board: s.boardLine(m, m.seat(u), "You")}
}

// sever closes a connection and informs the other users.
func (s *Server) sever(c *conn) {
	if c.user != nil {
		s.logout(c.user, departDrop)
	}
	s.hangUp(c, true)
	s.deliver(nil)
}

// hangUp ends a connection: at once, or when everything queued is written.
func (s *Server) hangUp(c *conn, atOnce bool) {
	c.gone = true
	s.emit(func() { c.finish(atOnce) })
}

// readerEnded is called when the reader of a connection has ended.
func (s *Server) readerEnded(c *conn, err error) {
	s.mu.Lock()
	defer s.release()
	if c.user != nil {
		if errors.Is(err, errLineTooLong) {
			c.say("** Your line is too long. Good-bye.")
		}
		why := departDrop
		if !isPlainEnd(err) && !errors.Is(err, errLineTooLong) {
			why = departNetwork
		}
		s.runFirst("logout", c.user.name, func() { s.logout(c.user, why) })
	}
	delete(s.conns, c)
	if s.sites[c.site]--; s.sites[c.site] <= 0 {
		delete(s.sites, c.site)
	}
	s.deliver(nil)
	delete(s.dirty, c)
	s.hangUp(c, false)
}

// end closes a connection after its last lines are sent.
func (s *Server) end(c *conn) {
	s.flushConn(c, false)
	s.hangUp(c, false)
}

// touch marks a connection as having text to be delivered.
func (s *Server) touch(c *conn) { s.dirty[c] = true }

// deliver queues the text of this event. own is the connection whose line caused it; the others
// get it unasked.
func (s *Server) deliver(own *conn) {
	// A line that is answered with nothing gets its prompt, too.
	silent := own != nil && !own.gone && !s.dirty[own]
	for c := range s.dirty {
		s.flushConn(c, c == own)
	}
	if silent {
		s.flushConn(own, true)
	}
}

// flushConn queues the pending text of one connection. In telnet mode it ends
// with the prompt, on a line of its own.
func (s *Server) flushConn(c *conn, own bool) {
	delete(s.dirty, c)
	if c.gone {
		c.pending = nil
		return
	}
	c.endGlue()
	telnet := c.user != nil && !c.clip && !c.auto
	if telnet && (own || len(c.pending) > 0) {
		if !own && c.user.prompted {
			c.pending = append([]byte("\r\n"), c.pending...)
		}
		c.pending = append(c.pending, "> "...)
		c.user.prompted = true
	}
	if len(c.pending) > 0 {
		text := buffers.Get().(*[]byte)
		*text, c.pending = c.pending, *text
		if own {
			c.answered += len(*text)
		}
		s.emit(func() {
			c.enqueue(*text)
			if cap(*text) <= maxPooled {
				*text = (*text)[:0]
				buffers.Put(text)
			}
		})
	}
}

// chance is true with probability p, from the generator of the quirks.
func (s *Server) chance(p float64) bool { return p > 0 && s.rng.Float64() < p }

const (
	maxOutbox  = 4096 // effects waiting before lines are read more slowly
	maxBatches = 64   // carried out by one goroutine before another takes over
)

// buffers holds the texts of effects.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxPooled is the largest buffer that is kept for another text.
const maxPooled = 16 << 10

// emit notes an effect of the world on its outside: text for a connection, the end of one, a call
// of a hook, a line of the log. Effects are noted under the mutex and carried out in that order
// after it is unlocked, so that none can delay a game, and hooks may call the server. An effect may
// use only its own values.
func (s *Server) emit(effect func()) { s.outbox = append(s.outbox, effect) }

// info and warn note a line of the log. about is pairs of a name and a value.
func (s *Server) info(text string, about ...any) { s.log(logrus.FieldLogger.Info, text, about) }
func (s *Server) warn(text string, about ...any) { s.log(logrus.FieldLogger.Warn, text, about) }

func (s *Server) log(as func(logrus.FieldLogger, ...any), text string, about []any) {
	// The log belongs to the embedding program. A failing one has no other place to say so.
	s.emit(func() {
		_ = guarded(func() {
			l := s.opts.Log
			for pair := range slices.Chunk(about, 2) {
				l = l.WithField(fmt.Sprint(pair[0]), pair[1])
			}
			as(l, text)
		})
	})
}

// done tells the hook. A panic in it is logged.
func (s *Server) done(d Done) {
	if err := guarded(func() { s.opts.OnDone(d) }); err != nil {
		s.logFault(err, "hook", "OnDone")
	}
}

// release unlocks the mutex and carries out the noted effects. If another goroutine is already
// carrying out effects, it does these as well, so that effects keep their order.
func (s *Server) release() {
	if s.carrying || len(s.outbox) == 0 {
		s.mu.Unlock()
		return
	}
	s.carrying = true
	s.carryOut()
}

// carryOut is called with the mutex held and carrying set, and releases both.
func (s *Server) carryOut() {
	for n := 0; len(s.outbox) > 0; n++ {
		if n == maxBatches {
			// Its own connection waits for this goroutine.
			s.mu.Unlock()
			go func() {
				s.mu.Lock()
				s.carryOut()
			}()
			return
		}
		batch := s.outbox
		s.outbox = s.spare[:0]
		s.mu.Unlock()
		for i := range batch {
			batch[i]()
			batch[i] = nil
		}
		s.mu.Lock()
		s.spare = batch
		s.carried.Broadcast()
	}
	s.carrying = false
	s.carried.Broadcast()
	s.mu.Unlock()
}

// admitLine waits, with the mutex held, until there is room for the effects of a line.
func (s *Server) admitLine() {
	for s.carrying && len(s.outbox) > maxOutbox {
		s.carried.Wait()
	}
}

// awaitEffects waits until no effect is left to carry out.
func (s *Server) awaitEffects() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.carrying {
		s.carried.Wait()
	}
}
