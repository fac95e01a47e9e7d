package client

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"fibsbot/fibs/clip"
	"fibsbot/fibs/telnet"
	"fibsbot/internal/sanitize"
)

const (
	// lineBuffer is how many events may wait between the reading goroutine
	// and Run.
	lineBuffer = 64
	// maxPending bounds the events that nobody has taken from Events yet.
	// During the login it must hold the rows of everybody who is logged in.
	// Beyond it the client stops reading, and the server has to wait.
	maxPending = 8192
)

// SavedMatch is one row of show saved.
type SavedMatch struct {
	// Opponent of the match.
	Opponent string
	// Length in points, clip.Unlimited without end.
	Length int
	// Ours and Theirs are the points won.
	Ours, Theirs int
	// Here is true when the opponent is logged in (one or two stars).
	Here bool
}

// Welcome is what the login and the setting up have found.
type Welcome struct {
	// Name as the server writes it.
	Name string
	// LastLogin is the Unix time of the login before this one, LastHost where
	// it came from.
	LastLogin int64
	LastHost  string
	// Settings as they were before the setting up; nil when the server did
	// not send them.
	Settings *clip.Settings
	// Replaced is true when this login ended an older session.
	Replaced bool
	// Saved are our saved matches.
	Saved []SavedMatch
	// Running is the board of a match that goes on; nil when there is none.
	Running *clip.Board
	// Unsettled are switches and variables the server would not set as wanted.
	Unsettled []string
}

// Client is one connection, logged in. Send, Events, Close and Welcome may be
// used by any goroutine, Run by one. The zero Client is one that has ended.
type Client struct {
	opts    Options
	conn    *telnet.Conn
	parser  clip.Parser
	in      chan Event
	out     chan Event
	wake    chan struct{}
	drained chan struct{}
	bye     chan struct{}
	byeOnce sync.Once
	welcome Welcome
	ready   bool // the state of our ready switch, as last heard

	// Used by Dial and then by Run, never by both at a time.
	pending   []Event
	attention *clip.Event
	kicked    bool
	timedOut  bool
	sentAt    time.Time

	// readErr is set before in is closed.
	readErr error

	mu    sync.Mutex
	queue queue
	ended bool
}

// Dial connects, logs in and sets up. On success the caller must call Run,
// which passes on also the events of the login. The context bounds Dial only.
// The error wraps one of the errors of this package, or is the error of
// dialling.
func Dial(ctx context.Context, opts Options) (*Client, error) {
	opts = opts.withDefaults()
	login := clip.Login{Client: opts.Program, Name: opts.Name, Password: opts.Password}
	// Better to refuse bad credentials before there is a connection.
	if _, err := login.Encode(); err != nil {
		return nil, err
	}
	c, err := open(ctx, opts)
	if err != nil {
		return nil, err
	}
	// The context ends the waiting; what went wrong is told by ctx then.
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
	return c, nil
}

// open connects and starts reading.
func open(ctx context.Context, opts Options) (*Client, error) {
	conn, err := telnet.Dial(ctx, opts.Address, opts.Telnet)
	if err != nil {
		return nil, err
	}
	c := &Client{
		opts: opts, conn: conn,
		in: make(chan Event, lineBuffer), out: make(chan Event),
		wake: make(chan struct{}, 1), drained: make(chan struct{}, 1), bye: make(chan struct{}),
		queue: newQueue(opts.Pace), sentAt: time.Now(),
	}
	go c.read()
	return c, nil
}

// abandon closes the connection and waits for the reading goroutine.
func (c *Client) abandon() {
	_ = c.conn.Close()
	for range c.in {
	}
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
}

// read is the reading goroutine: lines to events, until the connection ends.
func (c *Client) read() {
	defer close(c.in)
	var seq uint64
	var events []clip.Event
	for {
		line, err := c.conn.ReadLine()
		if err != nil {
			c.readErr = err
			return
		}
		now := time.Now()
		c.transcribe(false, now, line)
		if events, err = c.parse(events[:0], line); err != nil {
			c.readErr = err
			return
		}
		for _, e := range events {
			if e.Kind == clip.Blank {
				continue
			}
			seq++
			c.in <- Event{Event: e, Seq: seq, Time: now}
		}
	}
}

// parse reads one line. A fault in the parser costs this connection, not the process
// and all the other ones in it, and its line is told.
func (c *Client) parse(dst []clip.Event, line string) (events []clip.Event, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v, reading %q", ErrCrash, p, sanitize.Secret(line, c.opts.Password.Reveal()))
		}
	}()
	return c.parser.Append(dst, line), nil
}

// transcribe hands a line to the transcript, with the password masked
// wherever it stands.
func (c *Client) transcribe(sent bool, now time.Time, line string) {
	if c.opts.Transcript == nil {
		return
	}
	c.opts.Transcript(Line{Sent: sent, Time: now, Text: sanitize.Secret(line, c.opts.Password.Reveal())})
}

// write sends a line now.
func (c *Client) write(line string) error {
	now := time.Now()
	c.transcribe(true, now, line)
	if err := c.conn.WriteLine(line); err != nil {
		return lineError(err)
	}
	c.sentAt = now
	c.mu.Lock()
	c.queue.sent(now)
	c.mu.Unlock()
	return nil
}

// take notes what an event says about the connection and ourselves, records
// it and keeps it for the reader of Events.
func (c *Client) take(e Event) error {
	switch e.Kind {
	case clip.Attention:
		c.attention = &e.Event
	case clip.SecondLogin:
		c.kicked = true
	case clip.YouTimedOut:
		c.timedOut = true
	case clip.Toggled:
		if e.Name == "ready" {
			c.ready = e.On
		}
	case clip.PlayerLine:
		if e.Name == c.welcome.Name {
			c.ready = e.Player.Ready
		}
	}
	c.pending = append(c.pending, e)
	return nil
}

// endOf says why the stream of lines ended, knowing what was said before.
func (c *Client) endOf(err error) error {
	switch err = lineError(err); {
	case !errors.Is(err, ErrLost):
		return err
	case c.kicked:
		return ErrKicked
	case c.timedOut:
		return ErrTimedOut
	case c.attention != nil:
		return fmt.Errorf("%w: it said that it would %s", ErrShutdown, c.attention.Text)
	default:
		return err
	}
}

// Welcome is what the login and the setting up have found.
func (c *Client) Welcome() Welcome { return c.welcome }

// Events is the stream of all events of the connection in order, beginning
// with the first line of the server. It is closed when Run returns. A reader
// who does not keep up makes the server wait; nothing is lost.
func (c *Client) Events() <-chan Event {
	if c.out == nil {
		return over
	}
	return c.out
}

// over is what a Client that Dial has not made has to tell.
var over = func() chan Event {
	c := make(chan Event)
	close(c)
	return c
}()

// Send queues a command. It goes out when its turn has come: game commands
// before lobby commands before chat, in order within these, not faster than
// the pace allows. The error wraps clip.ErrCommand for a command that cannot
// be written, ErrQueueFull, or ErrClosed.
func (c *Client) Send(command clip.Command) error { return c.SendWhile(command, nil) }

// SendWhile is Send for a command that is thrown away instead of sent when
// valid reports false at its turn: a decision for a state that has moved on.
// valid is called by Run's goroutine.
func (c *Client) SendWhile(command clip.Command, valid func() bool) error {
	if command == nil {
		return fmt.Errorf("%w: none", clip.ErrCommand)
	}
	line, err := command.Encode()
	if err != nil {
		return err
	}
	c.mu.Lock()
	ended := c.ended || c.conn == nil
	added := !ended && c.queue.add(waiting{line: line, class: command.Class(), valid: valid})
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

// Waiting is the number of commands that were queued and not sent yet.
func (c *Client) Waiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.queue.len()
}

// Drained gets a value, when there is room for one, whenever nothing waits any more.
func (c *Client) Drained() <-chan struct{} { return c.drained }

// Close asks Run to log out and to return nil. It does not wait.
func (c *Client) Close() {
	c.byeOnce.Do(func() {
		if c.bye != nil {
			close(c.bye)
		}
	})
}
