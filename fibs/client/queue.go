package client

import (
	"slices"
	"time"

	"golang.org/x/time/rate"

	"fibsbot/fibs/clip"
)

// maxQueue bounds the commands of one class that wait. A bot has one game
// command outstanding and a handful of others; more waiting means that
// something repeats itself.
const maxQueue = 64

// waiting is a queued command.
type waiting struct {
	line  string
	class clip.Class
	// valid is asked right before sending; false throws the command away.
	valid func() bool
	bye   bool // of the logout
}

// queue holds commands until their time has come. It is not safe for
// concurrent use.
type queue struct {
	pace    Pace
	byClass [3][]waiting  // game, lobby, chat
	last    time.Time     // when the last line went out
	bucket  *rate.Limiter // of Pace.Burst lines; nil for no bound
}

// newQueue returns a queue whose bucket is full.
func newQueue(p Pace) queue {
	q := queue{pace: p}
	if p.Burst > 0 {
		q.bucket = rate.NewLimiter(rate.Every(p.Every), p.Burst)
	}
	return q
}

// add puts a command at the end of its class. It reports false when there is
// no room.
func (q *queue) add(w waiting) bool {
	if len(q.byClass[w.class]) >= maxQueue {
		return false
	}
	q.byClass[w.class] = append(q.byClass[w.class], w)
	return true
}

// onlyBye drops all but the logout.
func (q *queue) onlyBye() {
	for i := range q.byClass {
		q.byClass[i] = slices.DeleteFunc(q.byClass[i], func(w waiting) bool { return !w.bye })
	}
}

// len is the number of commands that wait.
func (q *queue) len() int {
	return len(q.byClass[0]) + len(q.byClass[1]) + len(q.byClass[2])
}

// next removes and returns the command whose turn it is, or how long to wait for it. Both
// are zero if nothing waits.
func (q *queue) next(now time.Time) (w waiting, wait time.Duration, ok bool) {
	for at := range q.byClass {
		if len(q.byClass[at]) == 0 {
			continue
		}
		if wait = q.waitFor(now, clip.Class(at)); wait > 0 {
			return waiting{}, wait, false
		}
		w = q.byClass[at][0]
		q.byClass[at] = q.byClass[at][1:]
		return w, 0, true
	}
	return waiting{}, 0, false
}

// waitFor is how long a line of this class has to wait.
func (q *queue) waitFor(now time.Time, class clip.Class) time.Duration {
	gap := q.pace.Gap
	if class == clip.ClassChat {
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

// sent notes that a line went out.
func (q *queue) sent(now time.Time) {
	q.last = now
	if q.bucket != nil {
		q.bucket.ReserveN(now, 1)
	}
}
