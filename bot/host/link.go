package host

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"gopkg.in/natefinch/lumberjack.v2"

	"fibsbot/bot"
	"fibsbot/bot/protocol"
	"fibsbot/config"
	"fibsbot/internal/scrub"
)

// shutdownGrace is how long after a notice of shutdown, and after a connection for
// which the credentials were good, a refused login is not taken for wrong ones:
// FIBS refuses logins in its last ten minutes without saying why, and the notice
// may have come while the connection was down.
const shutdownGrace = 20 * time.Minute

// dial logs in with the options in force.
func (s *seat) dial(ctx context.Context) (bot.Link, error) {
	s.state("connecting", "")
	link, err := bot.Dialer(s.proto, s.login)(ctx)
	if err != nil {
		s.mu.Lock()
		grace := recent(s.notice) || recent(s.lastIn)
		s.mu.Unlock()
		if errors.Is(err, bot.ErrBadLogin) && grace {
			return nil, protocol.Failed(protocol.CauseShutdown, fmt.Errorf("server shuts down: login refused: %v", err))
		}
		return nil, err
	}
	l := &seatLink{Link: link, s: s}
	if s.h.opt.DryRun {
		l.dry()
	}
	s.link.Store(l)
	s.connected(true)
	return l, nil
}

func recent(at time.Time) bool { return !at.IsZero() && time.Since(at) < shutdownGrace }

// login says where and how to log in, by the configuration in force.
func (s *seat) login() (protocol.Login, error) {
	c := s.h.opt.Config()
	password, err := s.acct.Resolve()
	if err != nil {
		return protocol.Login{}, err
	}
	l := s.address()
	every := c.Server.Rate.Every.Std()
	l.Password, l.Program, l.Passive = password, c.Server.ClientName, s.h.opt.DryRun
	l.Keepalive, l.Connect, l.Silence = c.Server.Keepalive.Std(), c.Server.ConnectTimeout.Std(), c.Server.Silence.Std()
	l.Gap, l.ChatGap, l.Burst, l.Every = min(150*time.Millisecond, every), every, c.Server.Rate.Burst, every
	if s.transcript != nil {
		l.Transcript = s.transcribe
	}
	return l, nil
}

// address is a login as far as a knock at the server needs it.
func (s *seat) address() protocol.Login {
	return protocol.Login{Address: s.server, Name: s.name}
}

// newTranscript opens the rotated transcript of an account, or returns nil.
func newTranscript(c *config.Config, name, server string) *lumberjack.Logger {
	if c.Logs.Dir == "" || !c.Logs.Transcript {
		return nil
	}
	return &lumberjack.Logger{
		Filename: filepath.Join(c.Logs.Dir, transcriptName(c, name, server)),
		MaxSize:  c.Logs.MaxSizeMB, MaxBackups: c.Logs.Keep,
	}
}

// transcriptName is the file name of an account's transcript. Accounts that play
// elsewhere than on server.address have their server in it, so that two of one name
// write two files.
func transcriptName(c *config.Config, name, server string) string {
	if server == c.Server.Address {
		return "transcript-" + name + ".log"
	}
	return "transcript-" + strings.TrimSuffix(filepath.Base(fileOf(c, name, server, ".log")), ".log") + ".log"
}

// transcribe writes one line, already masked by the client. A full disk must not
// end a match, so its errors are only counted against the transcript.
func (s *seat) transcribe(l protocol.Line) {
	way := "<"
	if l.Sent {
		way = ">"
	}
	if _, err := fmt.Fprintf(s.transcript, "%s %s %s\n", l.Time.UTC().Format("2006-01-02T15:04:05.000Z"), way, scrub.Text(l.Text)); err != nil {
		s.h.opt.Metrics.Transcript(s.label)
		s.transcriptOnce.Do(func() { s.log.WithError(err).Error("transcript not written") })
	}
}

// seatLink is a connection as a seat uses it: it tells the seat when it ends,
// and in a dry run it keeps everything back.
type seatLink struct {
	bot.Link
	s      *seat
	events chan protocol.Event // of a dry run
	board  chan struct{}       // asks the dry run for a board
	quit   chan struct{}
	// drained is told of everything that a dry run keeps back.
	drained chan struct{}
}

// Close implements bot.Link.
func (l *seatLink) Close() error {
	if l.quit != nil {
		close(l.quit)
		for range l.events {
			// pass may hold one more; it closes the channel when it ends.
		}
	}
	err := l.Link.Close()
	l.s.link.CompareAndSwap(l, nil)
	l.s.connected(false)
	return err
}

// Waiting implements bot.QueuedLink.
func (l *seatLink) Waiting() int {
	if q, ok := l.Link.(bot.QueuedLink); ok {
		return q.Waiting()
	}
	return 0
}

// Drained implements bot.QueuedLink. In a dry run nothing ever waits.
func (l *seatLink) Drained() <-chan struct{} {
	if l.events != nil {
		return l.drained
	}
	if q, ok := l.Link.(bot.QueuedLink); ok {
		return q.Drained()
	}
	return nil
}

// dry starts answering in the server's place what is not sent.
func (l *seatLink) dry() {
	l.events = make(chan protocol.Event)
	l.board = make(chan struct{}, 1)
	l.drained = make(chan struct{}, 1)
	l.quit = make(chan struct{})
	go l.pass()
}

// pass hands the server's lines on. A question for the board that was kept back
// is answered by the last board seen, or by the server's words for none.
func (l *seatLink) pass() {
	defer close(l.events)
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
		case <-l.quit:
			return
		}
		select {
		case l.events <- ev:
		case <-l.quit:
			return
		}
	}
}

// Events implements bot.Link.
func (l *seatLink) Events() <-chan protocol.Event {
	if l.events != nil {
		return l.events
	}
	return l.Link.Events()
}

// SendWhile implements bot.QueuedLink.
func (l *seatLink) SendWhile(c protocol.Command, valid func() bool) error {
	if q, ok := l.Link.(bot.QueuedLink); ok && l.events == nil {
		return q.SendWhile(c, valid)
	}
	return l.Send(c)
}

// Send implements bot.Link.
func (l *seatLink) Send(c protocol.Command) error {
	if l.events == nil {
		return l.Link.Send(c)
	}
	select {
	case l.drained <- struct{}{}:
	default:
	}
	switch c.(type) {
	case protocol.Bye:
		return l.Link.Send(c)
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
