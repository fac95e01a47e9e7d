package server

import (
	"sync"

	"github.com/sirupsen/logrus"
)

// effect is an effect of the world on its outside: text for a connection, the end of one, a call
// of a hook, a line of the log. Effects are noted under the mutex and carried out in that order
// after it is unlocked, so that none can delay a game, and hooks may call the server.
type effect struct {
	conn *conn
	text *[]byte // of buffers; handed to the writer of conn
	end  ending
	done *Done
	log  func(logrus.FieldLogger)
}

// ending says whether an effect ends its connection.
type ending uint8

const (
	goesOn    ending = iota
	afterText        // when everything queued is written
	atOnce
)

const (
	maxOutbox  = 4096 // effects waiting before lines are read more slowly
	maxBatches = 64   // carried out by one goroutine before another takes over
)

// buffers holds the texts of effects.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxPooled is the largest buffer that is kept for another text.
const maxPooled = 16 << 10

func (s *Server) emit(e effect) { s.outbox = append(s.outbox, e) }

// log notes a line of the log. f runs without the mutex and may use only its own values.
func (s *Server) log(f func(logrus.FieldLogger)) { s.emit(effect{log: f}) }

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
			batch[i].carry(s)
			batch[i] = effect{}
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

// carry carries out e. A panic of a hook or of the log, which belong to the embedding program, is
// logged and stops neither later effects nor the process.
func (e *effect) carry(s *Server) {
	if e.text != nil {
		e.conn.enqueue(*e.text)
		if cap(*e.text) <= maxPooled {
			*e.text = (*e.text)[:0]
			buffers.Put(e.text)
		}
	}
	if e.end != goesOn {
		e.conn.finish(e.end == atOnce)
	}
	if e.done != nil {
		if err := guarded(func() { s.opts.OnDone(*e.done) }); err != nil {
			s.tell(err, "hook", "OnDone")
		}
	}
	if e.log != nil {
		_ = guarded(func() { e.log(s.opts.Log) }) // a failing log has no other place
	}
}
