package host

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/internal/accountview"
	"fibsbot/bot/ops"
)

// presence is what others see of an account: whether it is online, what it plays, since when
// it is away. It is safe for concurrent use; its times come from now.
type presence struct {
	now func() time.Time

	mu       sync.Mutex
	shown    ops.Account // what status shows
	cancel   context.CancelFunc
	shutdown time.Time // the server's last notice of a shutdown
	why      string    // why the account is offline, or was last
	away     away
}

// away is how long an account has been offline, for the notifications.
type away struct {
	since time.Time
	told  bool
}

// stopped is the state of an account that does not reconnect.
const stopped = "stopped"

func newPresence(name, server string) *presence {
	return &presence{now: time.Now, shown: ops.Account{Name: name, Server: server, State: "waiting"}}
}

// runs sets the function that ends the account.
func (p *presence) runs(cancel context.CancelFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cancel = cancel
}

// end ends the account, if it runs.
func (p *presence) end() {
	p.mu.Lock()
	cancel := p.cancel
	p.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// connected records whether the account is logged in.
func (p *presence) connected(yes bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown.Connected, p.shown.NotInviting = yes, ""
	if yes {
		p.why = "the connection has ended"
		p.shown.State, p.shown.Waiting = "ready", ""
	}
}

// noticed records that the server is about to shut down.
func (p *presence) noticed(at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shutdown = at
}

// shutdownGrace is how long after a notice of shutdown a refused login does not mean wrong
// credentials: FIBS refuses logins in its last ten minutes.
const shutdownGrace = 20 * time.Minute

// forgives reports whether a login may be refused now for another reason than its
// credentials.
func (p *presence) forgives() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.shutdown.IsZero() && p.now().Sub(p.shutdown) < shutdownGrace
}

// enters sets the state of an account, but keeps an error that stopped it for good.
func (p *presence) enters(state string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown.State != stopped || p.shown.Error == "" {
		p.shown.State, p.shown.Waiting = state, ""
	}
}

// waits records that the account is offline, and when it tries again.
func (p *presence) waits(why string, wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.why = why
	p.shown.State, p.shown.Connected, p.shown.NotInviting = "waiting", false, ""
	p.shown.Waiting = fmt.Sprintf("%s; next try at %s", why, p.now().Add(wait).Format("15:04:05"))
}

// fails records the error that stopped the account for good.
func (p *presence) fails(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown.State, p.shown.Error = stopped, err.Error()
}

// plays sets what m says of the match being played, if there is one, of our rating and of the
// last line of the server, if it is new.
func (p *presence) plays(m ops.Account) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := &p.shown
	if !m.LastLine.IsZero() {
		a.LastLine = m.LastLine
	}
	if a.Connected {
		a.State = "ready"
	}
	if m.Opponent != "" {
		a.State, a.NotInviting = "playing", ""
	}
	a.Opponent, a.Match, a.Board, a.Preset, a.Rating = m.Opponent, m.Match, m.Board, m.Preset, m.Rating
}

// invitesNoOne sets why no one is invited, or "".
func (p *presence) invitesNoOne(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown.NotInviting = why
}

// finished counts a match.
func (p *presence) finished(won bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown.Finished++
	if won {
		p.shown.Won++
	}
}

// journals sets why the journals cannot be written, or nil, and reports whether the failure
// is new.
func (p *presence) journals(err error) (news bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	had := p.shown.Journal
	p.shown.Journal = ""
	if err != nil {
		p.shown.Journal = err.Error()
	}
	return err != nil && had == ""
}

// status returns what status shows.
func (p *presence) status() ops.Account {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shown
}

// checkAbsence reports once as left that the account has been away for limit, and then as back that
// it has returned.
func (p *presence) checkAbsence(now time.Time, limit time.Duration) (left, back bool, since time.Time, why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	gone := !p.shown.Connected && p.shown.State != stopped
	if !gone || p.away.since.IsZero() {
		p.away.since = now
	}
	told := p.away.told
	p.away.told = gone && (told || now.Sub(p.away.since) >= limit)
	return p.away.told && !told, told && !gone && p.shown.Connected, p.away.since, cmp.Or(p.why, "no answer to the first login yet")
}

// observe handles one step of the account: matches that ended, and the state for status.
func (s *seat) observe(m bot.Observation) {
	if m.Over != nil {
		s.over(m.Over, m.Filed, m.At)
	} else {
		for _, f := range m.Filed {
			s.filedApart(f, m.At)
		}
	}
	s.showMatch(m.Table)
	on := ops.Account{Rating: s.lobby.Me().Rating}
	if sh := m.Table; sh != nil {
		on.Opponent, on.Match = sh.Opponent, accountview.Score(sh)
		if p, ok := sh.Position(); ok {
			on.Board = p.ID()
		}
		if ch := s.chosen.Load(); ch != nil {
			on.Preset = ch.preset.Name
		}
	}
	if m.Event != nil {
		on.LastLine = m.At
	}
	s.presence.plays(on)
	if l := s.link.Load(); l != nil {
		s.h.opt.Metrics.Queue.WithLabelValues(s.label).Set(float64(l.Waiting()))
	}
	if m.Over != nil {
		s.h.changed()
	}
	if n, news := s.memory.countSaved(m.At, m.Over != nil); news {
		s.h.opt.Metrics.Saved.WithLabelValues(s.label).Set(float64(n))
	}
}

// ended records why the account is offline.
func (s *seat) ended(end bot.Ending) {
	s.h.opt.Metrics.Reconnects.WithLabelValues(s.label, string(end.Cause)).Inc()
	s.memory.disconnected(end.Cause, time.Now())
	s.sitter.here = false
	end.Text = cmp.Or(end.Text, string(end.Cause))
	s.shown.Trouble(end.Text, time.Now())
	s.stopWatching(time.Now())
	s.received.clear()
	s.presence.waits(end.Text, end.Wait)
	if s.h.draining.Load() {
		s.presence.end() // no need to reconnect
	}
	s.h.changed()
}

// connected records whether the account is logged in.
func (s *seat) connected(yes bool) {
	s.h.opt.Metrics.Connected(s.label, yes)
	s.presence.connected(yes)
	s.h.changed()
}

// fail records the error that ended the account.
func (s *seat) fail(err error) {
	s.shown.Trouble(err.Error(), time.Now())
	s.presence.fails(err)
}

// status returns what status shows of the account.
func (s *seat) status() ops.Account {
	a := s.presence.status()
	a.Paused, a.Leaving = s.stay.paused.Load(), s.going() && a.State != stopped
	if l := s.link.Load(); l != nil {
		a.Queue = l.Waiting()
	}
	a.LeftAlone, a.Engines = s.leftAlone(time.Now()), s.health()
	return a
}
