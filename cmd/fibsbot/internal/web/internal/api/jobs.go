package api

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"fibsbot/engine/analyse"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/rollout"
	"fibsbot/internal/http"
	"fibsbot/internal/panics"
)

// The states of a job.
const (
	Queued  = "queued"
	Running = "running"
	Stopped = "stopped"
	Done    = "done"
	Failed  = "failed"
)

// Job is a rollout or an analysis.
type Job struct {
	ID      string    `json:"id"`
	Kind    string    `json:"kind"`  // rollout or analysis
	State   string    `json:"state"` // queued, running, stopped, done or failed
	Created time.Time `json:"created"`
	// Done of Total trials or decisions; Seconds spent on them.
	Done    int     `json:"done"`
	Total   int     `json:"total"`
	Seconds float64 `json:"seconds"`
	Error   string  `json:"error,omitempty"`
	// Rollout holds the results so far.
	Rollout *Rollout `json:"rollout,omitempty"`
	// Analysis is the report; Match is the ID of the archived match.
	Analysis *report.Document `json:"analysis,omitempty"`
	Match    string           `json:"match,omitempty"`
	// Decision of Match that is rolled out; Stored is the number of trials written into the
	// match.
	Decision string `json:"decision,omitempty"`
	Stored   int    `json:"stored,omitempty"`
	// Unsaved says why the rollout was not written into the match unasked: stopped, weaker than
	// the analysis, or unclear: it overturns the analysis by less than two standard errors.
	Unsaved string `json:"unsaved,omitempty"`
}

// job is a running Job. work runs once at a time and continues a stopped run; that of an analysis,
// which holds a match, is dropped at its end.
type job struct {
	work   func(ctx context.Context, j *job, report func(done, total int)) error
	roller *roller // of a rollout

	mu       sync.Mutex
	view     Job
	began    time.Time // of the present run
	spent    time.Duration
	cancel   context.CancelFunc
	watchers listeners
}

type jobs struct {
	mu   sync.Mutex
	byID map[string]*job
	run  chan struct{} // held by the job that runs
}

// Started names the job that a request started.
type Started struct {
	ID string `json:"id"`
}

// started is the answer to a request that started a job.
func started(j *job, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return Started{ID: j.snapshot().ID}, nil
}

// snapshot returns the present state of the job.
func (j *job) snapshot() Job {
	j.mu.Lock()
	defer j.mu.Unlock()
	v := j.view
	spent := j.spent
	if v.State == Running {
		spent += time.Since(j.began)
	}
	v.Seconds = spent.Seconds()
	return v
}

// change edits the view and notifies the watchers.
func (j *job) change(edit func(*Job)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	edit(&j.view)
	j.watchers.notify()
}

// add starts a job. If the list is full, it drops the oldest job that has ended.
func (a *API) add(view Job, x *roller, work func(context.Context, *job, func(done, total int)) error) (*job, error) {
	var b [6]byte
	_, _ = rand.Read(b[:]) // crypto/rand never fails
	view.ID, view.Created = fmt.Sprintf("%x", b), time.Now().UTC().Truncate(time.Second)
	j := &job{work: work, roller: x, view: view}
	l := &a.jobs
	l.mu.Lock()
	if len(l.byID) >= maxJobs {
		var oldest *Job
		for _, other := range l.byID {
			if v := other.snapshot(); v.State != Queued && v.State != Running && (oldest == nil || v.Created.Before(oldest.Created)) {
				oldest = &v
			}
		}
		if oldest != nil {
			delete(l.byID, oldest.ID)
		}
	}
	l.byID[view.ID] = j
	l.mu.Unlock()
	if err := a.start(j); err != nil {
		l.mu.Lock()
		delete(l.byID, view.ID)
		l.mu.Unlock()
		return nil, err
	}
	return j, nil
}

// start queues a job that is not running.
func (a *API) start(j *job) error {
	busy := 0
	for _, other := range a.list("") {
		if other.State == Queued || other.State == Running {
			busy++
		}
	}
	if busy >= maxRunning {
		return &Problem{Status: http.StatusServiceUnavailable, Text: fmt.Sprintf("%d jobs are waiting (stop one)", busy)}
	}
	if a.ctx.Err() != nil {
		return errBusy
	}
	ctx, cancel := context.WithCancel(a.ctx)
	j.mu.Lock()
	if j.view.State == Queued || j.view.State == Running {
		j.mu.Unlock()
		cancel()
		return &Problem{Status: http.StatusConflict, Text: "the job is already running"}
	}
	j.cancel = cancel
	j.mu.Unlock()
	j.change(func(v *Job) { v.State, v.Error = Queued, "" })
	a.work.Go(func() {
		defer cancel()
		a.drive(ctx, j)
	})
	return nil
}

// stop ends the work of a job as soon as it notices.
func (j *job) stop() {
	j.mu.Lock()
	cancel := j.cancel
	j.mu.Unlock()
	cancel()
}

// silenceAgain is how often the place of a job is tried while a match is played on a server.
const silenceAgain = 10 * time.Millisecond

// drive waits for the processors, and while a match is played on a server, and runs the job.
func (a *API) drive(ctx context.Context, j *job) {
	for first := true; first || a.playing() != ""; first = false {
		if !first {
			<-a.jobs.run // silence takes it
			time.Sleep(silenceAgain)
		}
		select {
		case a.jobs.run <- struct{}{}:
		case <-ctx.Done():
			j.change(func(v *Job) { v.State = Stopped })
			return
		}
	}
	defer func() { <-a.jobs.run }()
	j.change(func(v *Job) { v.State = Running; j.began = time.Now() })
	err := guarded(func() error {
		return j.work(ctx, j, func(done, total int) {
			j.change(func(v *Job) { v.Done, v.Total = done, total })
		})
	})
	if j.roller == nil {
		j.work = nil
	}
	j.change(func(v *Job) {
		j.spent += time.Since(j.began)
		switch {
		case ctx.Err() != nil:
			v.State = Stopped
		case err != nil:
			v.State, v.Error = Failed, err.Error()
		default:
			v.State = Done
		}
	})
}

// guarded returns a panic of do as an error, so it ends the job and not the program.
func guarded(do func() error) (err error) {
	defer panics.Recover(&err)
	return do()
}

// list returns the jobs of a kind ("" for all), newest first.
func (a *API) list(kind string) []Job {
	a.jobs.mu.Lock()
	defer a.jobs.mu.Unlock()
	out := []Job{}
	for _, j := range a.jobs.byID {
		if v := j.snapshot(); kind == "" || v.Kind == kind {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(x, y Job) int {
		if c := y.Created.Compare(x.Created); c != 0 {
			return c
		}
		return strings.Compare(x.ID, y.ID)
	})
	return out
}

func (a *API) find(r *http.Request) (*job, error) {
	a.jobs.mu.Lock()
	defer a.jobs.mu.Unlock()
	if j := a.jobs.byID[r.PathValue("id")]; j != nil {
		return j, nil
	}
	return nil, &Problem{Status: http.StatusNotFound, Text: "no such job", Field: "id"}
}

func (a *API) listJobs(_ *http.Request, _ any) (any, error) { return a.list(""), nil }

func (a *API) getJob(_ *http.Request, j *job, _ any) (any, error) { return j.snapshot(), nil }

// stopJob stops a job, or removes one that has ended.
func (a *API) stopJob(r *http.Request, j *job, _ any) (any, error) {
	v := j.snapshot()
	if v.State != Queued && v.State != Running {
		a.jobs.mu.Lock()
		delete(a.jobs.byID, v.ID)
		a.jobs.mu.Unlock()
		return v, nil
	}
	changed, leave := j.watchers.join()
	defer leave()
	j.stop()
	for v = j.snapshot(); v.State == Queued || v.State == Running; v = j.snapshot() {
		select {
		case <-changed:
		case <-r.Context().Done():
			return v, nil
		}
	}
	return v, nil
}

// events streams a job as server-sent events, one "job" at each change, until it ends or
// the client leaves.
func (a *API) events(w http.ResponseWriter, r *http.Request) {
	j, err := a.find(r)
	if err != nil {
		fail(w, err)
		return
	}
	a.send(w, r, j.watchers.join, func() (event string, data any, last bool) {
		v := j.snapshot()
		return "job", v, v.State == Done || v.State == Failed || v.State == Stopped
	})
}

// The kinds of jobs that Options.Crew is asked for.
const (
	RolloutJob  = "rollout"
	AnalysisJob = "analysis"
)

// play is job.Run by the crew of the options.
func (a *API) play(ctx context.Context, job *rollout.Job, report func(done, total int)) error {
	if a.opt.Crew == nil {
		return job.Run(ctx, report)
	}
	spec, err := job.Spec(a.opt.Engine.RolloutOptions().Nets)
	if err != nil {
		return err
	}
	crew, size, err := a.opt.Crew(RolloutJob, spec)
	if err != nil {
		return err
	}
	return job.RunOn(ctx, crew, size, report)
}

// assign gives an analyst the crew of the options.
func (a *API) assign(judge *analyse.Analyst) error {
	if a.opt.Crew == nil {
		return nil
	}
	spec, err := judge.Spec()
	if err != nil {
		return err
	}
	judge.Crew, judge.Size, err = a.opt.Crew(AnalysisJob, spec)
	return err
}
