package client

import (
	"context"
	"errors"

	"fibsbot/fibs/clip"
)

// Session is a Client at work: its Run goes on in a goroutine of its own, and its
// events are handed on as the bare lines of the server. Its methods may be used by
// any goroutine, Close once. The zero Session is one that has ended.
type Session struct {
	c      *Client
	events chan clip.Event
	quit   chan struct{} // closed by Close: nobody reads events any more
	ended  chan struct{} // closed when serve has returned
	err    error         // of Run; set before events is closed
}

// Start begins to run the client, in place of a call of Run. The session lasts
// until the connection ends or Close: the context of Dial is over by now, and a
// session that is called off has still to log out.
func (c *Client) Start() *Session {
	s := &Session{c: c, events: make(chan clip.Event), quit: make(chan struct{}), ended: make(chan struct{})}
	go s.serve()
	return s
}

func (s *Session) serve() {
	defer close(s.ended)
	done := make(chan error, 1)
	go func() { done <- s.c.Run(context.Background()) }()
	quit := s.quit
	for ev := range s.c.Events() {
		if quit == nil {
			continue // the client waits until somebody has taken everything
		}
		select {
		case s.events <- ev.Event:
		case <-quit:
			quit = nil
		}
	}
	s.err = <-done
	close(s.events)
}

// Events carries the server's lines in order. It is closed when the connection
// has ended.
func (s *Session) Events() <-chan clip.Event {
	if s.c == nil {
		return nothing
	}
	return s.events
}

// nothing is what a Session that Start has not made has to tell.
var nothing = func() chan clip.Event {
	c := make(chan clip.Event)
	close(c)
	return c
}()

// Err says why Events was closed; nil after Close.
func (s *Session) Err() error { return s.err }

// Send is Client.Send without the errors that nobody can act on: the end of the
// connection is told by Events, and what cannot be written (a stranger's odd
// name) is not worth a connection.
func (s *Session) Send(command clip.Command) error { return s.SendWhile(command, nil) }

// SendWhile is Client.SendWhile, without the errors that Send leaves out.
func (s *Session) SendWhile(command clip.Command, valid func() bool) error {
	if s.c == nil {
		return nil
	}
	err := s.c.SendWhile(command, valid)
	if errors.Is(err, ErrClosed) || errors.Is(err, clip.ErrCommand) {
		return nil
	}
	return err
}

// Waiting is the number of commands that were queued and not sent yet.
func (s *Session) Waiting() int {
	if s.c == nil {
		return 0
	}
	return s.c.Waiting()
}

// Drained gets a value, when there is room for one, whenever nothing waits any more.
func (s *Session) Drained() <-chan struct{} {
	if s.c == nil {
		return nil
	}
	return s.c.Drained()
}

// Close logs out if the connection still stands, and waits for the end.
func (s *Session) Close() {
	if s.c == nil {
		return
	}
	close(s.quit)
	s.c.Close()
	<-s.ended
}
