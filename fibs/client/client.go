package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"fibsbot/fibs/clip"
	"fibsbot/fibs/telnet"
	"fibsbot/internal/sendqueue"
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

	queue     *sendqueue.Queue
	quit      chan struct{} // closed by Close
	closeOnce sync.Once
	readDone  chan struct{} // closed when nothing more is read
	writeDone chan struct{} // closed when nothing more is written
	over      chan struct{} // closed when the last event was delivered

	// Of Dial, then of the reading goroutine.
	attention  *clip.Event
	kicked     bool
	timedOut   bool
	ready      bool // our ready switch, as last heard
	readErr    error
	deliverErr error

	restore restorer

	mu       sync.Mutex
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
		queue: sendqueue.New(opts.Pace), quit: make(chan struct{}),
		readDone: make(chan struct{}), writeDone: make(chan struct{}), over: make(chan struct{}),
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
				c.queue.Add(sendqueue.Item{Line: line, Class: int(clip.ClassOf(back)), Bye: true})
			}
		}
	}
	added := !ended && c.queue.Add(sendqueue.Item{Line: line, Class: int(clip.ClassOf(command)), Valid: valid, Bye: bye})
	c.mu.Unlock()
	switch {
	case ended:
		return ErrClosed
	case !added:
		return fmt.Errorf("%w: %q", ErrQueueFull, line)
	}
	return nil
}

// Waiting returns the number of commands that were queued and not sent yet.
func (c *Client) Waiting() int {
	if c.conn == nil {
		return 0
	}
	return c.queue.Len()
}

// Drained gets a value, if there is room for one, when the last waiting command has gone.
func (c *Client) Drained() <-chan struct{} {
	if c.conn == nil {
		return nil
	}
	return c.queue.Drained()
}

// Close logs out if the connection still stands, and waits for the end. A running match is
// saved by the server.
func (c *Client) Close() {
	if c.conn == nil {
		return
	}
	c.closeOnce.Do(func() { close(c.quit) })
	<-c.over
}

// Line is a line on the wire, for transcripts. Passwords in it are masked.
type Line struct {
	// Sent is true for our lines, false for the server's.
	Sent bool
	// Time is when it was sent or complete.
	Time time.Time
	// Text is the line without its end.
	Text string
}

// Pace says how fast commands may go out. FIBS loses commands that follow
// each other too closely.
type Pace = sendqueue.Pace

// Options say where to log in and how to behave there. Zero values mean the
// defaults.
type Options struct {
	// Address is host:port.
	Address string
	// Name and Password of the account.
	Name     string
	Password clip.Secret
	// Program is the client name that all users see in who lists, at most 20
	// characters without a blank; default "fibsbot".
	Program string
	// Switches is the wanted state of the server's toggles by name; nil means
	// DefaultSwitches. "ready" is left out of it: see Ready.
	Switches map[string]bool
	// Redoubles is the wanted value of the variable: "none" (default), a
	// number, or "unlimited".
	Redoubles string
	// Email is the address shown to others, none when empty.
	Email string
	// Ready switches ready on as the last step of setting up. When false,
	// ready is switched off.
	Ready bool
	// Store keeps the settings that Dial changes as it found them, until Bye, sent with Send,
	// has put them back; after a killed process the next Bye does. Nil leaves them changed.
	Store Store
	// Passive leaves the account as it is: after the login nothing is sent but
	// keepalives and what Send is given.
	Passive bool
	// Deliver, when set, gets the events in place of Events, one after the other, and nil after
	// the last one. An error ends the connection and is its Err. Until it returns nothing is
	// read, and Close waits.
	Deliver func(*clip.Event) error
	// Transcript, when set, gets every line in both directions, masked. Our
	// lines and the server's come from two goroutines, at times at once.
	Transcript func(Line)
	// Login is the longest time for each step of the login, default 60 s.
	Login time.Duration
	// Answer is the longest wait for the answer to a command while setting
	// up, before it is repeated; default 8 s.
	Answer time.Duration
	// Keepalive is the time without sending after which a line is sent, default 2 minutes;
	// negative for never.
	Keepalive time.Duration
	// Goodbye is the longest wait for the server to close after bye, default
	// 3 s.
	Goodbye time.Duration
	// Pace of our lines.
	Pace Pace
	// Telnet are the limits of the connection. Its Idle defaults to two
	// keepalives and a minute here.
	Telnet telnet.Options
}

// DefaultSwitches is the state a bot wants: boards after every roll and move,
// no automatic play, a question before doubling, the Crawford rule, quiet.
func DefaultSwitches() map[string]bool {
	return map[string]bool{
		"allowpip": true, "autoboard": true, "autodouble": false, "automove": false, "bell": false,
		"crawford": true, "double": true, "greedy": false, "moreboards": true, "moves": false,
		"notify": true, "report": false, "silent": true,
	}
}

// essential are the switches without which a bot cannot play: it decides from
// boards alone.
var essential = map[string]bool{"autoboard": true, "moreboards": true}

func (o Options) withDefaults() Options {
	o.Program = cmp.Or(o.Program, "fibsbot")
	if o.Switches == nil {
		o.Switches = DefaultSwitches()
	}
	o.Redoubles = cmp.Or(o.Redoubles, "none")
	orDefault(&o.Login, time.Minute)
	orDefault(&o.Answer, 8*time.Second)
	orDefault(&o.Keepalive, 2*time.Minute)
	orDefault(&o.Goodbye, 3*time.Second)
	orDefault(&o.Pace.Gap, 150*time.Millisecond)
	orDefault(&o.Pace.ChatGap, 1500*time.Millisecond)
	orDefault(&o.Pace.Every, 250*time.Millisecond)
	o.Pace.Burst = cmp.Or(o.Pace.Burst, 40)
	if o.Telnet.Idle == 0 && o.Keepalive > 0 {
		o.Telnet.Idle = 2*o.Keepalive + time.Minute
	}
	return o
}

func orDefault(d *time.Duration, otherwise time.Duration) {
	if *d == 0 {
		*d = otherwise
	}
}

// Why a connection ended or could not be made. Errors of Dial and Err wrap one of these.
var (
	// ErrBadLogin: the server refused the name or the password. Do not try the same ones
	// again. FIBS also refuses logins, without a reason, in the last ten minutes before a
	// shutdown; see ErrShutdown.
	ErrBadLogin = errors.New("login refused")
	// ErrNoReason: the server refused the login, an ErrBadLogin, without a reason, as FIBS also
	// does before a shutdown.
	ErrNoReason = errors.New("no reason given")
	// ErrKicked: the account logged in elsewhere, which ended this session. Logging in at once
	// would end the other one. A server may close the old session without a word: that is
	// ErrLost, and Replaced in the Welcome of the next login shows it.
	ErrKicked = errors.New("account logged in elsewhere")
	// ErrSilent: the server said nothing for too long, or did not answer.
	ErrSilent = errors.New("server is silent")
	// ErrShutdown: the server announced a restart or shutdown.
	ErrShutdown = errors.New("server shuts down")
	// ErrTimedOut: the server logged us out for being idle.
	ErrTimedOut = errors.New("logged out for being idle")
	// ErrLost: the connection broke or was closed by the server.
	ErrLost = errors.New("connection lost")
	// ErrFlood: the server sent a line without end, or too many lines during the login.
	ErrFlood = errors.New("server floods")
	// ErrSettings: the server refused a setting that a bot needs.
	ErrSettings = errors.New("setting refused")
	// ErrClosed: the client was closed on our side.
	ErrClosed = errors.New("client closed")
)

// ErrCrash: a fault of this program while it read a line. The error has the line, without the
// password.
var ErrCrash = errors.New("program fault while reading a line of the server")

// ErrQueueFull is an error of Send: too many commands wait to be sent.
var ErrQueueFull = errors.New("send queue is full")

// lineError turns an error of the connection into one of the errors above.
func lineError(err error) error {
	switch {
	case err == nil, errors.Is(err, ErrLost), errors.Is(err, ErrSilent), errors.Is(err, ErrFlood), errors.Is(err, ErrCrash):
		return err
	case errors.Is(err, telnet.ErrSilent), errors.Is(err, telnet.ErrStuck):
		return fmt.Errorf("%w: %w", ErrSilent, err)
	case errors.Is(err, telnet.ErrLineTooLong), errors.Is(err, telnet.ErrNegotiation):
		return fmt.Errorf("%w: %w", ErrFlood, err)
	case errors.Is(err, telnet.ErrClosed):
		return ErrClosed
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%w: server closed the connection", ErrLost)
	default:
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
}
