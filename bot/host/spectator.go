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

// spectator watches other matches while the account is idle. The zero value is ready to use.
type spectator struct {
	watcher *watch.Watcher // nil unless watching is on
	config  *config.Config // the configuration that the watcher has
	at      time.Time      // when it wants a step
	paused  bool
}

// step watches while free, according to the keys under watch; a match of our own pauses it.
// ev is a line of the server or nil. opens makes a Watcher and judges a Judge for a
// configuration; both may return nil. wake is when to call again if nothing happens.
func (w *spectator) step(c *config.Config, free bool, ev *protocol.Event, now time.Time,
	opens func(*config.Config) *watch.Watcher, judges func(*config.Config) *watch.Judge) (send []protocol.Command, wake time.Time, err error) {
	if w.watcher == nil {
		if !c.Watch.Enabled || !free {
			return nil, wake, nil
		}
		if w.watcher = opens(c); w.watcher == nil {
			return nil, wake, nil
		}
		w.config, w.at = c, now
	}
	switch {
	case !c.Watch.Enabled:
		send = w.watcher.Pause(now)
		return send, wake, w.close(now)
	case !free && !w.paused:
		w.paused = true
		send = w.watcher.Pause(now)
	case free && w.paused:
		w.paused = false
		w.watcher.Resume(now)
		w.at = now
	}
	if w.config != c {
		w.config = c
		w.watcher.Configure(c.Watch)
		if j := judges(c); j != nil {
			w.watcher.SetJudge(j)
		}
	}
	if ev != nil {
		send = append(send, w.watcher.Event(*ev, now)...)
	}
	if !now.Before(w.at) {
		send = append(send, w.watcher.Step(now)...)
		w.at = w.watcher.Wake(now)
	}
	return send, w.at, nil
}

// close ends watching on this connection. An error means that a match was not saved.
func (w *spectator) close(now time.Time) error {
	if w.watcher == nil {
		return nil
	}
	err := w.watcher.Close(now)
	w.watcher, w.paused = nil, false
	return err
}

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
	return watch.NewJudge(s.h.opt.Engine, p, c.Catalogue())
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
