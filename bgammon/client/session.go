package client

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fibsbot/bgammon/wire"
	"fibsbot/internal/panics"
)

// Event is one line of the server with what it says.
type Event struct {
	wire.Event
	// Line is what the server sent, without the end of the line.
	Line string
	// Time is when the line was complete.
	Time time.Time
}

// Session is a connection, logged in. Its methods may be used by any goroutine.
type Session struct {
	opts Options
	conn lines
	// name is our name on the server.
	name string

	events chan Event
	inbox  chan received
	wake   chan struct{}
	quit   chan struct{}
	ended  chan struct{}
	once   sync.Once
	err    error // set before events is closed

	mu      sync.Mutex
	queue   []waiting
	pending atomic.Int64
	drained chan struct{}
}

// waiting is a command in the queue.
type waiting struct {
	line  string
	shown string // for the transcript
	chat  bool
	valid func() bool
}

// received is a line or the end of them.
type received struct {
	line string
	at   time.Time
	err  error
}

// maxQueue bounds the commands that wait: a bot has one outstanding and a handful of
// others.
const maxQueue = 64

// Dial connects and logs in. The context bounds Dial only. The error wraps one of the
// errors of this package, or is the error of dialling. The events of the login come
// out of Events, too.
func Dial(ctx context.Context, opts Options) (*Session, error) {
	opts = opts.withDefaults()
	if err := opts.check(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, opts.Login)
	defer cancel()
	conn, err := connect(ctx, opts)
	if err != nil {
		return nil, err
	}
	s := &Session{
		opts: opts, conn: conn,
		events: make(chan Event), inbox: make(chan received),
		wake: make(chan struct{}, 1), drained: make(chan struct{}, 1), quit: make(chan struct{}), ended: make(chan struct{}),
	}
	// A context that ends closes the connection, which ends every read.
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	early, err := s.login()
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		_ = conn.Close()
		if ctx.Err() != nil {
			err = fmt.Errorf("login: %w", context.Cause(ctx))
		}
		return nil, err
	}
	go s.read()
	go s.serve(early)
	return s, nil
}

// login sends the login after the greeting and waits for the welcome. It returns the lines
// so far.
func (s *Session) login() ([]Event, error) {
	var early []Event
	next := func() (Event, error) {
		line, err := s.conn.ReadLine()
		if err != nil {
			return Event{}, err
		}
		ev := s.heard(line, time.Now())
		early = append(early, ev)
		return ev, nil
	}
	if _, err := next(); err != nil {
		return nil, err
	}
	hello := wire.Login{Client: s.opts.Client, Language: s.opts.Language, Name: s.opts.Name, Password: s.opts.Password}
	line, err := hello.Line()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadLogin, err)
	}
	if err := s.conn.WriteLine(line); err != nil {
		return nil, err
	}
	s.opts.Transcript(Line{Sent: true, Time: time.Now(), Text: hello.Masked()})
	said := ""
	for range 100 {
		ev, err := next()
		if err != nil {
			if said != "" {
				return nil, s.refused(said)
			}
			return nil, err
		}
		switch e := ev.Event.(type) {
		case wire.Welcome:
			if e.Name != s.opts.Name {
				return nil, fmt.Errorf("%w: the server gave the name %q, not %q", ErrName, e.Name, s.opts.Name)
			}
			s.name = e.Name
			return early, nil
		case wire.Notice:
			said = e.Text
		}
	}
	return nil, fmt.Errorf("%w: no welcome after 100 lines", ErrFlood)
}

// refused turns the notice before the server closed into an error. A refused login has no
// typed event; only the notice, in the language that we asked for, has the reason.
func (s *Session) refused(said string) error {
	if strings.Contains(strings.ToLower(said), "in use") {
		return fmt.Errorf("%w: the server says %q", ErrInUse, said)
	}
	return fmt.Errorf("%w: the server says %q", ErrBadLogin, said)
}

func (s *Session) heard(line string, at time.Time) Event {
	s.opts.Transcript(Line{Time: at, Text: line})
	return Event{Event: wire.Parse(line), Line: line, Time: at}
}

// read passes lines on until the connection ends.
func (s *Session) read() {
	for {
		line, err := s.conn.ReadLine()
		select {
		case s.inbox <- received{line, time.Now(), err}:
		case <-s.ended:
			return
		}
		if err != nil {
			return
		}
	}
}

// serve passes events up and commands down until the connection ends.
func (s *Session) serve(early []Event) {
	defer close(s.ended)
	defer func() { _ = s.conn.Close() }()
	s.err = s.guarded(early)
	close(s.events)
}

// guarded is loop. A fault of this program ends this connection and nothing else.
func (s *Session) guarded(early []Event) (err error) {
	defer panics.Recover(&err)
	return s.loop(early)
}

func (s *Session) loop(early []Event) error {
	var said string
	last := time.Now() // when a line of ours went out
	timer := time.NewTimer(s.opts.Keepalive)
	defer timer.Stop()
	for {
		var up chan Event
		var first Event
		in := s.inbox
		if len(early) > 0 {
			up, first = s.events, early[0]
			in = nil // the reader is slow: the server has to wait
		}
		timer.Reset(s.untilSend(last))
		select {
		case up <- first:
			early = early[1:]
		case <-s.quit:
			return s.leave()
		case <-s.wake:
		case <-timer.C:
			if err := s.send(&last); err != nil {
				return err
			}
		case got := <-in:
			if got.err != nil {
				if said != "" {
					return fmt.Errorf("%w: %s", ErrTerminated, said)
				}
				return got.err
			}
			ev := s.heard(got.line, got.at)
			said = terminated(ev)
			if ping, ok := ev.Event.(wire.Ping); ok {
				// Not through the queue: the answer must not wait behind chat.
				if err := s.write(wire.Pong(ping.Text)); err != nil {
					return err
				}
				continue
			}
			early = append(early, ev)
		}
	}
}

// terminated returns the text of the notice that announces the end of the connection, or ""
// for any other event.
func terminated(ev Event) string {
	if n, ok := ev.Event.(wire.Notice); ok && strings.HasPrefix(strings.ToLower(n.Text), "connection terminated") {
		return n.Text
	}
	return ""
}

// untilSend returns the time until something must be sent.
func (s *Session) untilSend(last time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := last.Add(s.opts.Keepalive)
	if len(s.queue) > 0 {
		gap := s.opts.Gap
		if s.queue[0].chat {
			gap = s.opts.ChatGap
		}
		at = last.Add(gap)
	}
	return max(0, time.Until(at))
}

// send sends the next command that is still valid, or a keepalive.
func (s *Session) send(last *time.Time) error {
	for {
		s.mu.Lock()
		if len(s.queue) == 0 {
			s.mu.Unlock()
			break
		}
		w := s.queue[0]
		s.queue = s.queue[1:]
		s.pending.Store(int64(len(s.queue)))
		empty := len(s.queue) == 0
		s.mu.Unlock()
		var err error
		wanted := w.valid == nil || w.valid()
		if wanted {
			*last = time.Now()
			err = s.writeLine(w.line, w.shown)
		}
		if empty {
			select {
			case s.drained <- struct{}{}:
			default:
			}
		}
		if wanted {
			return err
		}
	}
	if time.Since(*last) < s.opts.Keepalive {
		return nil
	}
	*last = time.Now()
	return s.write(wire.Pong(""))
}

func (s *Session) write(c wire.Command) error {
	line, err := c.Line()
	if err != nil {
		return nil // the text of the ping cannot be sent back
	}
	return s.writeLine(line, line)
}

func (s *Session) writeLine(line, shown string) error {
	if err := s.conn.WriteLine(line); err != nil {
		return err
	}
	s.opts.Transcript(Line{Sent: true, Time: time.Now(), Text: shown})
	return nil
}

// leave logs out. The server keeps our seat in a running match.
func (s *Session) leave() error {
	if s.write(wire.Disconnect) != nil {
		return nil
	}
	limit := time.NewTimer(s.opts.Goodbye)
	defer limit.Stop()
	for {
		select {
		case got := <-s.inbox:
			if got.err != nil {
				return nil
			}
			s.heard(got.line, got.at)
		case <-limit.C:
			return nil
		}
	}
}

// Name returns our name on the server.
func (s *Session) Name() string { return s.name }

// Events carries the server's lines in order, without pings. It is closed when the connection
// has ended.
func (s *Session) Events() <-chan Event { return s.events }

// Err returns why Events was closed, or nil after Close.
func (s *Session) Err() error {
	<-s.ended
	return s.err
}

// Send queues a command. The error wraps wire.ErrCommand or ErrQueueFull. The end of the
// connection is not an error here: Events reports it.
func (s *Session) Send(c wire.Command) error { return s.SendWhile(c, nil) }

// SendWhile is Send for a command that is dropped if valid, which another goroutine calls at
// its turn, returns false. Chat waits for commands, and leaving waits for chat, which is heard
// in a match only.
func (s *Session) SendWhile(c wire.Command, valid func() bool) error {
	line, err := c.Line()
	if err != nil {
		return err
	}
	_, chat := c.(wire.Chat)
	chat = chat || c == wire.Leave
	shown := line
	if secret, ok := c.(wire.Secret); ok {
		shown = secret.Masked()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) >= maxQueue {
		return ErrQueueFull
	}
	at := len(s.queue)
	if !chat {
		for at > 0 && s.queue[at-1].chat {
			at--
		}
	}
	s.queue = append(s.queue, waiting{})
	copy(s.queue[at+1:], s.queue[at:])
	s.queue[at] = waiting{line, shown, chat, valid}
	s.pending.Store(int64(len(s.queue)))
	select {
	case s.wake <- struct{}{}:
	default:
	}
	return nil
}

// Waiting returns the number of queued commands.
func (s *Session) Waiting() int { return int(s.pending.Load()) }

// Drained gets a value, if there is room for one, when the last queued command has gone.
func (s *Session) Drained() <-chan struct{} { return s.drained }

// Close logs out if the connection still stands, and waits for the end.
func (s *Session) Close() error {
	s.once.Do(func() { close(s.quit) })
	<-s.ended
	return nil
}
