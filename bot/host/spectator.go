package host

import (
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/watch"
	"fibsbot/config"
)

// spectator watches others while there is nothing else to do. Its zero value watches
// nobody; opens makes a Watcher when there is cause for one.
type spectator struct {
	watcher *watch.Watcher // nil unless watching is on
	config  *config.Config // the configuration that the watcher has
	at      time.Time      // when it wants a step
	paused  bool
}

// step watches, as the keys under watch say, while free; a match of our own ends it,
// and it goes on after that. ev is a line of the server or nil. opens makes a Watcher
// and judges a Judge by a configuration; both may return nil. wake is when to call
// again though nothing happens.
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

// close ends the watching of this connection; the error tells that a match is not kept.
func (w *spectator) close(now time.Time) error {
	if w.watcher == nil {
		return nil
	}
	err := w.watcher.Close(now)
	w.watcher, w.paused = nil, false
	return err
}
