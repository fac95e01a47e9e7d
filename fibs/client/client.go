package client

import (
	"context"
	"fmt"
	"sync"
	"time"

	"fibsbot/fibs/clip"
	"fibsbot/fibs/telnet"
)

const (
	// eventBuffer is how many events Events holds for a reader who is busy.
	eventBuffer = 64
	// maxHeard bounds the events of the login. It must hold a row for every player who is
	// logged in.
	maxHeard = 8192
)

// SavedMatch is one row of show saved.
type SavedMatch struct {
	Opponent string
	// Length in points, or clip.Unlimited.
	Length int
	// Ours and Theirs are the points won.
	Ours, Theirs int
	// Here is true when the opponent is logged in.
	Here bool
}

// Welcome is what Dial found out.
type Welcome struct {
	// Name as the server writes it.
	Name string
	// LastLogin is the Unix time of the login before this one, LastHost its host.
	LastLogin int64
	LastHost  string
	// Settings are those before Dial changed them, or nil if the server did not send them.
	Settings *clip.Settings
	// Replaced is true when this login ended an older session.
	Replaced bool
	// Saved are our saved matches.
	Saved []SavedMatch
	// Running is the board of a running match, or nil.
	Running *clip.Board
	// Refused are the switches and variables that the server did not set as wanted.
	Refused []string
}

// Client is one connection, logged in. Its methods may be used by any goroutine. The zero
// Client is one that has ended.
type Client struct {
	opts    Options
	conn    *telnet.Conn
	parser  clip.Parser
	welcome Welcome

	login  chan clip.Event // events to Dial; closed when reading has ended
	handed chan struct{}   // closed when the events of the login are delivered, or Dial failed
	failed bool            // Dial failed; set before handed is closed
	heard  []clip.Event    // events of the login
	events chan clip.Event // see Events; nil with Options.Deliver

	wake      chan struct{} // something was queued
	drained   chan struct{}
	quit      chan struct{} // closed by Close
	closeOnce sync.Once
	readDone  chan struct{} // closed when nothing more is read
	writeDone chan struct{} // closed when nothing more is written
	over      chan struct{} // closed when the last event was delivered

	sentAt time.Time // of Dial, then of the writing goroutine

	// Of Dial, then of the reading goroutine.
	attention  *clip.Event
	kicked     bool
	timedOut   bool
	ready      bool // our ready switch, as last heard
	readErr    error
	deliverErr error

	restore restorer

	mu       sync.Mutex
	queue    queue
	writeErr error
	leaving  bool // a Bye was queued
	ended    bool
	err      error
}

// Dial connects, logs in and sets up. The context bounds Dial only. On success the
// connection is served until it ends or Close. The error wraps one of the errors of this
// package, or is the error of dialling.
func Dial(ctx context.Context, opts Options) (*Client, error) {
	opts = opts.withDefaults()
	login := clip.Login{Client: opts.Program, Name: opts.Name, Password: opts.Password}
	// Bad credentials are refused before there is a connection.
	if _, err := login.Encode(); err != nil {
		return nil, err
	}
	c, err := open(ctx, opts)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.conn.Close() })
	err = c.logIn(login)
	if err == nil && !opts.Passive {
		err = c.setUp()
	}
	if !stop() && ctx.Err() != nil {
		err = fmt.Errorf("log in to %s: %w", opts.Address, ctx.Err())
	}
	if err != nil {
		c.abandon()
		return nil, err
	}
	go c.begin()
	go c.write()
	return c, nil
}

// open connects and starts the reading goroutine.
func open(ctx context.Context, opts Options) (*Client, error) {
	conn, err := telnet.Dial(ctx, opts.Address, opts.Telnet)
	if err != nil {
		return nil, err
	}
	c := &Client{
		opts: opts, conn: conn, login: make(chan clip.Event), handed: make(chan struct{}),
		wake: make(chan struct{}, 1), drained: make(chan struct{}, 1), quit: make(chan struct{}),
		readDone: make(chan struct{}), writeDone: make(chan struct{}), over: make(chan struct{}),
		queue: newQueue(opts.Pace), sentAt: time.Now(),
	}
	deliver := opts.Deliver
	if deliver == nil {
		c.events = make(chan clip.Event, eventBuffer)
		deliver = c.enqueue
	}
	c.opts.Deliver = func(e *clip.Event) error {
		if e == nil {
			defer close(c.over)
		}
		return deliver(e)
	}
	go c.read()
	return c, nil
}

// enqueue is the Deliver behind Events.
func (c *Client) enqueue(e *clip.Event) error {
	if e == nil {
		close(c.events)
		return nil
	}
	select {
	case c.events <- *e:
	case <-c.quit: // no one has to read after Close
	}
	return nil
}

// abandon ends the connection of a Dial that failed.
func (c *Client) abandon() {
	_ = c.conn.Close()
	c.failed = true
	close(c.handed)
	for range c.login {
	}
}

// note remembers what an event says about the connection and ourselves.
func (c *Client) note(e *clip.Event) {
	switch e.Kind {
	case clip.Attention:
		attention := *e
		c.attention = &attention
	case clip.SecondLogin:
		c.kicked = true
	case clip.YouTimedOut:
		c.timedOut = true
	case clip.Toggled:
		if e.Name == "ready" {
			c.ready = e.On
		}
		c.restore.hear(e)
	case clip.VariableSet:
		c.restore.hear(e)
	case clip.PlayerLine:
		if e.Name == c.welcome.Name {
			c.ready = e.Player.Ready
			c.restore.hear(e)
		}
	}
}

// Welcome returns what Dial found out.
func (c *Client) Welcome() Welcome { return c.welcome }

// Events carries all events of the connection in order, from the server's first line. It is
// closed when the connection has ended. A reader who is slow makes the server wait; nothing
// is lost before Close. It is nil with Options.Deliver.
func (c *Client) Events() <-chan clip.Event {
	if c.conn == nil {
		return nothing
	}
	return c.events
}

// nothing is the Events of the zero Client.
var nothing = func() chan clip.Event {
	c := make(chan clip.Event)
	close(c)
	return c
}()

// Err returns why the connection ended. It is nil before the end and after Close.
func (c *Client) Err() error {
	if c.conn == nil {
		return ErrClosed
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Send queues a command. Game commands go before lobby commands, these before chat; within
// each the order stays. None goes out faster than Options.Pace. The error wraps
// clip.ErrCommand for a command that cannot be written, ErrQueueFull, or ErrClosed.
//
// Bye puts the settings of Options.Store back first.
func (c *Client) Send(command clip.Command) error { return c.SendWhile(command, nil) }

// SendWhile is Send for a command that is dropped if valid reports false at its turn. valid is
// called by another goroutine.
func (c *Client) SendWhile(command clip.Command, valid func() bool) error {
	if command == nil {
		return fmt.Errorf("%w: nil", clip.ErrCommand)
	}
	line, err := command.Encode()
	if err != nil {
		return err
	}
	c.mu.Lock()
	ended := c.ended || c.conn == nil
	_, bye := command.(clip.Bye)
	if bye && !ended && !c.leaving {
		c.leaving = true
		for _, back := range c.restore.commands() {
			if line, err := back.Encode(); err == nil { // a value that the server told, and cannot be given back
				c.queue.add(waiting{line: line, class: back.Class(), bye: true})
			}
		}
	}
	added := !ended && c.queue.add(waiting{line: line, class: command.Class(), valid: valid, bye: bye})
	c.mu.Unlock()
	switch {
	case ended:
		return ErrClosed
	case !added:
		return fmt.Errorf("%w: %q", ErrQueueFull, line)
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return nil
}

// Waiting returns the number of commands that were queued and not sent yet.
func (c *Client) Waiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.queue.len()
}

// Drained gets a value, if there is room for one, when the last waiting command has gone.
func (c *Client) Drained() <-chan struct{} { return c.drained }

// Close logs out if the connection still stands, and waits for the end. A running match is
// saved by the server.
func (c *Client) Close() {
	if c.conn == nil {
		return
	}
	c.closeOnce.Do(func() { close(c.quit) })
	<-c.over
}
