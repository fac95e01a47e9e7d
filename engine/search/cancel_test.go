package search

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/internal/testsize"
	"fibsbot/weights"
)

// canceller ends a search during its call number at and counts the calls that
// begin afterwards.
type canceller struct {
	at          int64
	cancel      context.CancelFunc
	calls, late atomic.Int64
	over        atomic.Bool
}

func (c *canceller) count() {
	if c.over.Load() {
		c.late.Add(1)
	}
	if c.calls.Add(1) == c.at {
		c.cancel()
		c.over.Store(true)
	}
}

// counted is an evaluator whose calls a canceller counts, those for the plays of
// a call as one.
type counted struct {
	pips
	c *canceller
}

func (e counted) Eval(p *board.Position) eval.Probs {
	e.c.count()
	return e.pips.Eval(p)
}

func (e counted) EvalPlays(plays []board.Play, out []eval.Probs) {
	e.c.count()
	e.pips.EvalPlays(plays, out)
}

// TestCancel_stopsWithinOneEvaluation: whatever the depth, a worker that is told
// to stop judges the plays of one more position at most.
func TestCancel_stopsWithinOneEvaluation(t *testing.T) {
	testsize.Medium(t)
	search := map[string]func(e *Engine, ctx context.Context, s Settings) error{
		"plays": func(e *Engine, ctx context.Context, s Settings) error {
			_, err := e.Plays(ctx, board.Start, board.Dice{A: 2, B: 2}, match.Money(false, 0), s)
			return err
		},
		"cube": func(e *Engine, ctx context.Context, s Settings) error {
			_, err := e.Cube(ctx, board.Start, match.Money(false, 0), s)
			return err
		},
		"rolls": func(e *Engine, ctx context.Context, s Settings) error {
			s.Plies = min(s.Plies, MaxPlies-1)
			_, err := e.Rolls(ctx, board.Start, match.Money(false, 0), s)
			return err
		},
	}
	for name, run := range search {
		for _, threads := range []int{1, 3} {
			for _, plies := range []int{2, 3, 4} {
				if testsize.Race && plies != 3 {
					continue
				}
				for _, at := range []int64{1, 30, 301, 1500} {
					ctx, cancel := context.WithCancel(context.Background())
					c := &canceller{at: at, cancel: cancel}
					e := testEngine(t, Options{Threads: threads, CacheBytes: -1, NewEvaluator: func() Evaluator { return counted{c: c} }})
					err := run(e, ctx, Settings{Plies: plies, Cubeful: true, Filter: Huge, Prune: at%2 == 0})
					if late := c.late.Load(); late > int64(threads) {
						t.Errorf("%s, %d threads, %d plies, stopped at evaluation %d: %d more were begun", name, threads, plies, at, late)
					}
					if c.over.Load() && !errors.Is(err, context.Canceled) {
						t.Errorf("%s, %d plies, stopped at evaluation %d: %v", name, plies, at, err)
					}
					cancel()
				}
			}
		}
	}
}

func TestCancel_beforeTheSearchRanksStatically(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c := &canceller{}
	e := testEngine(t, Options{Threads: 2, NewEvaluator: func() Evaluator { return counted{c: c} }})
	list, err := e.Plays(ctx, board.Start, board.Dice{A: 3, B: 1}, match.Money(false, 0), Settings{Plies: 3, Filter: Huge})
	if !errors.Is(err, context.Canceled) || len(list) == 0 || list[0].Plies != 0 {
		t.Errorf("%d plays, %v", len(list), err)
	}
	if n := c.calls.Load(); n != 1 {
		t.Errorf("%d evaluations, want the one of all plays", n)
	}
}

// BenchmarkCancel measures with the embedded nets how long after the caller's
// cancel a search returns, the longest of all iterations: two threads, huge
// filter, no pruning, a roll of many plays.
//
//	go test -run xx -bench Cancel -benchtime 20x ./engine/search
func BenchmarkCancel(b *testing.B) {
	set, err := weights.Load("")
	if err != nil {
		b.Fatal(err)
	}
	model, err := eval.NewModel(set, nil)
	if err != nil {
		b.Fatal(err)
	}
	e := testEngine(b, Options{Threads: 2, CacheBytes: -1, NewEvaluator: func() Evaluator { return model.Evaluator() }})
	for _, plies := range []int{3, 4} {
		for _, moment := range []time.Duration{2 * time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond} {
			b.Run(fmt.Sprintf("%dplies/after%v", plies, moment), func(b *testing.B) {
				longest := time.Duration(0)
				for b.Loop() {
					ctx, cancel := context.WithCancel(context.Background())
					done := make(chan error, 1)
					go func() {
						_, err := e.Plays(ctx, board.Start, board.Dice{A: 1, B: 1}, match.Money(false, 0),
							Settings{Plies: plies, Cubeful: true, Filter: Huge})
						done <- err
					}()
					time.Sleep(moment)
					at := time.Now()
					cancel()
					if err := <-done; !errors.Is(err, context.Canceled) {
						b.Fatalf("the search was over before: %v", err)
					}
					longest = max(longest, time.Since(at))
				}
				b.ReportMetric(float64(longest.Microseconds())/1000, "longest-ms")
			})
		}
	}
}
