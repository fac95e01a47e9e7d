package duel

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Run plays the pairs of a duel.
type Run struct {
	Players  [2]Maker // A and B
	Settings Settings
	Pairs    int
	Jobs     int // pairs at the same time, 0 for one per processor
	// Earlier holds the results of pairs that need not be played, by number.
	Earlier map[int]Pair
	// Keep, when not nil, is called with each new result, in any order but never
	// twice at a time. An error of it ends the run.
	Keep func(pair int, r Pair) error
	// Progress, when not nil, is called with how many pairs are done, in the same way.
	// finished gives their results, in order, until it returns.
	Progress func(done int, finished func() []Pair)
}

// Play returns the results of all pairs and how many games were played now. Each
// job has players of its own; result k is that of pair k whatever their number. With an
// error the results are those of the pairs that were finished.
func (d *Run) Play(ctx context.Context) (results []Pair, played int, err error) {
	jobs := d.Jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	results = make([]Pair, d.Pairs)
	have := make([]bool, d.Pairs)
	finished := func() (out []Pair) {
		for k, r := range results {
			if have[k] {
				out = append(out, r)
			}
		}
		return out
	}
	var todo []int
	for k := range results {
		if r, ok := d.Earlier[k]; ok {
			results[k], have[k] = r, true
		} else {
			todo = append(todo, k)
		}
	}
	var mu sync.Mutex // guards what follows, Keep and Progress
	next, done := 0, d.Pairs-len(todo)
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		if next == len(todo) {
			return -1
		}
		next++
		return todo[next-1]
	}
	finish := func(k int, r Pair) error {
		mu.Lock()
		defer mu.Unlock()
		results[k], have[k] = r, true
		played += r.Games
		done++
		if d.Progress != nil {
			d.Progress(done, finished)
		}
		if d.Keep == nil {
			return nil
		}
		return d.Keep(k, r)
	}
	pool, inner := errgroup.WithContext(ctx)
	for range min(jobs, len(todo)) {
		pool.Go(func() error { return d.job(inner, take, finish) })
	}
	if err := pool.Wait(); err != nil {
		return finished(), played, err
	}
	if ctx.Err() != nil {
		return finished(), played, context.Cause(ctx)
	}
	return results, played, nil
}

// job plays pairs until none is left.
func (d *Run) job(ctx context.Context, take func() int, finish func(int, Pair) error) error {
	var two [2]Player
	for i, newPlayer := range d.Players {
		p, err := newPlayer(ctx)
		if err != nil {
			return err
		}
		defer p.Close()
		two[i] = p
	}
	for ctx.Err() == nil {
		k := take()
		if k < 0 {
			return nil
		}
		r, err := PlayPair(ctx, two, d.Settings, uint64(k))
		if err != nil {
			return fmt.Errorf("pair %d: %w", k, err)
		}
		if err := finish(k, r); err != nil {
			return err
		}
	}
	return nil
}
