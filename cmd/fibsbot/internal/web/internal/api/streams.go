package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"fibsbot/internal/http"
)

// listeners are told of changes. Each is told at least once after a change, and at first.
type listeners struct {
	mu   sync.Mutex
	each map[chan struct{}]bool
}

// join adds a listener until it leaves.
func (l *listeners) join() (changed chan struct{}, leave func()) {
	changed = make(chan struct{}, 1)
	changed <- struct{}{}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.each == nil {
		l.each = map[chan struct{}]bool{}
	}
	l.each[changed] = true
	return changed, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.each, changed)
	}
}

// none reports whether nobody listens.
func (l *listeners) none() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.each) == 0
}

// notify tells all listeners of a change.
func (l *listeners) notify() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for changed := range l.each {
		select {
		case changed <- struct{}{}:
		default: // already told
		}
	}
}

// streams sends server-sent events until ctx ends, to as many clients as there are slots.
type streams struct {
	ctx   context.Context
	slots chan struct{}
}

// send sends what next returns at first and after each change, until next says that it is the
// last or the client leaves. The server's time limits do not apply to a stream; write has its own.
func (s streams) send(w http.ResponseWriter, r *http.Request, join func() (chan struct{}, func()), next func() (event string, data any, last bool)) {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	default:
		fail(w, errBusy)
		return
	}
	changed, leave := join()
	defer leave()
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // recorders of tests have none
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case <-changed:
			event, data, last := next()
			text, err := json.Marshal(data)
			if err != nil || write(w, fmt.Sprintf("event: %s\ndata: %s\n\n", event, text)) != nil || last {
				return
			}
		case <-beat.C:
			if write(w, ": still here\n\n") != nil {
				return
			}
		case <-r.Context().Done():
			return
		case <-s.ctx.Done():
			return
		}
	}
}

// write sends one event to a stream and fails for a client that is too slow.
func write(w http.ResponseWriter, text string) error {
	rc := http.NewResponseController(w)
	if err := rc.SetWriteDeadline(time.Now().Add(slowClient)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	return rc.Flush()
}
