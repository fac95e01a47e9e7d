package notify

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/config"
	"fibsbot/internal/atomicfile"
)

// Bounds of the outbox.
const (
	// maxWaiting is how many events wait at most; the oldest are dropped first.
	maxWaiting = 500
	// maxFile bounds the file when it is read.
	maxFile = 4 << 20
	// maxAge is how long an event is tried.
	maxAge = 24 * time.Hour
	// maxTries is how often, whatever the clock says: the tries of two days.
	maxTries = 200
	// The waits between two tries.
	firstWait, longestWait = 5 * time.Second, 15 * time.Minute
)

// letter is an event on its way.
type letter struct {
	Event   Event     `json:"event"`
	Command bool      `json:"command,omitempty"` // still to be given to the command
	Webhook bool      `json:"webhook,omitempty"` // still to be sent
	Tries   int       `json:"tries,omitempty"`
	Next    time.Time `json:"next,omitzero"`
}

// Outbox holds the events that are not delivered yet. Its methods may be called by
// any goroutine; a nil Outbox takes nothing.
type Outbox struct {
	file   string
	config func() *config.Notify
	log    logrus.FieldLogger
	count  func(outcome string) // delivered, failed, omitted, dropped; for metrics
	wake   chan struct{}

	mu      sync.Mutex
	letters []letter
	dirty   bool
	seen    map[string][]time.Time // by kind, in the last hour
	omitted map[string]int

	// Of Run's goroutine:
	trouble string               // the failure logged last
	held    map[string]time.Time // ways that are out of order, and until when no event goes by them
}

// longestHold is how long a way that is out of order is left alone at most. It is shorter than
// the longest wait of an event, so that one at which a receiver hangs each time holds no other
// up for ever.
const longestHold = time.Minute

// File is the name of the outbox below an archive's folder.
func File(archive string) string { return filepath.Join(archive, "state", "notify.json") }

// Open reads what an earlier process left in file. config returns the settings in force, nil
// for no notifications. log receives failures and count the outcome of events; both may be
// nil.
func Open(file string, config func() *config.Notify, log logrus.FieldLogger, count func(outcome string)) *Outbox {
	if config == nil {
		config = nobody
	}
	if log == nil {
		silent := logrus.New()
		silent.SetOutput(io.Discard)
		log = silent
	}
	o := &Outbox{file: file, config: config, log: log, count: count, wake: make(chan struct{}, 1),
		seen: map[string][]time.Time{}, omitted: map[string]int{}, held: map[string]time.Time{}}
	if o.count == nil {
		o.count = func(string) {}
	}
	if err := atomicfile.ReadJSON(file, maxFile, &o.letters); err != nil && !errors.Is(err, os.ErrNotExist) {
		o.letters = nil
		o.log.WithError(err).Warn("notifications of the last run not read")
	}
	if len(o.letters) > maxWaiting {
		o.letters = o.letters[len(o.letters)-maxWaiting:]
	}
	return o
}

func nobody() *config.Notify { return &config.Notify{} }

// Add takes an event, if the configuration wants its kind. It does not wait.
func (o *Outbox) Add(e Event) {
	if o == nil {
		return
	}
	n := o.config()
	if n.Command == "" && n.Webhook == "" || len(n.Events) > 0 && !slices.Contains(n.Events, e.Kind) {
		return
	}
	if e.At.IsZero() {
		e.At = time.Now()
	}
	e.At = e.At.UTC()
	e.ID = newID()
	omitted, dropped := o.put(e, n)
	if omitted == 1 {
		o.log.WithField("event", e.Kind).Warn("notify.per_hour, or the limit of this kind, reached; further ones are counted")
	}
	switch {
	case omitted > 0:
		o.count("omitted")
		return
	case dropped:
		o.count("dropped")
	}
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// put adds an event to those that wait, for which an older one may be dropped. Above the
// limit of its kind it is left out instead, as the first, second or later one since the
// last that was not.
func (o *Outbox) put(e Event, n *config.Notify) (omitted int, dropped bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	recent := slices.DeleteFunc(o.seen[e.Kind], func(t time.Time) bool { return e.At.Sub(t) >= time.Hour })
	if limit := n.Limit(e.Kind); limit > 0 && len(recent) >= limit {
		o.seen[e.Kind] = recent
		o.omitted[e.Kind]++
		return o.omitted[e.Kind], false
	}
	o.seen[e.Kind] = append(recent, e.At)
	e.Omitted, o.omitted[e.Kind] = o.omitted[e.Kind], 0
	o.letters = append(o.letters, letter{Event: e, Command: n.Command != "", Webhook: n.Webhook != ""})
	if over := len(o.letters) - maxWaiting; over > 0 {
		o.letters = slices.Delete(o.letters, 0, over)
		dropped = true
	}
	o.dirty = true
	return 0, dropped
}

// Waiting returns the number of events that are not delivered yet.
func (o *Outbox) Waiting() int {
	if o == nil {
		return 0
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.letters)
}

// lastLimit bounds the deliveries after the end; a variable for tests.
var lastLimit = 5 * time.Second

// Run delivers events until ctx ends. The delivery at work is then finished and the rest tried
// once more, as the process may end for the very reason that is to be told and have no next
// start. After lastLimit it gives up; what is left is kept for the next process.
func (o *Outbox) Run(ctx context.Context) {
	sending, cut := outlasting(ctx, lastLimit)
	defer cut()
	for {
		last := ctx.Err() != nil
		o.save()
		wait := o.deliver(sending, time.Now())
		o.save()
		if last {
			return
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-o.wake:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// outlasting returns a context that ends that much later than ctx.
func outlasting(ctx context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		timer := time.NewTimer(by)
		defer timer.Stop()
		select {
		case <-timer.C:
			cancel()
		case <-longer.Done():
		}
	})
	return longer, func() { stop(); cancel() }
}

// deliver tries every event whose time has come, the oldest first, and returns when
// the next one is due.
func (o *Outbox) deliver(ctx context.Context, now time.Time) time.Duration {
	wait := time.Minute
	n := o.config()
	hours, err := config.ParseHours(n.Quiet)
	quiet := err == nil && n.Quiet != "" && hours.Open(now)
	o.mu.Lock()
	list := slices.Clone(o.letters)
	o.mu.Unlock()
	for i := range list {
		l := &list[i]
		if ctx.Err() != nil {
			return wait
		}
		if quiet && !slices.Contains(n.Urgent, l.Event.Kind) {
			continue // sent when the quiet hours are over
		}
		if d := l.Next.Sub(now); d > 0 && d <= longestWait { // a longer wait means that the clock was set back
			wait = min(wait, d)
			continue
		}
		var err error
		held := o.try(ctx, n, l, now, &err)
		if ctx.Err() != nil {
			return wait
		}
		switch {
		case !l.Command && !l.Webhook:
			o.replace(l, true)
		case (err != nil || l.Tries > 0) && (now.Sub(l.Event.At) > maxAge || l.Tries >= maxTries):
			o.log.WithFields(logrus.Fields{"event": l.Event.Kind, "at": l.Event.At}).Error("notification dropped: not delivered for a day")
			o.count("dropped")
			o.replace(l, true)
		case err == nil:
			wait = min(wait, held) // of another event we know that this way is out of order
			o.replace(l, false)
		default:
			pause := min(firstWait<<min(l.Tries, 10), longestWait)
			l.Tries++
			l.Next = now.Add(pause)
			wait = min(wait, pause)
			o.replace(l, false)
		}
	}
	return wait
}

// try delivers an event by the ways that are still to be gone, and puts into failed what went
// wrong. A way that is out of order is not gone: held is how long none of those that were left
// out is tried.
func (o *Outbox) try(ctx context.Context, n *config.Notify, l *letter, now time.Time, failed *error) (held time.Duration) {
	held = longestHold
	by := func(way string, left *bool, tell func() error) {
		if !*left || way == "" {
			*left = false
			return
		}
		if d := o.held[way].Sub(now); d > 0 && d <= longestHold { // a longer one is of a clock that has been set back since
			held = min(held, d)
			return
		}
		err := tell()
		if *left = err != nil; !*left {
			delete(o.held, way)
			return
		}
		if errors.Is(err, errOutOfOrder) {
			o.held[way] = now.Add(min(firstWait<<min(l.Tries, 10), longestHold))
		}
		*failed = errors.Join(*failed, err)
	}
	by(n.Command, &l.Command, func() error { return runCommand(ctx, n.Command, &l.Event) })
	by(n.Webhook.Reveal(), &l.Webhook, func() error { return post(ctx, n, &l.Event, time.Now()) })
	switch {
	case ctx.Err() != nil:
	case *failed != nil:
		o.count("failed")
		if text := (*failed).Error(); text != o.trouble {
			o.trouble = text
			o.log.WithError(*failed).WithField("event", l.Event.Kind).Warn("notification not delivered: trying again")
		}
	case !l.Command && !l.Webhook:
		o.trouble = ""
		o.count("delivered")
	}
	return held
}

// replace puts what became of an event in its place, or takes it out.
func (o *Outbox) replace(l *letter, done bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	i := slices.IndexFunc(o.letters, func(x letter) bool { return x.Event.ID == l.Event.ID })
	if i < 0 {
		return
	}
	o.dirty = true
	if done {
		o.letters = slices.Delete(o.letters, i, i+1)
		return
	}
	o.letters[i] = *l
}

// save writes the outbox if it has changed. A full disk is reported elsewhere.
func (o *Outbox) save() {
	o.mu.Lock()
	if !o.dirty {
		o.mu.Unlock()
		return
	}
	o.dirty = false
	letters := slices.Clone(o.letters)
	o.mu.Unlock()
	if err := atomicfile.WriteJSON(o.file, letters); err != nil {
		o.mu.Lock()
		o.dirty = true
		o.mu.Unlock()
	}
}

func newID() string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
