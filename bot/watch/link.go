package watch

import (
	"context"
	"errors"

	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
)

// Connection is a Link of the real client for an account that only watches: it is
// not ready to play. Make one with Connect and Close it.
type Connection struct {
	c      *client.Client
	events chan clip.Event
	quit   chan struct{} // closed by Close: nobody reads events any more
	ended  chan struct{}
	err    error // of the client's Run; set before events is closed
}

// Connect logs in and makes the settings a spectator needs. The errors are those
// of client.Dial.
func Connect(ctx context.Context, opt client.Options) (*Connection, error) {
	opt.Ready = false
	c, err := client.Dial(ctx, opt)
	if err != nil {
		return nil, err
	}
	l := &Connection{c: c, events: make(chan clip.Event), quit: make(chan struct{}), ended: make(chan struct{})}
	go l.run()
	return l, nil
}

func (l *Connection) run() {
	defer close(l.ended)
	done := make(chan error, 1)
	go func() { done <- l.c.Run(context.Background()) }()
	quit := l.quit
	for ev := range l.c.Events() {
		if quit == nil {
			continue // the client waits until somebody has taken everything
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

// Events implements Link.
func (l *Connection) Events() <-chan clip.Event { return l.events }

// Send implements Link. What cannot be written, and what comes after the end of
// the connection, is no error: Events tells about the end.
func (l *Connection) Send(c clip.Command) error {
	err := l.c.Send(c)
	if errors.Is(err, client.ErrClosed) || errors.Is(err, clip.ErrCommand) || errors.Is(err, client.ErrQueueFull) {
		return nil
	}
	return err
}

// Err implements Link.
func (l *Connection) Err() error { return l.err }

// Close logs out after what is queued has had its chance, and waits for the end.
func (l *Connection) Close() {
	close(l.quit)
	l.c.Close()
	<-l.ended
}
