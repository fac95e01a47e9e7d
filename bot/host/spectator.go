package host

import (
	"time"

	"fibsbot/bot/protocol"
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
