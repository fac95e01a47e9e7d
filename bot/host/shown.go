package host

import (
	"fmt"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/ops"
	"fibsbot/bot/sheet"
)

// observe sees what was done: matches that ended, and the state for status.
func (s *seat) observe(m bot.Observation) {
	if m.Over != nil {
		s.over(m.Over, m.Filed, m.At)
	}
	s.sits(m.Table)
	s.mu.Lock()
	if m.Event != nil {
		s.snap.LastLine = m.At
	}
	if s.snap.Connected {
		s.snap.State = "ready"
	}
	s.snap.Opponent, s.snap.Match, s.snap.Board, s.snap.Preset = "", "", "", ""
	if m.Table != nil {
		s.snap.State, s.snap.Opponent = "playing", m.Table.Opponent
		s.snap.Match = matchWords(m.Table)
		if p, ok := m.Table.Position(); ok {
			s.snap.Board = p.ID()
		}
		if ch := s.chosen.Load(); ch != nil {
			s.snap.Preset = ch.preset.Name
		}
	}
	s.snap.Rating = s.lobby.Me().Rating
	s.mu.Unlock()
	if l := s.link.Load(); l != nil {
		s.h.opt.Metrics.Queue(s.label, l.Waiting())
	}
	if m.Over != nil {
		s.h.changed()
	}
	if now := m.At; now.Sub(s.countedAt) >= time.Minute || m.Over != nil {
		s.countedAt = now
		s.h.opt.Metrics.Saved(s.label, len(s.memory.saved()))
	}
}

// matchWords is the score as status shows it.
func matchWords(sh *sheet.Sheet) string {
	if sh.Length <= 0 {
		return fmt.Sprintf("%d-%d, unlimited", sh.Score[sheet.Us], sh.Score[sheet.Them])
	}
	return fmt.Sprintf("%d-%d in %d points", sh.Score[sheet.Us], sh.Score[sheet.Them], sh.Length)
}

// ended notes why the account is off line.
func (s *seat) ended(end bot.Ending) {
	s.h.opt.Metrics.Reconnect(s.label, string(end.Cause))
	s.sitter.here = false
	s.desk.Trouble(end.Text, time.Now())
	s.stopWatching(time.Now())
	s.inviter.offline()
	s.mu.Lock()
	s.snap.State, s.snap.Connected = "waiting", false
	s.snap.Waiting = fmt.Sprintf("%s; next try at %s", end.Text, time.Now().Add(end.Wait).Format("15:04:05"))
	cancel, drain := s.cancel, s.h.draining.Load()
	s.mu.Unlock()
	if drain && cancel != nil {
		cancel() // nothing to come back for
	}
	s.h.changed()
}

// connected notes whether the account is logged in.
func (s *seat) connected(yes bool) {
	s.h.opt.Metrics.Connected(s.label, yes)
	s.mu.Lock()
	if s.snap.Connected && !yes {
		s.lastIn = time.Now()
	}
	s.snap.Connected = yes
	if yes {
		s.snap.State, s.snap.Waiting = "ready", ""
	}
	s.mu.Unlock()
	s.h.changed()
}

func (s *seat) state(state, waiting string) {
	s.mu.Lock()
	if s.snap.State != "stopped" || s.snap.Error == "" {
		s.snap.State, s.snap.Waiting = state, waiting
	}
	s.mu.Unlock()
}

// fail notes the error that ended the account.
func (s *seat) fail(err error) {
	s.desk.Trouble(err.Error(), time.Now())
	s.mu.Lock()
	s.snap.State, s.snap.Error = "stopped", err.Error()
	s.mu.Unlock()
}

func (s *seat) status() ops.Account {
	s.mu.Lock()
	a := s.snap
	s.mu.Unlock()
	if l := s.link.Load(); l != nil {
		a.Queue = l.Waiting()
	}
	return a
}
