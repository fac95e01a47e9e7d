package watch

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// bench is the queue between an observer and the judge: what is watched never
// waits for the engine. When the engine falls behind, the oldest decision is
// given up.
type bench struct {
	limit int

	mu      sync.Mutex
	judge   *Judge
	waiting []News // other news than decisions must not overtake them
	done    []finished
	skipped int
	wake    chan struct{} // the worker has something to do
	ready   chan struct{} // somebody may Take
	told    func()        // told so as well, unless nil
	cancel  context.CancelFunc
	work    sync.WaitGroup
}

// finished is news that has been judged; Judgement is set for decisions.
type finished struct {
	news      News
	judgement *Judgement
	skipped   int // decisions given up before this one
}

func newBench(j *Judge, limit int, told func()) *bench {
	ctx, cancel := context.WithCancel(context.Background())
	b := &bench{limit: limit, judge: j, cancel: cancel, wake: make(chan struct{}, 1), ready: make(chan struct{}, 1), told: told}
	b.work.Add(1)
	go func() {
		defer b.work.Done()
		b.run(ctx)
	}()
	return b
}

// add puts news at the end of the queue.
func (b *bench) add(n News) {
	b.mu.Lock()
	if len(b.waiting) >= b.limit {
		// Other news keep files and counts right and cost the judge no time: of them
		// the queue takes more than its limit.
		if at := slices.IndexFunc(b.waiting, func(n News) bool { return n.Kind == Decided }); at >= 0 {
			b.skipped++
			b.waiting = slices.Delete(b.waiting, at, at+1)
		}
	}
	b.waiting = append(b.waiting, n)
	b.mu.Unlock()
	poke(b.wake)
}

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// take returns what has been judged since the last call.
func (b *bench) take() []finished {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.done
	b.done = nil
	return out
}

// appoint changes the judge of what is still to be judged.
func (b *bench) appoint(j *Judge) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.judge = j
}

// next takes the oldest out of the queue, with the number given up before it and
// the judge for it.
func (b *bench) next() (n News, skipped int, by *Judge) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) == 0 {
		return n, 0, nil
	}
	n, skipped = b.waiting[0], b.skipped
	b.waiting, b.skipped = b.waiting[1:], 0
	return n, skipped, b.judge
}

func (b *bench) run(ctx context.Context) {
	for {
		n, skipped, judge := b.next()
		if judge == nil {
			select {
			case <-ctx.Done():
				return
			case <-b.wake:
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
		b.mu.Lock()
		b.done = append(b.done, f)
		b.mu.Unlock()
		poke(b.ready)
		if b.told != nil {
			b.told()
		}
	}
}

// judged is Judge in which a fault costs the judgement only.
func judged(ctx context.Context, j *Judge, d Act) (v Judgement, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("judge: fault of this program: %v", p)
		}
	}()
	return j.Judge(ctx, d)
}

// close ends the judging at once and returns what nobody has taken: what was
// judged, and unjudged what still waited.
func (b *bench) close() []finished {
	b.cancel()
	b.work.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.done
	b.done = nil
	for _, n := range b.waiting {
		out = append(out, finished{news: n})
	}
	b.waiting = nil
	return out
}
