package host

import (
	"cmp"
	"fmt"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/ops"
	"fibsbot/bot/sheet"
)

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
	var on *playing
	if sh := m.Table; sh != nil {
		on = &playing{opponent: sh.Opponent, match: matchWords(sh)}
		if p, ok := sh.Position(); ok {
			on.board = p.ID()
		}
		if ch := s.chosen.Load(); ch != nil {
			on.preset = ch.preset.Name
		}
	}
	var line time.Time
	if m.Event != nil {
		line = m.At
	}
	s.presence.plays(on, s.lobby.Me().Rating, line)
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

// matchWords returns the score as status shows it.
func matchWords(sh *sheet.Sheet) string {
	if sh.Length <= 0 {
		return fmt.Sprintf("%d-%d, unlimited", sh.Score[sheet.Us], sh.Score[sheet.Them])
	}
	return fmt.Sprintf("%d-%d in %d points", sh.Score[sheet.Us], sh.Score[sheet.Them], sh.Length)
}

// ended records why the account is offline.
func (s *seat) ended(end bot.Ending) {
	s.h.opt.Metrics.Reconnects.WithLabelValues(s.label, string(end.Cause)).Inc()
	s.sitter.here = false
	end.Text = cmp.Or(end.Text, string(end.Cause))
	s.shown.Trouble(end.Text, time.Now())
	s.stopWatching(time.Now())
	s.inviter.offline()
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
	a.LeftAlone = s.leftAlone(time.Now())
	return a
}
