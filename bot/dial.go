package bot

import (
	"context"
	"errors"
	"fmt"

	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
)

// Dialer returns an Account.Dial that logs in with the real client.
func Dialer(opts client.Options) func(context.Context) (Link, error) {
	return DialerOf(func() (client.Options, error) { return opts, nil })
}

// DialerOf is Dialer for options that may change between two connections.
func DialerOf(options func() (client.Options, error)) func(context.Context) (Link, error) {
	return func(ctx context.Context) (Link, error) {
		opts, err := options()
		if err != nil {
			return nil, err
		}
		opts.Ready = true
		c, err := client.Dial(ctx, opts)
		if err != nil {
			if errors.Is(err, client.ErrBadLogin) {
				return nil, fmt.Errorf("%w: %w", ErrBadLogin, err)
			}
			return nil, err
		}
		l := &clientLink{c: c, events: make(chan clip.Event), ended: make(chan struct{}), quit: make(chan struct{})}
		go l.run()
		return l, nil
	}
}

// clientLink runs a client and strips its events to what the table reads. Its
// goroutine ends when Close was called or the connection is gone; Close waits.
type clientLink struct {
	c      *client.Client
	events chan clip.Event
	quit   chan struct{} // closed by Close: nobody reads events any more
	ended  chan struct{} // closed when run has returned
	err    error         // of Run; set before events is closed
}

func (l *clientLink) run() {
	defer close(l.ended)
	done := make(chan error, 1)
	go func() { done <- l.c.Run(context.Background()) }()
	quit := l.quit
	for ev := range l.c.Events() {
		if quit == nil {
			continue
		}
		select {
		case l.events <- ev.Event:
		case <-quit:
			quit = nil
		}
	}
	l.err = <-done
	close(l.events)
}

func (l *clientLink) Events() <-chan clip.Event { return l.events }

func (l *clientLink) Send(c clip.Command) error { return l.SendWhile(c, nil) }

// SendWhile implements WhileLink.
func (l *clientLink) SendWhile(c clip.Command, valid func() bool) error {
	err := l.c.SendWhile(c, valid)
	if errors.Is(err, client.ErrClosed) || errors.Is(err, clip.ErrCommand) {
		// The end of the connection is reported by Events; what cannot be
		// written (a stranger's odd name) is not worth a connection.
		return nil
	}
	return err
}

func (l *clientLink) Err() error { return l.err }

// Waiting is the number of commands that were queued and not sent yet.
func (l *clientLink) Waiting() int { return l.c.Waiting() }

// Close logs out if the connection still stands, and waits.
func (l *clientLink) Close() error {
	close(l.quit)
	l.c.Close()
	<-l.ended
	return nil
}
