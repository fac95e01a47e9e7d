package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"fibsbot/bgammon/internal/lines"
	"fibsbot/bgammon/wire"
	"fibsbot/internal/panics"
	"fibsbot/internal/sendqueue"
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
	conn lines.Conn
	// name is our name on the server.
	name string

	queue     *sendqueue.Queue
	quit      chan struct{} // closed by Close
	once      sync.Once
	readDone  chan struct{} // closed when nothing more is read
	writeDone chan struct{} // closed when nothing more is written
	over      chan struct{} // closed when the last event was delivered
	err       error         // set before the last event is delivered
	writeErr  error         // set before writeDone is closed

	writing sync.Mutex // of a line
}

// Dial connects and logs in. The context bounds Dial only. The error wraps one of the
// errors of this package, or is the error of dialling.
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
		opts: opts, conn: conn, quit: make(chan struct{}),
		queue:    sendqueue.New(sendqueue.Pace{Gap: opts.Gap, ChatGap: opts.ChatGap}),
		readDone: make(chan struct{}), writeDone: make(chan struct{}), over: make(chan struct{}),
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
	go s.read(early)
	go s.write()
	return s, nil
}

// login sends the login after the greeting and waits for the welcome. It returns the lines
// so far.
func (s *Session) login() ([]Event, error) {
	var early []Event
	next := func() (Event, error) {
		line, err := s.readLine()
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
	if err := why(s.conn.WriteLine(line, time.Now().Add(writeLimit))); err != nil {
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

// read is the reading goroutine.
func (s *Session) read(early []Event) {
	err := s.readLines(early)
	close(s.readDone)
	// A write that still waits would wait in vain.
	_ = s.conn.Close()
	<-s.writeDone
	if s.err = err; s.writeErr != nil && errors.Is(err, net.ErrClosed) {
		s.err = s.writeErr
	}
	if s.closed() {
		s.err = nil
	}
	s.opts.Deliver(nil)
	close(s.over)
}

// readLines delivers events until the connection ends.
func (s *Session) readLines(early []Event) error {
	for i := range early {
		if err := s.deliver(&early[i]); err != nil {
			return err
		}
	}
	var said string
	for {
		line, err := s.readLine()
		if err != nil {
			if said != "" {
				return fmt.Errorf("%w: %s", ErrTerminated, said)
			}
			return err
		}
		ev := s.heard(line, time.Now())
		said = terminated(ev)
		if ping, ok := ev.Event.(wire.Ping); ok {
			// Not through the queue: the answer must not wait behind chat.
			err = s.writeNow(wire.Pong(ping.Text))
		} else if !s.closed() {
			err = s.deliver(&ev)
		}
		if err != nil {
			return err
		}
	}
}

// deliver hands an event on. A fault of this program in a line ends this connection and
// nothing else.
func (s *Session) deliver(ev *Event) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%w: %q: %w", ErrCrash, ev.Line, err)
		}
	}()
	defer panics.Recover(&err)
	s.opts.Deliver(ev)
	return nil
}

// closed reports whether Close was called.
func (s *Session) closed() bool {
	select {
	case <-s.quit:
		return true
	default:
		return false
	}
}

// write is the writing goroutine: it sends what Send queued, keeps the connection alive, and
// logs out.
func (s *Session) write() {
	defer close(s.writeDone)
	if s.writeErr = s.writeLines(); s.writeErr != nil {
		// What the server said before it closed may still be read, and says why.
		s.awaitEnd(s.quit)
	}
	_ = s.conn.Close()
}

// writeLines returns nil when the connection has ended or Close has logged out.
func (s *Session) writeLines() error {
	s.queue.Sent(time.Now())
	send := func(item sendqueue.Item) error {
		s.queue.Sent(time.Now())
		return s.writeLine(item.Line, item.Shown)
	}
	left, err := s.queue.Serve(send, sendqueue.Item{Line: "pong", Shown: "pong"}, s.opts.Keepalive, s.readDone, s.quit)
	// The server keeps our seat in a running match.
	if left && s.writeNow(wire.Disconnect) == nil {
		s.awaitEnd(nil)
	}
	return err
}

// awaitEnd waits until the server has closed the connection, for Options.Goodbye at most.
func (s *Session) awaitEnd(stop <-chan struct{}) {
	timer := time.NewTimer(s.opts.Goodbye)
	defer timer.Stop()
	select {
	case <-s.readDone:
	case <-timer.C:
	case <-stop:
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

// writeNow sends a command out of turn.
func (s *Session) writeNow(c wire.Command) error {
	line, err := c.Line()
	if err != nil {
		return nil // the text of the ping cannot be sent back
	}
	return s.writeLine(line, line)
}

func (s *Session) writeLine(line, shown string) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := why(s.conn.WriteLine(line, time.Now().Add(writeLimit))); err != nil {
		return err
	}
	s.opts.Transcript(Line{Sent: true, Time: time.Now(), Text: shown})
	return nil
}

// Name returns our name on the server.
func (s *Session) Name() string { return s.name }

// Err returns why the connection ended, or nil after Close. It waits for the end.
func (s *Session) Err() error {
	<-s.over
	return s.err
}

// Send queues a command. If valid is not nil, another goroutine calls it at the command's
// turn, and false drops the command. Chat waits for commands, and leaving waits for chat,
// which is heard in a match only. The error wraps wire.ErrCommand or ErrQueueFull. A connection
// that has ended gives no error here: Err has it.
func (s *Session) Send(c wire.Command, valid func() bool) error {
	line, err := c.Line()
	if err != nil {
		return err
	}
	item := sendqueue.Item{Line: line, Shown: line, Valid: valid}
	if _, chat := c.(wire.Chat); chat || c == wire.Leave {
		item.Class = sendqueue.Chat
	}
	if secret, ok := c.(wire.Secret); ok {
		item.Shown = secret.Masked()
	}
	if !s.queue.Add(item) {
		return ErrQueueFull
	}
	return nil
}

// Waiting returns the number of queued commands.
func (s *Session) Waiting() int { return s.queue.Len() }

// Drained gets a value, if there is room for one, when the last queued command has gone.
func (s *Session) Drained() <-chan struct{} { return s.queue.Drained() }

// Close logs out if the connection still stands, and waits for the end.
func (s *Session) Close() error {
	s.once.Do(func() { close(s.quit) })
	<-s.over
	return nil
}
