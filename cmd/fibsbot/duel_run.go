package main

import (
	"context"
	"fmt"
	"runtime"
	"sync"
)

// duelRun plays the pairs of a duel.
type duelRun struct {
	makers [2]playerMaker
	set    duelSettings
	pairs  int
	jobs   int // pairs at the same time, 0 for one per processor
	// earlier holds the results of pairs that need not be played, by number.
	earlier map[int]pairResult
	// keep, when not nil, is called with each new result, in any order but never
	// twice at a time.
	keep     func(k int, r pairResult) error
	progress func(done int)
}

// play returns the results of all pairs and how many games were played now. Each
// job has players of its own; result k is that of pair k whatever their number.
func (d *duelRun) play(ctx context.Context) (results []pairResult, played int, err error) {
	jobs := d.jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results = make([]pairResult, d.pairs)
	var todo []int
	for k := range results {
		if r, ok := d.earlier[k]; ok {
			results[k] = r
		} else {
			todo = append(todo, k)
		}
	}
	var mu sync.Mutex // guards what follows and keep
	next, done := 0, d.pairs-len(todo)
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		if next == len(todo) {
			return -1
		}
		next++
		return todo[next-1]
	}
	finish := func(k int, r pairResult) error {
		mu.Lock()
		defer mu.Unlock()
		results[k] = r
		played += r.Games
		done++
		d.progress(done)
		if d.keep == nil {
			return nil
		}
		return d.keep(k, r)
	}
	var wg sync.WaitGroup
	for range min(jobs, len(todo)) {
		wg.Go(func() {
			if err := d.job(ctx, take, finish); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, 0, context.Cause(ctx)
	}
	return results, played, nil
}

// job plays pairs until none is left.
func (d *duelRun) job(ctx context.Context, take func() int, finish func(int, pairResult) error) error {
	var two [2]player
	for i, newPlayer := range d.makers {
		p, err := newPlayer(ctx)
		if err != nil {
			return err
		}
		defer p.close()
		two[i] = p
	}
	for ctx.Err() == nil {
		k := take()
		if k < 0 {
			return nil
		}
		r, err := playPair(ctx, two, d.set, uint64(k))
		if err != nil {
			return fmt.Errorf("pair %d: %w", k, err)
		}
		if err := finish(k, r); err != nil {
			return err
		}
	}
	return nil
}
