package farm

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fibsbot/internal/shard"
	"fibsbot/internal/testsize"
)

// errStop ends a job from outside, as Ctrl-C does.
var errStop = errors.New("stop")

// take runs pieces of a job until n results are taken.
func take(t *testing.T, crew *Crew, n int) error {
	t.Helper()
	got := 0
	return crew.Do(t.Context(), numbers(20), nil, func(int, shard.Result) error {
		if got++; got == n {
			return errStop
		}
		return nil
	})
}

// TestCrew_Kept: an interrupted command learns what the farm keeps of its job, and of no other.
func TestCrew_Kept(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, c, work := newFarm(t, ServerOptions{Keep: 48 * time.Hour})
	var runs atomic.Int64
	testWorker(t, work(), "a", nil, square{runs: &runs})
	for _, tt := range []struct {
		name string
		of   int                         // pieces, or 0 if unknown
		do   func(t *testing.T, r *Crew) // what comes between the results and the end
		ok   bool
	}{
		{"interrupted", 50, func(*testing.T, *Crew) {}, true},
		{"of an unknown number", 0, func(*testing.T, *Crew) {}, true},
		{"cancelled", 50, func(t *testing.T, r *Crew) {
			if _, err := c.Cancel(t.Context(), r.Job.ID); err != nil {
				t.Fatal(err)
			}
		}, false},
		{"another's", 50, func(t *testing.T, r *Crew) {
			j, seq, _, err := c.jobAt(t.Context(), r.Job.ID)
			if err == nil {
				_, err = c.record(t.Context(), j, &Owner{ID: "other", Host: "kitchen", PID: 7}, seq)
			}
			if err != nil {
				t.Fatal(err)
			}
		}, false},
		{"ended by the farm", 50, func(_ *testing.T, r *Crew) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.fail(ErrPoison)
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			crew := submit(t, c, tt.name)
			crew.check = 0
			crew.Expect(tt.of, 0)
			if err := take(t, crew, 20); !errors.Is(err, errStop) {
				t.Fatal(err)
			}
			tt.do(t, crew)
			_ = crew.Close(t.Context(), false) // its error about other workers does not matter here
			want := Kept{Done: 20, Of: tt.of, For: 48 * time.Hour}
			if got, ok := crew.Kept(); ok != tt.ok || ok && got != want {
				t.Errorf("%+v, %v, want %+v, %v", got, ok, want, tt.ok)
			}
			if !tt.ok {
				return
			}
			again := submit(t, c, tt.name) // left at once: what was there before counts
			again.Expect(tt.of, 0)
			_ = again.Close(t.Context(), false)
			if got, ok := again.Kept(); !ok || got != want {
				t.Errorf("again: %+v, %v, want %+v", got, ok, want)
			}
		})
	}
	none := submit(t, c, "none")
	_ = none.Close(t.Context(), false)
	if got, ok := none.Kept(); ok {
		t.Errorf("of a job without results %+v is kept", got)
	}
	done := submit(t, c, "done")
	if _, err := sum(t, done, 20); err != nil {
		t.Fatal(err)
	}
	if err := done.Close(t.Context(), true); err != nil {
		t.Error(err)
	}
	if got, ok := done.Kept(); ok {
		t.Errorf("of a job that is done %+v is kept", got)
	}
}

// TestCrew_keptWhereTheFarmIsAway: what came from there is there.
func TestCrew_keptWhereTheFarmIsAway(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	s, c, work := newFarm(t, ServerOptions{})
	var runs atomic.Int64
	testWorker(t, work(), "a", nil, square{runs: &runs})
	crew := submit(t, c, "away")
	crew.check = 0
	if err := take(t, crew, 20); !errors.Is(err, errStop) {
		t.Fatal(err)
	}
	s.Close()
	_ = crew.Close(t.Context(), false)
	if got, ok := crew.Kept(); !ok || got.Done != 20 {
		t.Errorf("%+v, %v", got, ok)
	}
}

func TestKept_String(t *testing.T) {
	const day = 24 * time.Hour
	for _, tt := range []struct {
		k    Kept
		want string
	}{
		{Kept{37, 120, 7 * day}, "37 of 120 pieces are done and stay on the farm for a week; the same command resumes the job"},
		{Kept{1, 120, 14 * day}, "1 of 120 pieces is done and stays on the farm for 2 weeks; the same command resumes the job"},
		{Kept{1, 0, 3 * day}, "1 piece is done and stays on the farm for 3 days; the same command resumes the job"},
		{Kept{Done: 37, For: 90 * time.Minute}, "37 pieces are done and stay on the farm for 90 minutes; the same command resumes the job"},
		{Kept{Done: 37, Of: 36, For: time.Hour}, "37 pieces are done and stay on the farm for an hour; the same command resumes the job"},
		{Kept{Done: 2}, "2 pieces are done and stay on the farm; the same command resumes the job"},
		{Kept{Done: 2, For: 61 * time.Second}, "2 pieces are done and stay on the farm for 1m1s; the same command resumes the job"},
	} {
		if got := tt.k.String(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// TestServer_Holds: a farm that ends says what it has.
func TestServer_Holds(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	s := testServer(t, ServerOptions{})
	submitKey, workKey := s.KeyFiles()
	if got := s.Holds(); got != "no job is unfinished" {
		t.Error(got)
	}
	c := client(t, s.URL(), submitKey)
	var runs atomic.Int64
	testWorker(t, client(t, s.URL(), workKey), "a", nil, square{runs: &runs})
	crew := submit(t, c, "one")
	crew.check = 0
	if err := take(t, crew, 20); !errors.Is(err, errStop) {
		t.Fatal(err)
	}
	_ = crew.Close(t.Context(), false)
	if got, want := s.Holds(), "one job is unfinished, 20 results (0.0 MiB) are kept in "+s.dir; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	_ = submit(t, c, "two").Close(t.Context(), false)
	if got := s.Holds(); !strings.HasPrefix(got, "2 jobs are unfinished, 20 results (") {
		t.Error(got)
	}
}

// stuck is a runner that ends on request.
type stuck struct{ began chan struct{} }

func (s stuck) Run(ctx context.Context, _ []byte) ([]byte, error) {
	s.began <- struct{}{}
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestWorker_Left: what a worker gives back at its end counts, what was cancelled does not.
func TestWorker_Left(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, c, work := newFarm(t, ServerOptions{})
	began := make(chan struct{}, 100)
	w := &Worker{Client: work(), Name: "a", Threads: 2, Version: "v1", Kernel: "go", Dir: t.TempDir(), Log: func(string) {}, Grace: time.Millisecond,
		Prepare: func(context.Context, Job, Paths) (Prepared, error) {
			return Prepared{Answer: "42", New: func() (shard.Runner, error) { return stuck{began}, nil }}, nil
		}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	var all sync.WaitGroup
	asking, stop := context.WithCancel(t.Context())
	defer func() { stop(); all.Wait() }()
	run := func(name string) *Crew {
		crew := submit(t, c, name)
		all.Go(func() { // it is cancelled, or the test ends
			_ = crew.Do(asking, numbers(20), nil, func(int, shard.Result) error { return nil })
		})
		<-began
		<-began
		return crew
	}
	first := run("cancelled")
	if _, err := c.Cancel(t.Context(), first.Job.ID); err != nil {
		t.Fatal(err)
	}
	second := run("left")
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if n := w.Left(); n != 2 {
		t.Errorf("%d pieces are left to others, want 2", n)
	}
	_, _ = first.Close(t.Context(), false), second.Close(t.Context(), false)
}

// TestCrew_resultsOfThoseLeftOut: what a machine stores after its results were thrown away
// is not added up.
func TestCrew_resultsOfThoseLeftOut(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, c, work := newFarm(t, ServerOptions{})
	crew := submit(t, c, "late")
	id := crew.Job.ID
	_ = crew.Close(t.Context(), false)
	if err := c.Ban(t.Context(), "UBAD", "bad one", "it is wrong"); err != nil {
		t.Fatal(err)
	}
	late := func(key, by string) {
		if fresh, err := c.put(t.Context(), result(id, key, by, "-1")); err != nil || !fresh {
			t.Fatal(fresh, err)
		}
	}
	all := numbers(20)
	late(all[3].Key, "UBAD")
	late(all[7].Key, "UBAD")
	var runs atomic.Int64
	testWorker(t, work(), "a", nil, square{runs: &runs})
	crew = submit(t, c, "late")
	finish(t, crew, 20)
}
