package host

import (
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/protocol"
	"fibsbot/bot/strength"
	"fibsbot/bot/table"
	"fibsbot/bot/watch"
)

// spectate watches others while there is nothing else to do, as the keys under
// watch say. A match of our own ends it; it goes on after that.
func (s *seat) spectate(t *table.Table, due *table.Due, ev *protocol.Event, now time.Time) {
	c := s.h.opt.Config()
	free := t.Free() && !s.going()
	if s.watcher == nil {
		if !c.Watch.Enabled || !free || s.h.opt.DryRun {
			return
		}
		p, err := strength.Preset(c, c.Watch.Preset)
		if err != nil {
			return // said by config check
		}
		s.watched = c
		s.watcher = watch.New(watch.Options{
			Me: s.name, Server: s.server, Protocol: s.proto, Lobby: s.lobby, Config: c.Watch, Dir: watch.Dir(c.Archive.Dir),
			Judge: watch.NewJudge(s.h.opt.Engine, p), Report: s.watchReport, Quiet: s.quiet, Ready: s.verdicts,
		})
		s.watchAt = now
	}
	switch {
	case !c.Watch.Enabled:
		due.Send = append(due.Send, s.watcher.Pause(now)...)
		s.stopWatching(now)
		return
	case !free:
		if !s.watchPaused {
			s.watchPaused = true
			due.Send = append(due.Send, s.watcher.Pause(now)...)
		}
	case s.watchPaused:
		s.watchPaused = false
		s.watcher.Resume(now)
		s.watchAt = now
	}
	if s.watched != c {
		s.watched = c
		s.watcher.Configure(c.Watch)
		if p, err := strength.Preset(c, c.Watch.Preset); err == nil {
			s.watcher.Appoint(watch.NewJudge(s.h.opt.Engine, p))
		}
	}
	if ev != nil {
		due.Send = append(due.Send, s.watcher.Event(*ev, now)...)
	}
	if !now.Before(s.watchAt) {
		due.Send = append(due.Send, s.watcher.Step(now)...)
		s.watchAt = s.watcher.Wake(now)
	}
	s.wake(s.watchAt)
}

// verdicts has those of the judge fetched; it is called by the judge's goroutine.
func (s *seat) verdicts() {
	s.order(func(_ *table.Table, now time.Time) table.Due {
		s.watchAt = now
		return table.Due{}
	})
}

// watchReport puts what was seen in the log.
func (s *seat) watchReport(r watch.Report) {
	switch r.Topic {
	case watch.Watching, watch.Began, watch.MatchEnd, watch.BrokenOff, watch.Note:
		s.log.WithFields(logrus.Fields{"topic": string(r.Topic), "text": r.Text, "files": r.Files}).Info("watching")
	}
}

// stopWatching ends the watching of this connection.
func (s *seat) stopWatching(now time.Time) {
	if s.watcher == nil {
		return
	}
	if err := s.watcher.Close(now); err != nil {
		s.log.WithError(err).Error("watched match not kept")
	}
	s.watcher, s.watchPaused = nil, false
}
