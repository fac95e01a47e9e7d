package client

import (
	"context"
	"errors"
	"time"

	"fibsbot/fibs/clip"
)

// Run passes events up and commands down until the connection ends, and says
// why it did. It returns nil after Close and the context's error after its
// end; in both cases it has logged out first, and a running match is saved by
// the server. Events is closed when Run returns.
func (c *Client) Run(ctx context.Context) error {
	if c.conn == nil {
		return ErrClosed
	}
	err := c.serve(ctx)
	_ = c.conn.Close()
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	for range c.in {
		// The reading goroutine may hold one more event; nobody acts on it.
	}
	close(c.out)
	return err
}

// serve is the loop of Run.
func (c *Client) serve(ctx context.Context) error {
	sendTimer := time.NewTimer(0)
	defer sendTimer.Stop()
	aliveTimer := time.NewTimer(time.Hour)
	defer aliveTimer.Stop()
	for {
		if c.opts.Keepalive > 0 {
			aliveTimer.Reset(time.Until(c.sentAt.Add(c.opts.Keepalive)))
		}
		in := c.in
		if len(c.pending) >= maxPending {
			in = nil
		}
		var out chan Event
		var head Event
		if len(c.pending) > 0 {
			out, head = c.out, c.pending[0]
		}
		select {
		case e, ok := <-in:
			if !ok {
				timer := time.NewTimer(c.opts.Goodbye)
				defer timer.Stop()
				c.flush(timer.C, ctx.Done(), c.bye)
				return c.endOf(c.readErr)
			}
			if err := c.take(e); err != nil {
				return err
			}
		case out <- head:
			c.drop()
		case <-c.wake:
			if err := c.sendNext(sendTimer); err != nil {
				return c.cutOff(ctx, err)
			}
		case <-sendTimer.C:
			if err := c.sendNext(sendTimer); err != nil {
				return c.cutOff(ctx, err)
			}
		case <-aliveTimer.C:
			line, _ := clip.Time{}.Encode()
			if err := c.write(line); err != nil {
				return c.cutOff(ctx, err)
			}
		case <-ctx.Done():
			c.leave()
			return ctx.Err()
		case <-c.bye:
			c.leave()
			return nil
		}
	}
}

// drop removes the event that was just taken.
func (c *Client) drop() {
	c.pending[0] = Event{}
	if c.pending = c.pending[1:]; len(c.pending) == 0 {
		c.pending = nil
	}
}

// sendNext sends what may go out now and sets the timer for the rest.
func (c *Client) sendNext(timer *time.Timer) error {
	for {
		c.mu.Lock()
		w, wait, ok := c.queue.next(time.Now())
		empty := c.queue.len() == 0
		c.mu.Unlock()
		switch {
		case ok && w.valid != nil && !w.valid():
			// The state it was decided for has gone; the next one may go.
		case ok:
			if err := c.write(w.line); err != nil {
				return err
			}
		case wait > 0:
			timer.Reset(wait)
			return nil
		default:
			return nil
		}
		if empty {
			select {
			case c.drained <- struct{}{}:
			default:
			}
		}
	}
}

// flush hands the last events to the reader of Events, who may have stopped
// reading: it gives up when over fires or any of the others is closed.
func (c *Client) flush(over <-chan time.Time, others ...<-chan struct{}) {
	var stop [2]<-chan struct{}
	copy(stop[:], others)
	for len(c.pending) > 0 {
		select {
		case c.out <- c.pending[0]:
			c.drop()
		case <-over:
			return
		case <-stop[0]:
			return
		case <-stop[1]:
			return
		}
	}
}

// leave logs out and reads on until the server has closed the connection, so
// that the last words about a running match reach the journal.
func (c *Client) leave() {
	line, _ := clip.Bye{}.Encode()
	if c.write(line) != nil {
		return
	}
	timer := time.NewTimer(c.opts.Goodbye)
	defer timer.Stop()
	_, _ = c.readOn(timer.C)
}

// cutOff is the end of a connection that takes no line any more. What the server
// said before that still reaches the reader of Events, and may say why.
func (c *Client) cutOff(ctx context.Context, err error) error {
	if !errors.Is(err, ErrLost) {
		return err // it takes too long, or is closed by ourselves
	}
	timer := time.NewTimer(c.opts.Goodbye)
	defer timer.Stop()
	switch ended, fault := c.readOn(timer.C, ctx.Done(), c.bye); {
	case fault != nil:
		return fault
	case ended:
		return c.endOf(c.readErr)
	}
	return c.endOf(err)
}

// readOn takes what still comes and hands it to the reader of Events, until the
// server has closed the connection, which it reports, over fires or any of the
// others is closed. The error is that of the journal.
func (c *Client) readOn(over <-chan time.Time, others ...<-chan struct{}) (ended bool, err error) {
	var stop [2]<-chan struct{}
	copy(stop[:], others)
	for {
		var out chan Event
		var head Event
		if len(c.pending) > 0 {
			out, head = c.out, c.pending[0]
		}
		select {
		case e, ok := <-c.in:
			if !ok {
				c.flush(over, others...)
				return true, nil
			}
			if err := c.take(e); err != nil {
				return false, err
			}
		case out <- head:
			c.drop()
		case <-over:
			return false, nil
		case <-stop[0]:
			return false, nil
		case <-stop[1]:
			return false, nil
		}
	}
}
