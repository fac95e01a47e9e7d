package client

import (
	"errors"
	"fmt"
	"time"

	"fibsbot/fibs/clip"
	"fibsbot/fibs/telnet"
	"fibsbot/internal/sanitize"
	"fibsbot/internal/sendqueue"
)

// read is the reading goroutine. It lasts from the first line to the end of the connection.
func (c *Client) read() {
	c.readErr = c.readLines()
	close(c.login)
	<-c.handed
	if c.failed {
		return
	}
	close(c.readDone)
	// The last line was read; a write that still waits would wait in vain.
	_ = c.conn.Close()
	<-c.writeDone
	c.restore.end()
	c.mu.Lock()
	c.ended, c.err = true, c.reason()
	c.mu.Unlock()
	_ = c.opts.Deliver(nil)
}

// readLines delivers events until the connection ends.
func (c *Client) readLines() error {
	var events []clip.Event
	for {
		line, err := c.conn.ReadLine()
		if err != nil {
			return err
		}
		c.transcribe(false, time.Now(), line)
		if events, err = c.parse(events[:0], line); err != nil {
			return err
		}
		for _, e := range events {
			if e.Kind == clip.Blank {
				continue
			}
			select {
			case c.login <- e:
			case <-c.handed:
				if c.failed || c.deliverErr != nil {
					return nil
				}
				c.note(&e)
				if c.deliverErr = c.opts.Deliver(&e); c.deliverErr != nil {
					return nil
				}
			}
		}
	}
}

// parse reads one line. A fault in the parser ends this connection, not the process; its
// error has the line.
func (c *Client) parse(dst []clip.Event, line string) (events []clip.Event, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v, reading %q", ErrCrash, p, sanitize.Secret(line, c.opts.Password.Reveal()))
		}
	}()
	return c.parser.Append(dst, line), nil
}

// begin delivers what the server said during the login; from then on the reading goroutine
// delivers.
func (c *Client) begin() {
	defer close(c.handed)
	for i := range c.heard {
		if c.deliverErr = c.opts.Deliver(&c.heard[i]); c.deliverErr != nil {
			_ = c.conn.Close()
			return
		}
	}
	c.heard = nil
}

// write is the writing goroutine: it sends what Send queued, keeps the connection alive, and
// logs out.
func (c *Client) write() {
	defer close(c.writeDone)
	if err := c.writeLines(); err != nil {
		c.mu.Lock()
		c.writeErr = err
		c.mu.Unlock()
		if errors.Is(err, ErrLost) {
			// What the server said before it closed may still be read, and says why.
			c.awaitEnd(c.quit)
		}
	}
	_ = c.conn.Close()
}

// writeLines returns nil when the connection has ended or Close has logged out.
func (c *Client) writeLines() error {
	alive, err := clip.Time{}.Encode()
	if err != nil {
		return err
	}
	send := func(item sendqueue.Item) error { return c.writeLine(item.Line) }
	left, err := c.queue.Serve(send, sendqueue.Item{Line: alive}, c.opts.Keepalive, c.readDone, c.quit)
	if left && c.logOut() == nil {
		c.awaitEnd(nil)
	}
	return err
}

// logOut sends what is left of the logout, at its pace for Options.Goodbye at most, and at least bye.
func (c *Client) logOut() error {
	c.mu.Lock()
	queued := c.leaving
	c.mu.Unlock()
	c.queue.OnlyBye()
	limit := time.Now().Add(c.opts.Goodbye)
	for queued {
		item, wait, ok := c.queue.Next(time.Now())
		switch {
		case ok:
			if err := c.writeLine(item.Line); err != nil {
				return err
			}
			continue
		case wait == 0:
			return nil // bye was the last
		case time.Now().Add(wait).After(limit):
			queued = false
			continue
		}
		select {
		case <-c.readDone:
			return nil
		case <-time.After(wait):
		}
	}
	bye, err := clip.Bye{}.Encode()
	if err != nil {
		return err
	}
	return c.writeLine(bye)
}

// awaitEnd waits until the server has closed the connection, for Options.Goodbye at most.
func (c *Client) awaitEnd(stop <-chan struct{}) {
	timer := time.NewTimer(c.opts.Goodbye)
	defer timer.Stop()
	select {
	case <-c.readDone:
	case <-timer.C:
	case <-stop:
	}
}

// writeLine sends a line now.
func (c *Client) writeLine(line string) error {
	now := time.Now()
	c.transcribe(true, now, line)
	if err := c.conn.WriteLine(line); err != nil {
		return lineError(err)
	}
	c.queue.Sent(now)
	return nil
}

// transcribe hands a line to the transcript, with the password masked.
func (c *Client) transcribe(sent bool, now time.Time, line string) {
	if c.opts.Transcript == nil {
		return
	}
	c.opts.Transcript(Line{Sent: sent, Time: now, Text: sanitize.Secret(line, c.opts.Password.Reveal())})
}

// reason returns why the connection ended, or nil after Close.
func (c *Client) reason() error {
	select {
	case <-c.quit:
		return nil
	default:
	}
	switch {
	case c.deliverErr != nil:
		return c.deliverErr
	case c.writeErr != nil && errors.Is(c.readErr, telnet.ErrClosed):
		return c.explain(c.writeErr)
	default:
		return c.explain(c.readErr)
	}
}

// explain replaces a lost connection by what the server announced before it.
func (c *Client) explain(err error) error {
	switch err = lineError(err); {
	case !errors.Is(err, ErrLost):
		return err
	case c.kicked:
		return ErrKicked
	case c.timedOut:
		return ErrTimedOut
	case c.attention != nil:
		return fmt.Errorf("%w: it announced that it would %s", ErrShutdown, c.attention.Text)
	default:
		return err
	}
}
