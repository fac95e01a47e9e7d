// Package sendqueue holds the lines that a client wants to send until their time has come, and keeps
// its connection alive in between. Both protocols send their lines through it.
package sendqueue

import (
	"math"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Pace says how fast lines may go out. Servers lose commands that follow
// each other too closely.
type Pace struct {
	// Gap is the shortest time between two lines; default 150 ms, negative for
	// none.
	Gap time.Duration
	// ChatGap is the shortest time between a line and the chat line after it;
	// default 1.5 s, negative for none.
	ChatGap time.Duration
	// Burst is how many lines may go out at once after a quiet time, whatever they
	// are, and Every the time in which one more may follow (a token bucket that
	// begins full): within any time t at most Burst + t/Every. The defaults are 40
	// and 250 ms. A negative Burst means no bound.
	Burst int
	Every time.Duration
}

// Chat is the last class of items.
const Chat = 2

// most bounds the items of one class that wait. A bot has one game
// command outstanding and a handful of others; more waiting means that
// something repeats itself.
const most = 64

// Item is a line that waits.
type Item struct {
	Line  string
	Shown string // the line in transcripts, if another
	// Class is 0 to Chat. Items of a class go before those of higher ones.
	Class int
	// Valid is asked right before sending; false throws the item away. It may be nil.
	Valid func() bool
	Bye   bool // of the logout
}

// Queue holds items. Its methods may be called by any goroutine.
type Queue struct {
	pace          Pace
	wake, drained chan struct{}

	mu     sync.Mutex
	items  [Chat + 1][]Item
	last   time.Time     // when the last line went out
	bucket *rate.Limiter // of Pace.Burst lines; nil for no bound
}

// New returns a queue whose bucket is full.
func New(p Pace) *Queue {
	q := &Queue{pace: p, wake: make(chan struct{}, 1), drained: make(chan struct{}, 1)}
	if p.Burst > 0 {
		q.bucket = rate.NewLimiter(rate.Every(p.Every), p.Burst)
	}
	return q
}

// Add puts an item at the end of its class. It reports false if there is no room.
func (q *Queue) Add(item Item) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items[item.Class]) >= most {
		return false
	}
	q.items[item.Class] = append(q.items[item.Class], item)
	signal(q.wake)
	return true
}

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// OnlyBye drops all items but those of the logout.
func (q *Queue) OnlyBye() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range q.items {
		q.items[i] = slices.DeleteFunc(q.items[i], func(item Item) bool { return !item.Bye })
	}
}

// Len returns the number of items.
func (q *Queue) Len() (n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, list := range q.items {
		n += len(list)
	}
	return n
}

// Drained gets a value, if there is room for one, when Serve has sent or dropped the last item.
func (q *Queue) Drained() <-chan struct{} { return q.drained }

// Next removes and returns the item whose turn it is, or how long to wait for it. Both
// are zero if nothing waits.
func (q *Queue) Next(now time.Time) (item Item, wait time.Duration, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for class, list := range q.items {
		if len(list) == 0 {
			continue
		}
		if wait = q.waitFor(now, class); wait > 0 {
			return Item{}, wait, false
		}
		q.items[class] = list[1:]
		return list[0], 0, true
	}
	return Item{}, 0, false
}

// Wait returns how long a line of a class has to wait.
func (q *Queue) Wait(now time.Time, class int) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waitFor(now, class)
}

func (q *Queue) waitFor(now time.Time, class int) time.Duration {
	gap := q.pace.Gap
	if class == Chat {
		gap = q.pace.ChatGap
	}
	var wait time.Duration
	if !q.last.IsZero() {
		wait = q.last.Add(gap).Sub(now)
	}
	if q.bucket != nil {
		// Lines that are sent without a turn, as those of the login, may leave a debt.
		missing := 1 - q.bucket.TokensAt(now)
		// Rounded up: half a microsecond too early is too early.
		debt := time.Duration(missing * float64(q.pace.Every))
		wait = max(wait, (debt + time.Microsecond - 1).Truncate(time.Microsecond))
	}
	return max(wait, 0)
}

// Sent notes that a line went out.
func (q *Queue) Sent(now time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.last = now
	if q.bucket != nil {
		q.bucket.ReserveN(now, 1)
	}
}

// Serve sends items at their time, and alive when no line went out for keepalive (0 or less: never).
// It ends when over or quit is closed, which it tells apart, or send fails. send calls Sent.
func (q *Queue) Serve(send func(Item) error, alive Item, keepalive time.Duration, over, quit <-chan struct{}) (left bool, err error) {
	if keepalive <= 0 {
		keepalive = never
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		wait, err := q.sendDue(send)
		idle := q.idle()
		if err == nil && idle >= keepalive {
			idle, err = 0, send(alive)
		}
		if err != nil {
			return false, err
		}
		timer.Reset(min(wait, keepalive-idle))
		select {
		case <-over:
			return false, nil
		case <-quit:
			return true, nil
		case <-q.wake:
		case <-timer.C:
		}
	}
}

const never = time.Duration(math.MaxInt64)

// sendDue sends what may go out now and returns how long the next item has to wait.
func (q *Queue) sendDue(send func(Item) error) (time.Duration, error) {
	for {
		item, wait, ok := q.Next(time.Now())
		switch {
		case wait > 0:
			return wait, nil
		case !ok:
			return never, nil
		}
		// If the state that it was decided for has gone, the next one may go.
		if item.Valid == nil || item.Valid() {
			if err := send(item); err != nil {
				return 0, err
			}
		}
		if q.Len() == 0 {
			signal(q.drained)
		}
	}
}

// idle returns the time since the last line.
func (q *Queue) idle() time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return time.Since(q.last)
}
