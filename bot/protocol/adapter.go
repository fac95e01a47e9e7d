package protocol

import (
	"context"
	"errors"
	"fmt"
	"net"
)

// What the Protocols and Links of the servers share.

// Connect opens a connection, as [net.Dialer.DialContext] does.
type Connect func(ctx context.Context, network, address string) (net.Conn, error)

// Knock connects to address and hangs up: with connect, or with a plain dialer if that is nil.
func Knock(ctx context.Context, connect Connect, address string) error {
	if connect == nil {
		connect = (&net.Dialer{}).DialContext
	}
	c, err := connect(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return c.Close()
}

// Blame returns err with the cause of the first failure whose error it wraps, or err itself.
func Blame(err error, failures []Failure) error {
	for _, f := range failures {
		if errors.Is(err, f.Err) {
			return Failed(f.Cause, err)
		}
	}
	return err
}

// SendError returns what Link.Send returns for err of a client, whose full queue is the error
// full. The harmless errors are not worth a connection.
func SendError(err, full error, harmless ...error) error {
	for _, h := range harmless {
		if errors.Is(err, h) {
			return nil
		}
	}
	if errors.Is(err, full) {
		return fmt.Errorf("%w: %w", ErrQueueFull, err)
	}
	return err
}

// Pipe hands the events of a Link to their reader.
type Pipe struct {
	events chan Event
	// Quit is closed when no one reads events any more.
	Quit chan struct{}
}

// NewPipe returns an open Pipe.
func NewPipe() Pipe { return Pipe{events: make(chan Event), Quit: make(chan struct{})} }

// Events implements Link.
func (p Pipe) Events() <-chan Event { return p.events }

// Hand waits for the reader of events, and reports whether he has taken ev.
func (p Pipe) Hand(ev Event) bool {
	select {
	case p.events <- ev:
		return true
	case <-p.Quit:
		return false
	}
}

// End closes Events: Hand must not be called any more.
func (p Pipe) End() { close(p.events) }
