package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/notify"
	"fibsbot/bot/protocol"
)

// dial logs in with the options in force.
func (s *seat) dial(ctx context.Context) (bot.Link, error) {
	s.presence.enters("connecting")
	link, err := bot.Dialer(s.proto, s.login)(ctx)
	if err != nil {
		return nil, s.loginRefused(err, time.Now())
	}
	s.loggedIn(time.Now())
	l := &seatLink{Link: link, s: s}
	if s.h.opt.DryRun {
		l.dry()
	}
	s.link.Store(l)
	s.connected(true)
	return l, nil
}

// loginGrace is how long an account whose password has never worked is tried after a refusal
// without a reason.
const loginGrace = 30 * time.Minute

// loginRefused returns err, which ends the account, or an error with which it goes on trying: a
// login may be refused for another reason than its password, as FIBS does before a shutdown.
func (s *seat) loginRefused(err error, now time.Time) error {
	if !errors.Is(err, bot.ErrBadLogin) {
		return err
	}
	if s.presence.forgives() {
		return protocol.Failed(protocol.CauseShutdown, fmt.Errorf("server shuts down: login refused: %v", err))
	}
	first := s.refusedAt.IsZero()
	if first {
		s.refusedAt = now
	}
	rest := fmt.Sprintf("trying until %s", s.refusedAt.Add(s.h.loginGrace).Format("15:04"))
	if worked := s.memory.worked(s.password); !worked.IsZero() {
		rest = "trying on: the password worked on " + worked.Format("2006-01-02 at 15:04")
	} else if !errors.Is(err, protocol.ErrNoReason) || now.Sub(s.refusedAt) >= s.h.loginGrace {
		return err
	}
	err = fmt.Errorf("%v; %s", err, rest)
	if first {
		s.log.WithError(err).Error("login refused")
		s.tellOperator(notify.LoginRefused, "", fmt.Sprintf("%s: %v", s.name, err), nil)
	}
	return protocol.Failed(protocol.CauseRefused, err)
}

// loggedIn remembers that the password is right.
func (s *seat) loggedIn(now time.Time) {
	s.refusedAt = time.Time{}
	if err := s.memory.proved(s.password, s.h.opt.NoSync, now); err != nil {
		s.log.WithError(err).Error("login not remembered")
	}
}

// login returns the login of the configuration in force.
func (s *seat) login() (protocol.Login, error) {
	c := s.h.opt.Config()
	password, err := s.Resolve()
	if err != nil {
		return protocol.Login{}, err
	}
	s.h.secrets.add(append(secretsOf(c), password.Reveal())...)
	s.password = password.Reveal()
	l := s.address()
	every := c.Server.Rate.Every.Std()
	l.Password, l.Program, l.Passive, l.Store = password, c.Server.ClientName, s.h.opt.DryRun, SettingsStore(c.Archive.Dir, s.name, s.server, func(err error) { s.log.Warn(err) })
	l.Keepalive, l.Connect, l.Silence = c.Server.Keepalive.Std(), c.Server.ConnectTimeout.Std(), c.Server.Silence.Std()
	l.Gap, l.ChatGap, l.Burst, l.Every = min(150*time.Millisecond, every), every, c.Server.Rate.Burst, every
	if s.transcript != nil {
		l.Transcript = s.transcript.write
	}
	return l, nil
}

// address returns the part of a login that a connection test needs.
func (s *seat) address() protocol.Login {
	return protocol.Login{Address: s.server, Name: s.name}
}

// seatLink is a seat's connection. It informs the seat when it ends, and sends nothing in a
// dry run.
type seatLink struct {
	bot.Link
	s     *seat
	pipe  *protocol.Pipe // of a dry run, else nil
	board chan struct{}  // asks the dry run for a board
	// drained receives a value for each command that a dry run does not send.
	drained chan struct{}
}

// Close implements bot.Link.
func (l *seatLink) Close() error {
	if l.pipe != nil {
		close(l.pipe.Quit)
		for range l.pipe.Events() {
			// pass closes the channel when it ends.
		}
	}
	err := l.Link.Close()
	l.s.link.CompareAndSwap(l, nil)
	l.s.connected(false)
	return err
}

// Drained implements bot.Link. In a dry run nothing ever waits.
func (l *seatLink) Drained() <-chan struct{} {
	if l.pipe != nil {
		return l.drained
	}
	return l.Link.Drained()
}

// dry starts answering, in place of the server, the commands that are not sent.
func (l *seatLink) dry() {
	l.pipe = new(protocol.NewPipe())
	l.board, l.drained = make(chan struct{}, 1), make(chan struct{}, 1)
	go l.pass()
}

// pass passes the server's lines on. It answers a request for the board that was not sent
// with the last board, or with the server's line for no match.
func (l *seatLink) pass() {
	defer l.pipe.End()
	none := protocol.Event{Kind: protocol.NoMatch, Raw: "** You're not playing."}
	last := none
	for {
		var ev protocol.Event
		select {
		case e, ok := <-l.Link.Events():
			if !ok {
				return
			}
			switch ev = e; {
			case e.Kind == protocol.BoardLine && e.Board != nil && e.Board.Mine:
				last = e
			case e.Kind == protocol.MatchSaved, e.Kind == protocol.MatchOver:
				last = none
			}
		case <-l.board:
			ev = last
		case <-l.pipe.Quit:
			return
		}
		if !l.pipe.Hand(ev) {
			return
		}
	}
}

// Events implements bot.Link.
func (l *seatLink) Events() <-chan protocol.Event {
	if l.pipe != nil {
		return l.pipe.Events()
	}
	return l.Link.Events()
}

// Send implements bot.Link.
func (l *seatLink) Send(c protocol.Command, valid func() bool) error {
	if l.pipe == nil {
		return l.Link.Send(c, valid)
	}
	select {
	case l.drained <- struct{}{}:
	default:
	}
	switch c.(type) {
	case protocol.Bye:
		return l.Link.Send(c, nil)
	case protocol.AskBoard:
		select {
		case l.board <- struct{}{}:
		default:
		}
		return nil
	}
	if lines, err := l.s.proto.Encode(c); err == nil {
		for _, text := range lines {
			l.s.log.WithField("command", text).Info("dry run: not sent")
		}
	}
	return nil
}
