package watch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fibsbot/bot/protocol"
)

// ErrConnection is wrapped by the error of Run when the connection has ended.
var ErrConnection = errors.New("the connection has ended")

// Run watches over a connection of its own until ctx ends or, if limit is above 0, until
// limit matches were seen to their end. Both return nil. It logs out; the caller closes the
// connection.
//
// An account that also plays uses a Watcher instead, because its lines have other readers.
func Run(ctx context.Context, link protocol.Link, opt Options, limit int) (err error) {
	if link == nil {
		return errors.New("watch: no connection")
	}
	ready := make(chan struct{}, 1)
	opt.Ready = func() { poke(ready) }
	w := New(opt)
	defer func() {
		_ = link.Send(protocol.Bye{}, nil) // which puts the settings of the account back, if the connection stands
		if cerr := w.Close(time.Now()); err == nil {
			err = cerr
		}
	}()
	send := func(list []protocol.Command) error {
		for _, c := range list {
			// A full queue drops a comment; that does not end the connection.
			if err := link.Send(c, nil); err != nil && !errors.Is(err, protocol.ErrQueueFull) {
				return fmt.Errorf("watch: %w", err)
			}
		}
		return nil
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		now := time.Now()
		if limit > 0 && w.Matches() >= limit {
			return send(w.Pause(now))
		}
		timer.Reset(max(10*time.Millisecond, w.Wake(now).Sub(now)))
		var due []protocol.Command
		select {
		case <-ctx.Done():
			return send(w.Pause(now))
		case ev, ok := <-link.Events():
			if !ok {
				if err := link.Err(); err != nil {
					return fmt.Errorf("watch: %w: %w", ErrConnection, err)
				}
				return fmt.Errorf("watch: %w", ErrConnection)
			}
			due = w.Event(ev, time.Now())
		case <-ready:
			due = w.Step(time.Now())
		case <-timer.C:
			due = w.Step(time.Now())
		}
		if err := send(due); err != nil {
			return err
		}
	}
}
