package protocol

import (
	"context"
	"errors"
	"fmt"
	"net"
)

// ErrBadLogin: the server refused the name or password; trying again does not help.
var ErrBadLogin = errors.New("the server refused the login")

// ErrNoReason: the server refused the login, an ErrBadLogin, without a reason. It may have another
// one than name and password.
var ErrNoReason = errors.New("no reason given")

// ErrQueueFull: too many commands wait to be sent.
var ErrQueueFull = errors.New("send queue is full")

// Cause is one constant word for why a connection ended or could not be made.
type Cause string

// The causes.
const (
	CauseDial     Cause = "dial"     // no connection could be made
	CauseLocal    Cause = "local"    // not tried: for example, the password could not be read
	CauseRefused  Cause = "refused"  // the login was refused
	CauseKicked   Cause = "kicked"   // the account logged in elsewhere
	CauseShutdown Cause = "shutdown" // the server announced a restart or shutdown
	CauseIdle     Cause = "idle"     // the server logged us out for being idle
	CauseSilent   Cause = "silent"   // the server said nothing for too long
	CauseLost     Cause = "lost"     // the connection broke
	CauseFlood    Cause = "flood"    // the server sent a line without end, or too many lines
	CauseSettings Cause = "settings" // the server refused a setting we need
	CauseStuck    Cause = "stuck"    // commands had no effect
	CauseCrash    Cause = "crash"    // a fault of this program
	CauseJournal  Cause = "journal"  // the journals cannot be written
)

// Causes returns all causes.
func Causes() []Cause {
	return []Cause{CauseDial, CauseLocal, CauseRefused, CauseKicked, CauseShutdown, CauseIdle, CauseSilent, CauseLost, CauseFlood, CauseSettings,
		CauseStuck, CauseCrash, CauseJournal}
}

// Failure is an error of a connection with its cause.
type Failure struct {
	Cause Cause
	Err   error
}

// Failed returns err with its cause, or nil for nil.
func Failed(cause Cause, err error) error {
	if err == nil {
		return nil
	}
	return &Failure{Cause: cause, Err: err}
}

// Error implements error, without the cause.
func (f *Failure) Error() string {
	if f.Err == nil {
		return string(f.Cause)
	}
	return f.Err.Error()
}

// Unwrap returns the error itself.
func (f *Failure) Unwrap() error { return f.Err }

// CauseOf finds the cause of an error of Dial or Link.Err, or returns otherwise;
// an empty one is CauseLost.
func CauseOf(err error, otherwise Cause) Cause {
	if errors.Is(err, ErrBadLogin) {
		return CauseRefused
	}
	var f *Failure
	if errors.As(err, &f) {
		return f.Cause
	}
	if otherwise == "" {
		return CauseLost
	}
	return otherwise
}

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
