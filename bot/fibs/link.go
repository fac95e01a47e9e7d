//go:build !js

package fibs

import (
	"context"
	"errors"
	"fmt"

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
	Connect protocol.Connect
	// Person leaves it to the account whether shouts are heard.
	Person bool
}

var _ protocol.Protocol = Protocol{}

// Name implements protocol.Protocol.
func (Protocol) Name() string { return Name }

// maxText is the longest text of one line; FIBS cuts longer ones.
const maxText = 400

// Rules implements protocol.Protocol.
func (Protocol) Rules() protocol.Rules {
	return protocol.Rules{RollsItself: true, KeepsMoveLists: true, MaxText: maxText}
}

// Plain implements protocol.Protocol: FIBS is a 7-bit server.
func (Protocol) Plain(text string) string { return clip.PlainText(text) }

// options turns a login into the client's options.
func (p Protocol) options(l protocol.Login) client.Options {
	o := client.Options{
		Address: l.Address, Name: l.Name, Program: l.Program, Store: l.Store, Ready: l.Plays, Passive: l.Passive, Keepalive: l.Keepalive,
		Pace: client.Pace{Gap: l.Gap, ChatGap: l.ChatGap, Burst: l.Burst, Every: l.Every},
	}
	if l.Password != nil {
		o.Password = clip.NewSecret(l.Password.Reveal())
	}
	o.Telnet.Connect, o.Telnet.Idle, o.Telnet.Dial = l.Connect, l.Silence, p.Connect
	if tell := l.Transcript; tell != nil {
		o.Transcript = func(line client.Line) { tell(protocol.Line(line)) }
	}
	if p.Person {
		o.Switches = client.DefaultSwitches()
		delete(o.Switches, "silent")
	}
	if p.Client != nil {
		p.Client(&o)
	}
	return o
}

// Dial implements protocol.Protocol.
func (p Protocol) Dial(ctx context.Context, l protocol.Login) (protocol.Link, error) {
	return dial(ctx, p.options(l), Event)
}

// Register implements protocol.Registrar.
func (p Protocol) Register(ctx context.Context, l protocol.Login) error {
	err := client.Register(ctx, p.options(l))
	if errors.Is(err, client.ErrBadLogin) {
		return fmt.Errorf("%w: %w", protocol.ErrBadLogin, err)
	}
	return Failure(err)
}

// Dialer returns a function that logs in with options of the client, ready to
// play: for who knows them better than a protocol.Login can say.
func Dialer(o client.Options) func(context.Context) (protocol.Link, error) {
	o.Ready = true
	return func(ctx context.Context) (protocol.Link, error) { return dial(ctx, o, Event) }
}

// dial logs in. meaning is Event, but for tests.
func dial(ctx context.Context, o client.Options, meaning func(*clip.Event) protocol.Event) (protocol.Link, error) {
	l := &link{Pipe: protocol.NewPipe(), meaning: meaning}
	o.Deliver = l.deliver
	c, err := client.Dial(ctx, o)
	if err != nil {
		if errors.Is(err, client.ErrNoReason) {
			return nil, fmt.Errorf("%w (%w): wrong name or password for %s at %s", protocol.ErrBadLogin, protocol.ErrNoReason, o.Name, o.Address)
		}
		if errors.Is(err, client.ErrBadLogin) {
			return nil, fmt.Errorf("%w: %w", protocol.ErrBadLogin, err)
		}
		return nil, Failure(err)
	}
	l.Client = c
	return l, nil
}

// Knock implements protocol.Protocol.
func (p Protocol) Knock(ctx context.Context, l protocol.Login) error {
	return protocol.Knock(ctx, p.Connect, l.Address)
}

// Failure adds the cause to an error of the client.
func Failure(err error) error {
	return protocol.Blame(err, []protocol.Failure{
		{Err: client.ErrKicked, Cause: protocol.CauseKicked}, {Err: client.ErrShutdown, Cause: protocol.CauseShutdown},
		{Err: client.ErrTimedOut, Cause: protocol.CauseIdle}, {Err: client.ErrSilent, Cause: protocol.CauseSilent},
		{Err: client.ErrFlood, Cause: protocol.CauseFlood}, {Err: client.ErrSettings, Cause: protocol.CauseSettings},
		{Err: client.ErrCrash, Cause: protocol.CauseCrash}, {Err: telnet.ErrConnect, Cause: protocol.CauseDial},
		{Err: client.ErrLost, Cause: protocol.CauseLost},
	})
}

// link is a client as a protocol.Link.
type link struct {
	*client.Client
	protocol.Pipe
	meaning func(*clip.Event) protocol.Event
}

var _ protocol.Link = (*link)(nil)

// deliver is the client's Options.Deliver. A fault of this program in a line ends this
// connection and no other account's.
func (l *link) deliver(ev *clip.Event) error {
	if ev == nil {
		l.End()
		return nil
	}
	out, err := l.guarded(ev)
	if err != nil {
		return protocol.Failed(protocol.CauseCrash, fmt.Errorf("reading %q: %w", ev.Raw, err))
	}
	l.Hand(out)
	return nil
}

func (l *link) guarded(ev *clip.Event) (out protocol.Event, err error) {
	defer panics.Recover(&err)
	return l.meaning(ev), nil
}

// Events implements protocol.Link.
func (l *link) Events() <-chan protocol.Event { return l.Pipe.Events() }

// Send implements protocol.Link. Events reports the end of the connection, and a
// command that cannot be written, as with another player's odd name, is not worth a
// connection: neither is an error here.
func (l *link) Send(c protocol.Command, valid func() bool) error {
	fc := Command(c)
	if fc == nil {
		return nil // FIBS has no such command
	}
	return protocol.SendError(l.SendWhile(fc, valid), client.ErrQueueFull, client.ErrClosed, clip.ErrCommand)
}

// Err implements protocol.Link.
func (l *link) Err() error { return Failure(l.Client.Err()) }

// Close implements protocol.Link. It returns no error.
func (l *link) Close() error {
	close(l.Quit)
	l.Client.Close()
	return nil
}
