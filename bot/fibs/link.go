package fibs

import (
	"context"
	"errors"
	"fmt"
	"net"

	"fibsbot/bot/protocol"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/telnet"
	"fibsbot/internal/panics"
)

// Name is the word for FIBS in bot.yaml and in journals.
const Name = "fibs"

// Protocol is FIBS. The zero value is ready for use.
type Protocol struct {
	// Client changes the client's options before each login, for tests and for
	// servers that need no caution.
	Client func(*client.Options)
	// Connect opens connections; a plain dialer by default.
	Connect func(ctx context.Context, network, address string) (net.Conn, error)
}

var _ protocol.Protocol = Protocol{}

// Name implements protocol.Protocol.
func (Protocol) Name() string { return Name }

// maxText is the longest text of one line; FIBS cuts longer ones.
const maxText = 400

// maxLength is the longest match that can be asked for by its length.
const maxLength = 99

// Rules implements protocol.Protocol.
func (Protocol) Rules() protocol.Rules {
	return protocol.Rules{RollsItself: true, Lists: true, Unlimited: true, MaxLength: maxLength, MaxText: maxText}
}

// Plain implements protocol.Protocol: FIBS is a 7-bit server.
func (Protocol) Plain(text string) string { return clip.PlainText(text) }

// options turns a login into the client's options.
func (p Protocol) options(l protocol.Login) client.Options {
	o := client.Options{
		Address: l.Address, Name: l.Name, Program: l.Program, Ready: l.Plays, Passive: l.Passive, Keepalive: l.Keepalive,
		Pace: client.Pace{Gap: l.Gap, ChatGap: l.ChatGap, Burst: l.Burst, Every: l.Every},
	}
	if l.Password != nil {
		o.Password = clip.NewSecret(l.Password.Reveal())
	}
	o.Telnet.Connect, o.Telnet.Idle, o.Telnet.Dial = l.Connect, l.Silence, p.Connect
	if tell := l.Transcript; tell != nil {
		o.Transcript = func(line client.Line) { tell(protocol.Line{Sent: line.Sent, Time: line.Time, Text: line.Text}) }
	}
	if p.Client != nil {
		p.Client(&o)
	}
	return o
}

// Dial implements protocol.Protocol.
func (p Protocol) Dial(ctx context.Context, l protocol.Login) (protocol.Link, error) {
	return dial(ctx, p.options(l))
}

// Dialer returns a function that logs in with options of the client, ready to
// play: for who knows them better than a protocol.Login can say.
func Dialer(o client.Options) func(context.Context) (protocol.Link, error) {
	o.Ready = true
	return func(ctx context.Context) (protocol.Link, error) { return dial(ctx, o) }
}

func dial(ctx context.Context, o client.Options) (protocol.Link, error) {
	c, err := client.Dial(ctx, o)
	if err != nil {
		if errors.Is(err, client.ErrBadLogin) {
			return nil, fmt.Errorf("%w: %w", protocol.ErrBadLogin, err)
		}
		return nil, Failure(err)
	}
	return newLink(c.Start(), Event), nil
}

// Knock implements protocol.Protocol.
func (p Protocol) Knock(ctx context.Context, l protocol.Login) error {
	connect := p.Connect
	if connect == nil {
		connect = (&net.Dialer{}).DialContext
	}
	c, err := connect(ctx, "tcp", l.Address)
	if err != nil {
		return err
	}
	return c.Close()
}

// Failure adds the cause to an error of the client.
func Failure(err error) error {
	for _, c := range []struct {
		err   error
		cause protocol.Cause
	}{
		{client.ErrKicked, protocol.CauseKicked}, {client.ErrShutdown, protocol.CauseShutdown},
		{client.ErrTimedOut, protocol.CauseIdle}, {client.ErrSilent, protocol.CauseSilent}, {client.ErrFlood, protocol.CauseFlood},
		{client.ErrSettings, protocol.CauseSettings}, {client.ErrCrash, protocol.CauseCrash}, {telnet.ErrConnect, protocol.CauseDial}, {client.ErrLost, protocol.CauseLost},
	} {
		if errors.Is(err, c.err) {
			return protocol.Failed(c.cause, err)
		}
	}
	return err
}

// link is a session of the client as a protocol.Link.
type link struct {
	*client.Session
	events chan protocol.Event
	quit   chan struct{} // closed by Close: nobody reads events any more
	fault  error         // of ours; set before events is closed
}

var _ protocol.QueuedLink = (*link)(nil)

func newLink(s *client.Session, meaning func(*clip.Event) protocol.Event) *link {
	l := &link{Session: s, events: make(chan protocol.Event), quit: make(chan struct{})}
	go l.pass(meaning)
	return l
}

// pass hands the server's lines on until the session has ended. A fault of this
// program in one of them ends this connection, and none of another account.
func (l *link) pass(meaning func(*clip.Event) protocol.Event) {
	defer close(l.events)
	for ev := range l.Session.Events() {
		out, err := guarded(meaning, &ev)
		if err != nil {
			l.fault = protocol.Failed(protocol.CauseCrash, fmt.Errorf("reading %q: %w", ev.Raw, err))
			return
		}
		select {
		case l.events <- out:
		case <-l.quit:
			for range l.Session.Events() { // the session ends when all is taken
			}
			return
		}
	}
}

func guarded(meaning func(*clip.Event) protocol.Event, ev *clip.Event) (out protocol.Event, err error) {
	defer panics.Recover(&err)
	return meaning(ev), nil
}

// Events implements protocol.Link.
func (l *link) Events() <-chan protocol.Event { return l.events }

// Send implements protocol.Link.
func (l *link) Send(c protocol.Command) error { return l.SendWhile(c, nil) }

// SendWhile implements protocol.QueuedLink.
func (l *link) SendWhile(c protocol.Command, valid func() bool) error {
	fc := Command(c)
	if fc == nil {
		return nil // nothing that FIBS could do
	}
	err := l.Session.SendWhile(fc, valid)
	if errors.Is(err, client.ErrQueueFull) {
		return fmt.Errorf("%w: %w", protocol.ErrQueueFull, err)
	}
	return err
}

// Err implements protocol.Link.
func (l *link) Err() error {
	if l.fault != nil {
		return l.fault
	}
	if err := l.Session.Err(); err != nil {
		return Failure(err)
	}
	return nil
}

// Close implements protocol.Link. A session ends without an error of its own.
func (l *link) Close() error {
	close(l.quit)
	l.Session.Close()
	for range l.events {
	}
	return nil
}
