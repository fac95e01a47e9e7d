package host

import (
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/protocol"
	"fibsbot/bot/strength"
	"fibsbot/bot/table"
	"fibsbot/bot/watch"
	"fibsbot/config"
)

// spectate watches other matches while idle, according to the keys under watch.
func (s *seat) spectate(t *table.Table, due *table.Due, ev *protocol.Event, now time.Time) {
	if s.h.opt.DryRun {
		return
	}
	send, wake, err := s.spectator.step(s.h.opt.Config(), t.Free() && !s.going(), ev, now, s.watcher, s.judgeOf)
	due.Send = append(due.Send, send...)
	s.alarm.set(wake)
	s.notKept(err)
}

// watcher makes the Watcher of a spectator, or returns nil if that is impossible.
func (s *seat) watcher(c *config.Config) *watch.Watcher {
	j := s.judgeOf(c)
	if j == nil {
		return nil
	}
	return watch.New(watch.Options{
		Me: s.name, Server: s.server, Protocol: s.proto, Lobby: s.lobby, Config: c.Watch, Dir: watch.Dir(c.Archive.Dir),
		Judge: j, Report: s.watchReport, OptOuts: s.optOuts(), Ready: s.judgements,
	})
}

// judgeOf returns the judge for watched matches.
func (s *seat) judgeOf(c *config.Config) *watch.Judge {
	p, err := strength.Preset(c, c.Watch.Preset)
	if err != nil {
		return nil // config check reports it
	}
	return watch.NewJudge(s.h.opt.Engine, p)
}

// judgements makes the account fetch the judge's results; the judge's goroutine calls it.
func (s *seat) judgements() {
	s.order(func(_ *table.Table, now time.Time) table.Due {
		s.spectator.at = now
		return table.Due{}
	})
}

// watchReport logs what was seen.
func (s *seat) watchReport(r watch.Report) {
	switch r.Topic {
	case watch.Watching, watch.Began, watch.MatchEnd, watch.BrokenOff, watch.Note:
		s.log.WithFields(logrus.Fields{"topic": string(r.Topic), "text": r.Text, "files": r.Files}).Info("watching")
	}
}

// stopWatching ends watching on this connection.
func (s *seat) stopWatching(now time.Time) { s.notKept(s.spectator.close(now)) }

func (s *seat) notKept(err error) {
	if err != nil {
		s.log.WithError(err).Error("watched match not kept")
	}
}
