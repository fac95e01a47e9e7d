package shard

import (
	"context"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"fibsbot/internal/panics"
)

// Piece is a part of a job.
type Piece struct {
	// Key is unique in the job and the same whenever the job is split again. It consists of
	// letters, digits, '-' and '_'.
	Key string
	// Ask is what a runner must know besides the job.
	Ask []byte
}

// Result is the result of a piece.
type Result struct {
	Data []byte
	// Seconds is the time it took on one thread. No result may depend on it.
	Seconds float64
}

// Share is what the result of a piece adds to a job whose result is a mean.
type Share struct {
	// Of names what the means belong to, such as an arm of a rollout.
	Of    string
	Parts int
	Means []float64 // over the parts
}

// Runner runs pieces of one job, one at a time.
type Runner interface {
	Run(ctx context.Context, ask []byte) ([]byte, error)
}

// Crew runs pieces.
type Crew interface {
	// Do runs the pieces of now and passes their results to take, in the order of now, each as
	// soon as those before it were taken. It returns when all were taken, or with an error of
	// take, ctx or a piece; the results taken before count. ahead are the probable next pieces,
	// which Do may begin.
	Do(ctx context.Context, now, ahead []Piece, take func(k int, r Result) error) error
	// Ahead returns how many pieces Do can use ahead.
	Ahead() int
}

// Local runs pieces on goroutines.
type Local struct {
	// Threads is the number of goroutines; 0 means one for each processor.
	Threads int
	// New makes the runner of one goroutine.
	New func() (Runner, error)

	runners []Runner
}

// Ahead returns 0: no goroutine waits for work between calls.
func (*Local) Ahead() int { return 0 }

// Do implements Crew. It keeps its runners for the next call and must not run twice at once.
func (l *Local) Do(ctx context.Context, now, _ []Piece, take func(k int, r Result) error) error {
	threads := l.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	threads = min(threads, len(now))
	for len(l.runners) < threads {
		r, err := l.New()
		if err != nil {
			return err
		}
		l.runners = append(l.runners, r)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	team, ctx := errgroup.WithContext(ctx)
	done := make([]chan struct{}, len(now))
	next := make(chan int, len(now))
	for i := range now {
		done[i] = make(chan struct{})
		next <- i
	}
	close(next)
	results := make([]Result, len(now))
	defer func() { _ = team.Wait() }() // its error is the cause of ctx
	for _, r := range l.runners[:threads] {
		team.Go(func() error {
			for k := range next {
				if ctx.Err() != nil {
					return nil
				}
				began := time.Now()
				data, err := run(ctx, r, now[k].Ask)
				if err != nil {
					return err
				}
				results[k] = Result{data, time.Since(began).Seconds()}
				close(done[k])
			}
			return nil
		})
	}
	// After an interruption the pieces before the first missing one still count, so that a long
	// job loses little.
	stopped := ctx.Done()
	for k := range now {
		select {
		case <-done[k]:
		case <-stopped:
			_ = team.Wait()
			select {
			case <-done[k]:
			default:
				return context.Cause(ctx)
			}
		}
		if err := take(k, results[k]); err != nil {
			cancel(err)
			return err
		}
		results[k].Data = nil
	}
	return nil
}

// run is r.Run with a panic of the runner returned as an error.
func run(ctx context.Context, r Runner, ask []byte) (data []byte, err error) {
	defer panics.Recover(&err)
	return r.Run(ctx, ask)
}
