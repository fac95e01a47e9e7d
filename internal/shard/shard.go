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
	// Key tells it from the other pieces of its job and is the same whenever the job
	// is split again. It is made of letters, digits, '-' and '_'.
	Key string
	// Ask is what the one who runs it must know besides the job.
	Ask []byte
}

// Result is what a piece came to.
type Result struct {
	Data []byte
	// Seconds is how long it took on one thread; nothing that counts may depend on it.
	Seconds float64
}

// Runner runs pieces of one job, one at a time.
type Runner interface {
	Run(ctx context.Context, ask []byte) ([]byte, error)
}

// Crew has pieces run.
type Crew interface {
	// Do has the pieces of now run and hands their results to take, in the order of
	// now, each as soon as those before it were taken. It returns when all were taken,
	// with take's error, or with that of ctx or of a piece; what was taken until then
	// counts. ahead are pieces that will probably be asked for next; they may be begun.
	Do(ctx context.Context, now, ahead []Piece, take func(k int, r Result) error) error
	// Ahead is how many pieces ahead of those it must have the crew can use.
	Ahead() int
}

// Local runs pieces on goroutines.
type Local struct {
	// Threads is how many; 0 is one for each processor.
	Threads int
	// New makes the runner of one goroutine.
	New func() (Runner, error)

	runners []Runner
}

// Ahead is none: nobody waits for work here.
func (*Local) Ahead() int { return 0 }

// Do implements Crew. Its runners are kept for the next call; it must not be called
// twice at the same time.
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
	defer func() { _ = team.Wait() }() // its error is the cause that ended ctx
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
	// After an interruption the pieces up to the first one missing still count: a
	// long job loses little.
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

// run is r.Run with a fault of the runner as an error: a long job, or a program that
// does other things beside it, does not end without a word.
func run(ctx context.Context, r Runner, ask []byte) (data []byte, err error) {
	defer panics.Recover(&err)
	return r.Run(ctx, ask)
}
