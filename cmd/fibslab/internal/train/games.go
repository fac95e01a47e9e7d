package train

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"

	"golang.org/x/sync/errgroup"
)

// chooser plays by a judge's cubeless money equity.
type chooser struct {
	plays []board.Play
	probs []eval.Probs
}

// choose returns the judge's play, the first of equals; ok is false without a legal one.
func (c *chooser) choose(j Evaluator, p board.Position, d board.Dice) (play board.Play, ok bool) {
	c.plays = board.AppendPlays(c.plays[:0], p, d)
	if len(c.plays) == 0 {
		return play, false
	}
	if cap(c.probs) < len(c.plays) {
		c.probs = make([]eval.Probs, 2*len(c.plays))
	}
	probs := c.probs[:len(c.plays)]
	j.EvalPlays(c.plays, probs)
	best := 0
	for k := range probs {
		if probs[k].Money() > probs[best].Money() {
			best = k
		}
	}
	return c.plays[best], true
}

// TeacherPlayer plays by a teacher's labels at a fixed depth. After an error it has no play
// and Err returns the error.
type TeacherPlayer struct {
	Teacher Teacher
	Plies   int
	Err     error

	plays  []board.Play
	keys   []board.Key
	labels []Label
}

// Play returns the best play; ok is false without a legal one.
func (t *TeacherPlayer) Play(p board.Position, d board.Dice) (board.Play, bool) {
	t.plays = board.AppendPlays(t.plays[:0], p, d)
	if len(t.plays) == 0 || t.Err != nil {
		return board.Play{}, false
	}
	t.keys = t.keys[:0]
	for i := range t.plays {
		t.keys = append(t.keys, t.plays[i].Result.Swap().Key())
	}
	t.labels = slices.Grow(t.labels[:0], len(t.keys))[:len(t.keys)]
	if t.Err = t.Teacher.Label(t.keys, t.Plies, t.labels); t.Err != nil {
		return board.Play{}, false
	}
	best := 0
	for i := range t.labels {
		if t.labels[i].Probs().Money() < t.labels[best].Probs().Money() { // the opponent's equity
			best = i
		}
	}
	return t.plays[best], true
}

// Parallel calls one function for each k below n, on all processors, each goroutine a function of
// its own. The first error ends it. report, unless nil, is called with the number done.
func Parallel(ctx context.Context, n int, report func(done int), of func() func(k int) error) error {
	team, ctx := errgroup.WithContext(ctx)
	var next, done atomic.Int64
	var mu sync.Mutex
	for range min(n, runtime.GOMAXPROCS(0)) {
		team.Go(func() error {
			do := of()
			for k := next.Add(1) - 1; k < int64(n); k = next.Add(1) - 1 {
				if err := cmp.Or(ctx.Err(), do(int(k))); err != nil {
					return err
				}
				if report != nil {
					mu.Lock()
					report(int(done.Add(1)))
					mu.Unlock()
				}
			}
			return nil
		})
	}
	return team.Wait()
}
