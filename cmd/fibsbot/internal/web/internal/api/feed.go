//go:build !js

package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"fibsbot/bot/ops"
)

// botsFresh is how long one view of the bot is served, and how often open pages get a new
// one. A hundred pages cost the bot no more than one.
const botsFresh = time.Second

// Feed serves the status of a running bot to any number of pages, as an answer and as a
// stream of events. It asks the bot at most once a second.
type Feed struct {
	source func(context.Context) (ops.Status, error)
	every  time.Duration
	streams
	listeners listeners

	mu    sync.Mutex    // guards the fields below; not held while the bot is asked
	asked chan struct{} // closed when the pending question is answered, or nil
	at    time.Time
	body  []byte // the answer, as JSON
	err   error
	awake bool // the goroutine of watch runs
}

// NewFeed makes a feed of source until ctx ends, with at most so many streams.
func NewFeed(ctx context.Context, source func(context.Context) (ops.Status, error), most int) *Feed {
	return &Feed{source: source, every: botsFresh, streams: streams{ctx, make(chan struct{}, most)}}
}

// Routes adds the two addresses to mux.
func (f *Feed) Routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /api/v1/bots", f.answer)
	mux.HandleFunc("GET /api/v1/bots/events", f.events)
}

// errUnanswered is the error of a question that panicked.
var errUnanswered = errors.New("the bot did not answer")

// look returns a view that is at most botsFresh old. The first caller who finds it older
// asks the bot; others wait for the same answer until ctx ends.
func (f *Feed) look(ctx context.Context) (body []byte, err error) {
	f.mu.Lock()
	if !f.at.IsZero() && time.Since(f.at) < f.every {
		defer f.mu.Unlock()
		return f.body, f.err
	}
	asked := f.asked
	if asked == nil {
		f.asked = make(chan struct{})
		f.mu.Unlock()
		return f.ask()
	}
	f.mu.Unlock()
	select {
	case <-asked:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.body, f.err
}

// ask asks the bot and keeps the answer for all who wait.
func (f *Feed) ask() (body []byte, err error) {
	err = errUnanswered // if source panics
	defer func() { f.keep(body, err) }()
	// Not a caller's context: others wait for this answer too.
	ctx, cancel := context.WithTimeout(f.ctx, 5*time.Second)
	defer cancel()
	st, err := f.source(ctx)
	if err != nil {
		return nil, err
	}
	return json.Marshal(st)
}

// keep ends a question: the answer becomes the present view, and listeners are notified if
// it differs from the last one.
func (f *Feed) keep(body []byte, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	changed := f.at.IsZero() || !bytes.Equal(body, f.body) || (err == nil) != (f.err == nil)
	f.at, f.body, f.err = time.Now(), body, err
	close(f.asked)
	f.asked = nil
	if changed {
		f.listeners.notify()
	}
}

// problem is the answer if no view is available.
func (f *Feed) problem(err error) *Problem {
	if errors.Is(err, context.Canceled) {
		return errBusy
	}
	return &Problem{Status: http.StatusNotFound, Text: err.Error()}
}

func (f *Feed) answer(w http.ResponseWriter, r *http.Request) {
	body, err := f.look(r.Context())
	if err != nil {
		fail(w, f.problem(err))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(append(body[:len(body):len(body)], '\n'))
}

// join adds a listener and starts watch if it does not run.
func (f *Feed) join() (changed chan struct{}, leave func()) {
	changed, leave = f.listeners.join()
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.awake {
		f.awake = true
		go f.watch()
	}
	return changed, leave
}

// watch asks for the view every second while there are listeners.
func (f *Feed) watch() {
	tick := time.NewTicker(f.every)
	defer tick.Stop()
	for {
		_, _ = f.look(f.ctx) // listeners get the error
		select {
		case <-tick.C:
		case <-f.ctx.Done():
		}
		f.mu.Lock()
		if f.listeners.none() || f.ctx.Err() != nil {
			f.awake = false
			f.mu.Unlock()
			return
		}
		f.mu.Unlock()
	}
}

// events streams the view: "bots" at each change, "gone" while no bot answers.
func (f *Feed) events(w http.ResponseWriter, r *http.Request) {
	_, _ = f.look(r.Context()) // the first event has it
	if f.ctx.Err() != nil {
		fail(w, errBusy)
		return
	}
	f.send(w, r, f.join, func() (event string, data any, last bool) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.err != nil {
			return "gone", f.problem(f.err), false
		}
		return "bots", json.RawMessage(f.body), false
	})
}
