package watch

import (
	"context"
	"slices"
	"sync"

	"fibsbot/internal/panics"
)

// judgeQueue is the queue between an observer and the judge: watching never waits for the
// engine. When the engine falls behind, the oldest decision is dropped.
type judgeQueue struct {
	limit int

	mu      sync.Mutex
	judge   *Judge
	waiting []News // other news than decisions must not overtake them
	done    []finished
	skipped int
	wake    chan struct{} // the worker has something to do
	ready   chan struct{} // take has something to return
	told    func()        // also called then, unless nil
	cancel  context.CancelFunc
	work    sync.WaitGroup
}

// finished is news that the judge has processed; judgement is set for decisions.
type finished struct {
	news      News
	judgement *Judgement
	skipped   int // decisions dropped before this one
}

func newJudgeQueue(j *Judge, limit int, told func()) *judgeQueue {
	ctx, cancel := context.WithCancel(context.Background())
	q := &judgeQueue{limit: limit, judge: j, cancel: cancel, wake: make(chan struct{}, 1), ready: make(chan struct{}, 1), told: told}
	q.work.Add(1)
	go func() {
		defer q.work.Done()
		q.run(ctx)
	}()
	return q
}

// add puts news at the end of the queue.
func (q *judgeQueue) add(n News) {
	q.mu.Lock()
	if len(q.waiting) >= q.limit {
		// Other news keep files and counts right and take no time of the judge: they may
		// exceed the limit.
		if at := slices.IndexFunc(q.waiting, func(n News) bool { return n.Kind == Decided }); at >= 0 {
			q.skipped++
			q.waiting = slices.Delete(q.waiting, at, at+1)
		}
	}
	q.waiting = append(q.waiting, n)
	q.mu.Unlock()
	poke(q.wake)
}

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// take returns what was finished since the last call.
func (q *judgeQueue) take() []finished {
	q.mu.Lock()
	defer q.mu.Unlock()
	out := q.done
	q.done = nil
	return out
}

// setJudge changes the judge of all waiting decisions.
func (q *judgeQueue) setJudge(j *Judge) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.judge = j
}

// next removes and returns the oldest news, with the number of decisions dropped before it
// and its judge; the judge is nil if the queue is empty.
func (q *judgeQueue) next() (n News, skipped int, by *Judge) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return n, 0, nil
	}
	n, skipped = q.waiting[0], q.skipped
	q.waiting, q.skipped = q.waiting[1:], 0
	return n, skipped, q.judge
}

func (q *judgeQueue) run(ctx context.Context) {
	for {
		n, skipped, judge := q.next()
		if judge == nil {
			select {
			case <-ctx.Done():
				return
			case <-q.wake:
			}
			continue
		}
		f := finished{news: n, skipped: skipped}
		if n.Kind == Decided {
			v, err := judged(ctx, judge, n.Decision)
			if ctx.Err() != nil {
				return
			}
			if err == nil {
				f.judgement = &v
			}
		}
		q.mu.Lock()
		q.done = append(q.done, f)
		q.mu.Unlock()
		poke(q.ready)
		if q.told != nil {
			q.told()
		}
	}
}

// judged calls Judge and turns a panic into an error.
func judged(ctx context.Context, j *Judge, d Act) (v Judgement, err error) {
	defer panics.Recover(&err)
	return j.Judge(ctx, d)
}

// close stops the judge at once and returns the rest: finished news, and waiting news without
// a judgement.
func (q *judgeQueue) close() []finished {
	q.cancel()
	q.work.Wait()
	q.mu.Lock()
	defer q.mu.Unlock()
	out := q.done
	q.done = nil
	for _, n := range q.waiting {
		out = append(out, finished{news: n})
	}
	q.waiting = nil
	return out
}
