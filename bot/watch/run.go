package watch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fibsbot/fibs/clip"
)

// Link is what watching needs of a connection that has logged in. bot.Link is
// one.
type Link interface {
	// Events carries the server's lines in order and is closed when the
	// connection ends.
	Events() <-chan clip.Event
	// Send queues a command behind what is waiting; the client's limits hold.
	Send(clip.Command) error
	// Err says why Events was closed.
	Err() error
}

// ErrConnection is wrapped by the error of Run when the connection has ended.
var ErrConnection = errors.New("the connection has ended")

// Run watches over a connection of its own until ctx ends, or until limit matches
// were seen to their end when limit is above 0. Both are a normal end: nil. The
// connection stays open; closing it is the caller's business.
//
// An account that also plays uses a Watcher instead, for its lines have other
// readers.
func Run(ctx context.Context, link Link, opt Options, limit int) (err error) {
	w := New(opt)
	defer func() {
		if cerr := w.Close(time.Now()); err == nil {
			err = cerr
		}
	}()
	send := func(list []clip.Command) error {
		for _, c := range list {
			if err := link.Send(c); err != nil {
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
		var due []clip.Command
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
		case <-w.Ready():
			due = w.Step(time.Now())
		case <-timer.C:
			due = w.Step(time.Now())
		}
		if err := send(due); err != nil {
			return err
		}
	}
}
