package external

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// ErrPaused is wrapped by errors about an engine that has failed and is not started again yet.
var ErrPaused = errors.New("engine has failed")

// ErrNoCube means that an engine without a cube was asked about it.
var ErrNoCube = errors.New("the engine knows no cube")

// errLate is the cause of a decision that took too long.
var errLate = errors.New("no answer in time")

// Pauses before a failed engine is started again: the first, and the longest that doubling leads to.
const (
	firstPause   = time.Second
	longestPause = 5 * time.Minute
)

// Kept is an engine that is started when it is first asked, and again after it has failed, with
// growing pauses. It is safe for concurrent use: one question is asked at a time.
type Kept struct {
	open   func(context.Context) (Asked, error)
	within time.Duration
	base   context.Context
	turn   chan struct{} // holds a token while a question is asked

	engine Asked // of the holder of turn
	end    context.CancelFunc

	mu     sync.Mutex
	health Health
	again  time.Time // when a failed engine may be started
}

// Health is what is known of a Kept engine.
type Health struct {
	Running  bool
	Answered uint64 // decisions
	Failed   uint64 // decisions and starts
	InARow   int    // failures since the last answer
	Fault    string // the last one, in one line
	FaultAt  time.Time
}

// Keep returns the engine of s, which ctx ends. within bounds each decision. Standard error of a
// started program goes to stderr.
func Keep(ctx context.Context, s Spec, within time.Duration, stderr io.Writer) *Kept {
	return keep(ctx, func(ctx context.Context) (Asked, error) { return s.Open(ctx, stderr) }, within)
}

func keep(ctx context.Context, open func(context.Context) (Asked, error), within time.Duration) *Kept {
	return &Kept{open: open, within: within, base: ctx, turn: make(chan struct{}, 1)}
}

// Health returns what is known of the engine.
func (k *Kept) Health() Health {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.health
}

// Decide asks as [Asked] does. When ctx ends it returns, and the engine answers to no one. Errors
// about a cube that it does not know wrap [ErrNoCube], those of a pause [ErrPaused].
func (k *Kept) Decide(ctx context.Context, q Board) (Answer, error) {
	return inTurn(ctx, k, func(ctx context.Context, x Asked) (Answer, error) {
		if !x.Cube() && !q.Dice.Valid() {
			return Answer{}, ErrNoCube
		}
		return x.Decide(ctx, q, !x.Cube())
	})
}

// Eval asks as [Evaluator] does; the error wraps [ErrNoFigures] if the engine is no Evaluator.
func (k *Kept) Eval(ctx context.Context, p board.Position) (eval.Probs, error) {
	return inTurn(ctx, k, func(ctx context.Context, x Asked) (eval.Probs, error) {
		e, ok := x.(Evaluator)
		if !ok {
			return eval.Probs{}, ErrNoFigures
		}
		return e.Eval(ctx, p)
	})
}

// inTurn asks the engine when its turn comes.
func inTurn[T any](ctx context.Context, k *Kept, ask func(context.Context, Asked) (T, error)) (none T, err error) {
	select {
	case k.turn <- struct{}{}:
	case <-ctx.Done():
		return none, ctx.Err()
	}
	type result struct {
		v   T
		err error
	}
	done := make(chan result, 1)
	go func() {
		defer func() { <-k.turn }()
		v, err := asks(k, ask)
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.v, r.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// asks asks at once.
func asks[T any](k *Kept, ask func(context.Context, Asked) (T, error)) (v T, err error) {
	if err := k.start(); err != nil {
		return v, err
	}
	ctx, cancel := context.WithTimeoutCause(k.base, k.within, fmt.Errorf("%w (%v)", errLate, k.within))
	defer cancel()
	v, err = ask(ctx, k.engine)
	if errors.Is(err, ErrNoCube) || errors.Is(err, ErrNoFigures) {
		return v, err
	}
	if err != nil {
		k.stop()
		return v, k.failed(err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.health.Answered++
	k.health.InARow = 0
	return v, nil
}

// start makes sure that the engine runs.
func (k *Kept) start() error {
	if k.engine != nil {
		return nil
	}
	k.mu.Lock()
	wait, fault := time.Until(k.again), k.health.Fault
	k.mu.Unlock()
	if wait > 0 {
		return fmt.Errorf("%w, next start in %v: %s", ErrPaused, wait.Round(time.Second), fault)
	}
	ctx, end := context.WithCancel(k.base)
	engine, err := k.open(ctx)
	if err != nil {
		end()
		return k.failed(err)
	}
	k.engine, k.end = engine, end
	k.mu.Lock()
	defer k.mu.Unlock()
	k.health.Running = true
	return nil
}

// stop ends the engine at once.
func (k *Kept) stop() {
	if k.engine == nil {
		return
	}
	k.end()
	_ = k.engine.Close() // killed
	k.engine = nil
}

// failed notes an error and sets the pause that follows.
func (k *Kept) failed(err error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	h := &k.health
	pause := min(longestPause, firstPause<<min(h.InARow, 20))
	k.again = time.Now().Add(pause)
	h.Running, h.Fault, h.FaultAt = false, oneLine(err), time.Now()
	h.Failed++
	h.InARow++
	return err
}

// Close ends the engine after the question that is being asked.
func (k *Kept) Close() error {
	k.turn <- struct{}{}
	defer func() { <-k.turn }()
	if k.engine == nil {
		return nil
	}
	defer k.end()
	err := k.engine.Close()
	k.engine = nil
	return err
}
