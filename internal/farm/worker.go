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

// Prepared is an engine as a job wants it.
type Prepared struct {
	// New makes a runner of pieces for one goroutine.
	New func() (shard.Runner, error)
	// Answer is what this engine makes of the fixed questions.
	Answer string
}

// Worker runs pieces for a farm.
type Worker struct {
	Client  *Client
	Name    string // of the machine
	Threads int
	// Programs are those besides fibsbot whose pieces this one can run.
	Programs []string
	Version  string
	Kernel   string
	// Dir is where files of jobs are kept, by checksum.
	Dir string
	// Prepare opens the engines of a job. It is called once a job, and never twice at a time.
	Prepare func(ctx context.Context, j Job, p Paths) (Prepared, error)
	// Log is told what a person should know.
	Log func(string)
	// Joined is called, where it is not nil, when the farm has let this worker in and before
	// its first piece.
	Joined func()
	// Grace is how long pieces that run may take when the worker is told to end.
	Grace time.Duration

	id       string
	began    time.Time
	pieces   atomic.Int64
	failures atomic.Int64
	busy     atomic.Int64
	left     atomic.Int64 // to others, unfinished
	nanos    atomic.Int64

	prompt chan struct{} // holds something when a task came whose job is not known yet

	mu      sync.Mutex
	jobs    map[string]*ready // those on the farm
	looked  chan struct{}     // closed when they were compared with the farm's again
	in      bool              // the farm has jobs for this worker, or none
	lastErr string
	rate    float64
}

// ready is a job of the farm as this worker sees it.
type ready struct {
	job     Job
	refused string
	other   bool // refused because another program runs it: no fault of this worker
	new     func() (shard.Runner, error)
	idle    []shard.Runner
	gone    chan struct{} // closed when the job is on the farm no longer
}

// Run works until ctx ends; then pieces that run are finished, within Grace, and the
// others go back to the farm. The error wraps ErrRefused where this worker fits no job
// that is there, was left out, or has lost its key.
func (w *Worker) Run(ctx context.Context) error {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	w.Name = token(w.Name)
	w.id, w.began, w.jobs = w.Name+"-"+hex.EncodeToString(b[:]), time.Now(), map[string]*ready{}
	w.prompt, w.looked = make(chan struct{}, 1), make(chan struct{})
	first, cancel := w.Client.permitted(ctx)
	err := w.look(first)
	for n := 0; n < 2 && errors.Is(err, errUnread); n++ { // whether it fits is said at the start or never
		err = w.look(first)
	}
	cancel()
	switch {
	case err != nil && w.Client.isDenied():
		return fmt.Errorf("%w: this key may not work there", ErrRefused)
	case errors.Is(err, errUnread): // later looks may see it
	case errors.Is(err, jetstream.ErrStreamNotFound):
		return fmt.Errorf("%w: nobody has set up a farm there yet: submit a job first", ErrRefused)
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

// report tells the farm of this worker and looks what there is to do, now and then and
// when there is news.
func (w *Worker) report(running, pulling context.Context, stop context.CancelCauseFunc) {
	tick := time.NewTicker(workerBeat)
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
			case <-time.After(beatEvery / 4):
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

// Left is how many pieces were begun and not finished or stored when the worker ended:
// others run them.
func (w *Worker) Left() int64 { return w.left.Load() }

// Report is what the worker tells of itself.
func (w *Worker) Report() Report {
	host, _ := os.Hostname()
	mem := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(mem) // without stopping the pieces that run
	r := Report{ID: w.id, Name: w.Name, Host: host, PID: os.Getpid(), Threads: w.Threads, Busy: int(w.busy.Load()), Version: w.Version,
		Kernel: w.Kernel, Pieces: w.pieces.Load(), Failures: w.failures.Load(), Seconds: time.Duration(w.nanos.Load()).Seconds(), MemMB: int((mem[0].Value.Uint64() - mem[1].Value.Uint64()) >> 20)}
	r.KeyEnds = w.Client.key.ends()
	w.mu.Lock()
	defer w.mu.Unlock()
	r.Error, r.Rate, r.Refused = w.lastErr, w.rate, w.refusals()
	return r
}

// refusals are the jobs that this worker does not fit, with the reasons; nil for none. w.mu
// is held.
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

// unfit says why none of the jobs for this program can be run, or "" if one can or there
// is no such job.
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

// errUnread is wrapped where a job that is there could not be read just now.
var errUnread = errors.New("a job could not be read")

// look compares the jobs of the farm with those that are known here. The error wraps
// ErrRefused where this machine was left out, errUnread where all else was done.
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
		if r.refused != "" && in { // who fits no job at all ends with the reason
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

// sigs are the engines whose tasks this worker can run.
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

// thread fetches one task when it is free and runs it. What is fetched is run at once,
// so that its deadline can be held.
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
			pause(beatEvery / 4)
			continue
		}
		wait := 2 * time.Second
		if len(sigs) > 1 {
			wait = 250 * time.Millisecond
		}
		cons, err := w.Client.reader(pulling, sigs[turn%len(sigs)])
		if err != nil {
			pause(beatEvery / 4)
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
				_ = m.Nak() // somebody else has it at once
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

// known is a job of the farm, nil where there is no such. Tasks of a new job can come
// before the look that sees it has ended; given back, they would come again after a
// second only, in which nobody runs them.
func (w *Worker) known(ctx context.Context, id string) *ready {
	limit := time.NewTimer(ackWait / 2)
	defer limit.Stop()
	for looks := 0; ; looks++ {
		w.mu.Lock()
		j, looked := w.jobs[id], w.looked
		w.mu.Unlock()
		if j != nil || looks == 2 { // the first may have begun before the job was there
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

// one runs a task: the result is stored, then the task acknowledged.
func (w *Worker) one(ctx context.Context, m jetstream.Msg) {
	part := strings.Split(m.Subject(), ".")
	if len(part) != 5 {
		_ = m.TermWithReason("no task")
		return
	}
	id, key := part[3], part[4]
	j := w.known(ctx, id)
	if j == nil || j.refused != "" {
		_ = m.NakWithDelay(beatEvery)
		return
	}
	ending := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	defer wg.Wait()
	over := make(chan struct{})
	defer close(over)
	wg.Go(func() { // says that we are alive, and hears that nobody wants it any more
		t := time.NewTicker(ackWait / 4)
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
	big := err == nil && len(data) > MaxPayload-headroom
	if big {
		err = fmt.Errorf("its result has %d bytes, at most %d go to a farm: give a shorter --farm-piece", len(data), MaxPayload-headroom)
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
			_ = m.NakWithDelay(beatEvery / 4)
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
		_ = m.DoubleAck(short) // a lost one costs one run more, whose result is refused
		stop()
	} else if ending.Err() != nil {
		w.left.Add(1)
	}
}

// run runs a piece; a fault in the engine is this piece's failure and not the worker's end.
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

// store keeps at it until the result is on the server, from us or from another: what
// was computed is not lost to a server that is away or full.
func (w *Worker) store(ctx context.Context, m *nats.Msg) bool {
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		_, err := w.Client.put(ctx, m)
		if err == nil {
			return true
		}
		if full(err) {
			w.trouble(errors.New("the farm's store is full; results wait here"))
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(wait):
		}
	}
}
