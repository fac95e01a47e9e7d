package farm

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"fibsbot/internal/shard"
)

// Prepared is an engine as a job needs it.
type Prepared struct {
	// New makes a runner of pieces for one goroutine.
	New func() (shard.Runner, error)
	// Answer is this engine's answer to the fixed questions.
	Answer string
}

// Worker runs pieces for a farm.
type Worker struct {
	Client  *Client
	Name    string // of the machine
	Threads int
	// Programs are the programs besides fibsbot whose pieces this worker can run.
	Programs []string
	Version  string
	Kernel   string
	// Dir keeps the files of jobs, by checksum.
	Dir string
	// Prepare opens the engines of a job. It is called once for each job, one at a time.
	Prepare func(ctx context.Context, j Job, p Paths) (Prepared, error)
	// Log receives messages for the user.
	Log func(string)
	// Joined, if not nil, is called when the farm has accepted this worker, before its first
	// piece.
	Joined func()
	// Grace is how long running pieces may take after ctx has ended.
	Grace time.Duration

	id       string
	began    time.Time
	pieces   atomic.Int64
	failures atomic.Int64
	busy     atomic.Int64
	left     atomic.Int64 // unfinished pieces left to others
	nanos    atomic.Int64

	prompt chan struct{} // holds a value after a task of an unknown job

	mu      sync.Mutex
	jobs    map[string]*ready // those on the farm
	looked  chan struct{}     // closed after the next comparison with the farm's jobs
	in      bool              // the farm has jobs for this worker, or none
	lastErr string
	rate    float64
}

// ready is a job of the farm with this worker's engine for it.
type ready struct {
	job     Job
	refused string
	other   bool // refused because another program runs it
	new     func() (shard.Runner, error)
	idle    []shard.Runner
	gone    chan struct{} // closed when the farm has no such job any more
}

// Run works until ctx ends; then running pieces have Grace to finish, and the others go back to
// the farm. The error wraps ErrRefused if this worker fits none of the farm's jobs, was banned,
// or lost its key.
func (w *Worker) Run(ctx context.Context) error {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	w.Name = token(w.Name)
	w.id, w.began, w.jobs = w.Name+"-"+hex.EncodeToString(b[:]), time.Now(), map[string]*ready{}
	w.prompt, w.looked = make(chan struct{}, 1), make(chan struct{})
	first, cancel := w.Client.permitted(ctx)
	err := w.look(first)
	for n := 0; n < 2 && errors.Is(err, errUnread); n++ { // a misfit is reported at the start or never
		err = w.look(first)
	}
	cancel()
	switch {
	case err != nil && w.Client.isDenied():
		return fmt.Errorf("%w: this key may not run pieces (use a work key)", ErrRefused)
	case errors.Is(err, errUnread): // later looks may see it
	case errors.Is(err, jetstream.ErrStreamNotFound):
		return fmt.Errorf("%w: no farm is set up on this server yet (submit a job first)", ErrRefused)
	case err != nil:
		return err
	}
	if why := w.unfit(); why != "" {
		return fmt.Errorf("%w: %s", ErrRefused, why)
	}
	if w.Joined != nil {
		w.Joined()
	}
	w.mu.Lock()
	w.in = true
	refused := w.refusals()
	w.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(refused)) {
		w.Log(refused[id])
	}
	pulling, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	running, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	context.AfterFunc(pulling, func() { time.AfterFunc(w.Grace, end) })
	var wg sync.WaitGroup
	wg.Go(func() { w.report(running, pulling, stop) })
	for range w.Threads {
		wg.Go(func() { w.thread(pulling, running) })
	}
	wg.Wait()
	if cause := context.Cause(pulling); ctx.Err() == nil && cause != nil {
		return cause
	}
	return nil
}

// report reports this worker and looks for jobs, at intervals and after news.
func (w *Worker) report(running, pulling context.Context, stop context.CancelCauseFunc) {
	tick := time.NewTicker(w.Client.pace.workerBeat)
	defer tick.Stop()
	heard := w.Client.hear(running)
	at, then := time.Now(), int64(0)
	for {
		if since := time.Since(at).Seconds(); since >= 10 {
			n := w.pieces.Load()
			w.mu.Lock()
			w.rate = float64(n-then) / since
			w.mu.Unlock()
			at, then = time.Now(), n
		}
		if pulling.Err() == nil {
			if err := w.look(pulling); errors.Is(err, ErrRefused) {
				stop(err)
			}
		}
		_ = w.Client.beat(running, reportSubject(w.Client.id, w.id), w.Report()) // the next one says the same
		select {
		case <-pulling.Done():
			if w.busy.Load() == 0 || running.Err() != nil {
				_ = w.Client.beat(context.WithoutCancel(running), reportSubject(w.Client.id, w.id), nil) // gone
				return
			}
			select {
			case <-running.Done():
			case <-time.After(w.Client.pace.beat / 4):
			}
		case <-heard:
		case <-w.prompt:
		case <-w.Client.closed:
			stop(fmt.Errorf("%w: the key was withdrawn", ErrRefused))
			return
		case <-tick.C:
		}
	}
}

// Left returns the number of pieces that were not finished or stored when the worker ended;
// others run them.
func (w *Worker) Left() int64 { return w.left.Load() }

// Report returns the worker's report on itself.
func (w *Worker) Report() Report {
	host, _ := os.Hostname()
	mem := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(mem) // without stopping running pieces
	r := Report{ID: w.id, Name: w.Name, Host: host, PID: os.Getpid(), Threads: w.Threads, Busy: int(w.busy.Load()), Version: w.Version,
		Kernel: w.Kernel, Pieces: w.pieces.Load(), Failures: w.failures.Load(), Seconds: time.Duration(w.nanos.Load()).Seconds(), MemMB: int((mem[0].Value.Uint64() - mem[1].Value.Uint64()) >> 20)}
	w.mu.Lock()
	defer w.mu.Unlock()
	r.Error, r.Rate, r.Refused = w.lastErr, w.rate, w.refusals()
	return r
}

// refusals returns the jobs that this worker does not fit, with the reasons, or nil. w.mu is
// held.
func (w *Worker) refusals() (why map[string]string) {
	for id, j := range w.jobs {
		if j.refused != "" {
			if why == nil {
				why = map[string]string{}
			}
			why[id] = j.refused
		}
	}
	return why
}

// unfit returns why this worker cannot run any of its program's jobs. It returns "" if the
// worker can run one or if there are no such jobs.
func (w *Worker) unfit() (why string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, j := range w.jobs {
		switch {
		case j.refused == "":
			return ""
		case !j.other:
			why = j.refused
		}
	}
	return why
}

// errUnread means that an existing job could not be read now.
var errUnread = errors.New("a job could not be read")

// look compares the farm's jobs with the known ones. The error wraps ErrRefused if this machine
// was banned, errUnread if only some jobs could not be read.
func (w *Worker) look(ctx context.Context) error {
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		close(w.looked)
		w.looked = make(chan struct{})
	}()
	list, err := w.Client.subjects(ctx, "KV_"+jobBucket, "$KV."+jobBucket+".>")
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for s := range list {
		if s == banSubject(w.Client.id) {
			if b, ok, err := w.Client.ban(ctx, w.Client.id); err == nil && ok {
				return fmt.Errorf("%w: this machine was left out: %.300s", ErrRefused, b.Why)
			}
		}
		if id, ok := strings.CutPrefix(s, jobSubject("")); ok {
			there[id] = true
		}
	}
	w.mu.Lock()
	for id, j := range w.jobs {
		if !there[id] {
			close(j.gone)
			delete(w.jobs, id)
		}
	}
	known := maps.Clone(w.jobs)
	w.mu.Unlock()
	var unread error
	for id := range there {
		if known[id] != nil {
			continue
		}
		j, ok, err := w.Client.job(ctx, id)
		if err != nil {
			unread = fmt.Errorf("%w: %s: %w", errUnread, id, err)
		}
		if err != nil || !ok {
			continue // the next look sees it
		}
		r, err := w.prepare(ctx, j)
		if err != nil {
			w.trouble(err)
			continue
		}
		w.mu.Lock()
		w.jobs[id] = r
		in := w.in
		w.mu.Unlock()
		if r.refused != "" && in { // a worker that fits no job at all ends with the reason
			w.Log(r.refused)
		}
	}
	return unread
}

func (w *Worker) trouble(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if text := err.Error(); text != w.lastErr {
		w.lastErr = text
		w.Log(text)
	}
}

// sigs returns the engines whose tasks this worker can run.
func (w *Worker) sigs() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	set := map[string]bool{}
	for _, j := range w.jobs {
		if j.refused == "" {
			set[j.job.Engine.Sig()] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// thread fetches one task at a time and runs it at once, so that it keeps the task's deadline.
func (w *Worker) thread(pulling, running context.Context) {
	pause := func(d time.Duration) {
		select {
		case <-pulling.Done():
		case <-time.After(d):
		}
	}
	for turn := 0; pulling.Err() == nil; turn++ {
		sigs := w.sigs()
		if len(sigs) == 0 {
			pause(w.Client.pace.beat / 4)
			continue
		}
		wait := 2 * w.Client.pace.beat
		if len(sigs) > 1 {
			wait = w.Client.pace.beat / 4
		}
		cons, err := w.Client.reader(pulling, sigs[turn%len(sigs)])
		if err != nil {
			pause(w.Client.pace.beat / 4)
			continue
		}
		for range 50 {
			m, err := cons.Next(jetstream.FetchMaxWait(wait))
			if err != nil {
				if !errors.Is(err, nats.ErrTimeout) {
					pause(100 * time.Millisecond)
				}
				break
			}
			if pulling.Err() != nil {
				_ = m.Nak() // another worker gets it at once
				return
			}
			w.busy.Add(1)
			w.one(running, m)
			w.busy.Add(-1)
			if len(sigs) > 1 || pulling.Err() != nil {
				break
			}
		}
	}
}

// known returns a job of the farm, or nil if there is no such job. A task can arrive before the
// look that finds its new job has ended; giving it back would cost a second.
func (w *Worker) known(ctx context.Context, id string) *ready {
	limit := time.NewTimer(w.Client.pace.ackWait / 2)
	defer limit.Stop()
	for looks := 0; ; looks++ {
		w.mu.Lock()
		j, looked := w.jobs[id], w.looked
		w.mu.Unlock()
		if j != nil || looks == 2 { // the first look may have begun before the job existed
			return j
		}
		select {
		case w.prompt <- struct{}{}:
		default:
		}
		select {
		case <-looked:
		case <-limit.C:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}

// one runs a task, stores its result, then acknowledges the task.
func (w *Worker) one(ctx context.Context, m jetstream.Msg) {
	part := strings.Split(m.Subject(), ".")
	if len(part) != 5 {
		_ = m.TermWithReason("not a task")
		return
	}
	id, key := part[3], part[4]
	j := w.known(ctx, id)
	if j == nil || j.refused != "" {
		_ = m.NakWithDelay(w.Client.pace.beat)
		return
	}
	ending := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	defer wg.Wait()
	over := make(chan struct{})
	defer close(over)
	wg.Go(func() { // keeps the task ours, and cancels it when its job has gone
		t := time.NewTicker(w.Client.pace.ackWait / 4)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				_ = m.InProgress()
			case <-j.gone:
				cancel()
				return
			case <-over:
				return
			}
		}
	})
	began := time.Now()
	data, err := w.run(ctx, j, m.Data())
	took := time.Since(began)
	big := err == nil && len(data) > maxPayload-headroom
	if big {
		err = fmt.Errorf("its result has %d bytes, more than %d (use a shorter --farm-piece)", len(data), maxPayload-headroom)
	}
	if ctx.Err() != nil {
		if ending.Err() != nil {
			w.left.Add(1)
		}
		_ = m.Nak()
		return
	}
	out := &nats.Msg{Subject: resultSubject(id, key, w.Client.id), Data: data, Header: nats.Header{headName: {w.Name},
		headSeconds: {strconv.FormatFloat(took.Seconds(), 'f', 4, 64)}}}
	if err != nil {
		w.failures.Add(1)
		w.trouble(fmt.Errorf("piece %s of job %s: %w", key, id, err))
		if md, merr := m.Metadata(); merr == nil && md.NumDelivered < maxDeliver && !big {
			_ = m.NakWithDelay(w.Client.pace.beat / 4)
			return
		}
		out.Data, out.Subject = nil, out.Subject+"."+failed
		out.Header.Set(headError, strings.Join(strings.Fields(err.Error()), " "))
		if big {
			out.Header.Set(headBig, "1")
		}
	}
	if w.store(ctx, out) {
		w.pieces.Add(1)
		w.nanos.Add(int64(took))
		short, stop := context.WithTimeout(ctx, 2*time.Second)
		_ = m.DoubleAck(short) // a lost one costs one more run, whose result is refused
		stop()
	} else if ending.Err() != nil {
		w.left.Add(1)
	}
}

// run runs a piece. A panic in the engine fails this piece and does not end the worker.
func (w *Worker) run(ctx context.Context, j *ready, ask []byte) (data []byte, err error) {
	w.mu.Lock()
	var r shard.Runner
	if n := len(j.idle); n > 0 {
		r, j.idle = j.idle[n-1], j.idle[:n-1]
	}
	w.mu.Unlock()
	if r == nil {
		if r, err = j.new(); err != nil {
			return nil, err
		}
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("fault: %v", p)
			return // its runner is not used again
		}
		w.mu.Lock()
		j.idle = append(j.idle, r)
		w.mu.Unlock()
	}()
	return r.Run(ctx, ask)
}

// store retries until the server has a result of the piece, ours or another worker's, so that
// no work is lost while the server is away or full.
func (w *Worker) store(ctx context.Context, m *nats.Msg) bool {
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		_, err := w.Client.put(ctx, m)
		if err == nil {
			return true
		}
		if full(err) {
			w.trouble(errors.New("the farm's store is full; results wait in this worker"))
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(wait):
		}
	}
}
