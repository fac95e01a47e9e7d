package farm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"fibsbot/internal/piece"
)

// Crew has the pieces of one job run by a farm: a piece.Crew. Nothing of it needs to be
// kept: a new Crew for the same job finds on the server what was done.
type Crew struct {
	Job Job

	check int // one piece in how many is run a second time
	warn  func(string)
	judge piece.Runner

	c      *Client
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu      sync.Mutex
	err     error // ends the job
	held    map[string]outcome
	stored  map[string]uint64 // by subject: results that were there already and will be read
	open    map[string]sent   // sent and without a result
	asks    map[string]json.RawMessage
	checks  map[string]*check
	window  int
	names   map[string]int // live workers by machine
	done    int
	known   int
	seconds float64
	changed chan struct{} // closed when something arrived
}

// outcome is a stored result.
type outcome struct {
	data         []byte
	seconds      float64
	worker, name string
}

type sent struct {
	piece piece.Piece
	at    time.Time
	tries int
}

// check is a piece that runs a second time.
type check struct {
	first  outcome
	second *outcome
}

// Submit takes a job to the farm, or up again where it was left. size is called for a
// job that is new there and says how big its pieces are to be; it is kept. The error
// wraps ErrRefused where the key may not submit, the farm is full, or somebody else
// runs the same job at this moment.
func (c *Client) Submit(ctx context.Context, j Job, size func() (int, error)) (*Crew, error) {
	for end := time.Now().Add(patience); ; {
		r, err := c.submit(ctx, j, size)
		if err == nil || errors.Is(err, ErrRefused) || ctx.Err() != nil || time.Now().After(end) {
			return r, err
		}
		select { // the server may be away for a moment
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(beatEvery / 2):
		}
	}
}

func (c *Client) submit(ctx context.Context, j Job, size func() (int, error)) (*Crew, error) {
	if err := c.ready(ctx); err != nil {
		return nil, err
	}
	j.ID = j.id()
	if err := c.alone(ctx, j.ID); err != nil {
		return nil, err
	}
	old, found, err := c.job(ctx, j.ID)
	if err != nil {
		return nil, fmt.Errorf("submit: %w", err)
	}
	if found {
		j = old
	} else {
		if j.Size, err = size(); err != nil {
			return nil, err
		}
		host, _ := os.Hostname()
		j.Submitter, j.Created = host, time.Now().UTC()
	}
	text, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	if len(text) > MaxPayload-headroom {
		return nil, fmt.Errorf("%w: the job's description has %d bytes, at most %d go to a farm", ErrRefused, len(text), MaxPayload-headroom)
	}
	// Written again each time: a job in use does not grow old.
	if _, err := c.js.Publish(ctx, jobSubject(j.ID), text); err != nil {
		if full(err) {
			return nil, fmt.Errorf("%w: the farm's store is full: cancel old jobs (fibsbot farm status, farm cancel) or serve with a bigger --max-store", ErrRefused)
		}
		return nil, fmt.Errorf("submit: %w", err)
	}
	c.sweep(ctx)
	if err := c.room(ctx); err != nil {
		return nil, err
	}
	if _, err := c.js.CreateOrUpdateConsumer(ctx, taskStream, jetstream.ConsumerConfig{
		Durable: j.Engine.Sig(), FilterSubject: taskSubject(j.Engine.Sig(), "*", "*"), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: ackWait, MaxDeliver: maxDeliver, MaxAckPending: 50_000, InactiveThreshold: 7 * 24 * time.Hour,
	}); err != nil {
		return nil, fmt.Errorf("submit: %w", err)
	}
	// Tasks that an earlier run left would count its tries.
	if err := c.purge(ctx, taskStream, taskSubject("*", j.ID, "*")); err != nil {
		return nil, fmt.Errorf("submit: %w", err)
	}
	r := &Crew{Job: j, check: 100, warn: func(string) {}, c: c, held: map[string]outcome{}, open: map[string]sent{},
		asks: map[string]json.RawMessage{}, checks: map[string]*check{}, window: 16, changed: make(chan struct{})}
	if r.stored, err = c.subjects(ctx, resultStream, resultSubject(j.ID, "*")); err != nil {
		return nil, fmt.Errorf("submit: %w", err)
	}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	r.cancel = cancel
	dead, err := c.nc.Subscribe("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES."+taskStream+"."+j.Engine.Sig(), r.advised)
	if err == nil {
		context.AfterFunc(running, func() { _ = dead.Unsubscribe() })
	}
	r.wg.Go(func() { r.read(running) })
	r.wg.Go(func() { r.watch(running) })
	return r, nil
}

// sweep removes results of jobs that are there no longer: pieces that ran ahead when
// their job was done. It does what it can.
func (c *Client) sweep(ctx context.Context) {
	list, err := c.subjects(ctx, resultStream, resultSubject("*", "*"))
	if err != nil || len(list) == 0 {
		return
	}
	ids, err := c.jobs(ctx) // after the results: a job is there before they are
	if err != nil {
		return
	}
	gone := map[string]bool{}
	for subject := range list {
		if part := strings.Split(subject, "."); len(part) == 4 && !slices.Contains(ids, part[2]) {
			gone[part[2]] = true
		}
	}
	for id := range gone {
		_ = c.purge(ctx, resultStream, resultSubject(id, "*"))
	}
}

// alone makes sure that nobody else runs the job: whoever does reports every second.
func (c *Client) alone(ctx context.Context, id string) error {
	subject := "$KV." + beatBucket + ".job." + id
	m, ok, err := c.last(ctx, "KV_"+beatBucket, subject)
	if err != nil || !ok || len(m.Data) == 0 {
		return err
	}
	seq := m.Sequence
	for range 6 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(beatEvery / 2):
		}
		if m, ok, err = c.last(ctx, "KV_"+beatBucket, subject); err != nil || !ok || len(m.Data) == 0 {
			return err
		}
		if m.Sequence != seq {
			var b beat
			_ = json.Unmarshal(m.Data, &b) // only to name who
			return fmt.Errorf("%w: job %s is there already and run by process %d on %.60q: wait for it, or fibsbot farm cancel %s",
				ErrRefused, id, b.PID, b.Host, id)
		}
	}
	return nil // who ran it is gone
}

// room refuses a job where the next results would not be stored.
func (c *Client) room(ctx context.Context) error {
	s, err := c.js.Stream(ctx, resultStream)
	if err != nil {
		return fmt.Errorf("submit: %w", err)
	}
	i := s.CachedInfo()
	if most := i.Config.MaxBytes; most > 0 && i.State.Bytes > uint64(most-most/20) {
		return fmt.Errorf("%w: the farm's store of results is full (%d of %d MiB): cancel old jobs (fibsbot farm status, farm cancel) or serve with a bigger --max-store",
			ErrRefused, i.State.Bytes>>20, most>>20)
	}
	return nil
}

// SetWarn says who is told what a person should know.
func (r *Crew) SetWarn(warn func(string)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warn = warn
}

// SetJudge gives a runner of pieces that is trusted, to tell which of two machines is
// wrong.
func (r *Crew) SetJudge(judge piece.Runner) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.judge = judge
}

func (r *Crew) tell(text string) {
	r.mu.Lock()
	warn := r.warn
	r.mu.Unlock()
	warn(text)
}

// Ahead implements piece.Crew.
func (r *Crew) Ahead() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.window
}

// Do implements piece.Crew.
func (r *Crew) Do(ctx context.Context, now, ahead []piece.Piece, take func(k int, res piece.Result) error) error {
	queue := make([]piece.Piece, 0, len(now)+len(ahead))
	queue = append(append(queue, now...), ahead...)
	next := 0
	for k := 0; k < len(now); {
		r.mu.Lock()
		out, ok := r.held[now[k].Key]
		err, changed := r.err, r.changed
		var more []piece.Piece
		for ; next < len(queue) && len(r.open)+len(more) < r.window; next++ {
			p := queue[next]
			_, have := r.held[p.Key]
			_, open := r.open[p.Key]
			if !have && !open && r.stored[resultSubject(r.Job.ID, p.Key)] == 0 {
				more = append(more, p)
			}
		}
		r.mu.Unlock()
		if err != nil {
			return err
		}
		if len(more) > 0 {
			if err := r.send(ctx, more); err != nil {
				return err
			}
			continue
		}
		if ok {
			if err := take(k, piece.Result{Data: out.data, Seconds: out.seconds}); err != nil {
				return err
			}
			r.mu.Lock()
			delete(r.held, now[k].Key)
			r.mu.Unlock()
			k++
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// send puts pieces into the queue. What the server does not take now is sent again by
// the watch; only what can never be taken is an error.
func (r *Crew) send(ctx context.Context, list []piece.Piece) error {
	for _, p := range list {
		if len(p.Ask) > MaxPayload-headroom {
			return fmt.Errorf("%w: piece %s asks with %d bytes, at most %d go to a farm", ErrRefused, p.Key, len(p.Ask), MaxPayload-headroom)
		}
	}
	r.mu.Lock()
	for _, p := range list {
		if _, again := r.open[p.Key]; !again {
			r.known++
		}
		s := r.open[p.Key]
		r.open[p.Key] = sent{p, time.Now(), s.tries + 1}
	}
	r.mu.Unlock()
	var futures []jetstream.PubAckFuture
	for _, p := range list {
		m := &nats.Msg{Subject: taskSubject(r.Job.Engine.Sig(), r.Job.ID, p.Key), Data: p.Ask}
		f, err := r.c.js.PublishMsgAsync(m, jetstream.WithExpectLastSequencePerSubject(0))
		if err != nil {
			break // away, or too much at once: the watch comes back to it
		}
		futures = append(futures, f)
	}
	limit := time.NewTimer(5 * time.Second)
	defer limit.Stop()
	for _, f := range futures {
		select {
		case <-f.Ok():
		case err := <-f.Err():
			if full(err) && !there(err) {
				r.tell("the farm's queue is full; waiting")
			}
		case <-limit.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// read takes results as they are stored, from the first one on. It makes its consumer
// anew whenever anything is wrong with it, from where it is.
func (r *Crew) read(ctx context.Context) {
	from := uint64(1)
	for ctx.Err() == nil {
		if err := r.readFrom(ctx, &from); err != nil {
			select {
			case <-ctx.Done():
			case <-time.After(100 * time.Millisecond):
			}
		}
	}
}

func (r *Crew) readFrom(ctx context.Context, from *uint64) error {
	short, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	cons, err := r.c.js.CreateConsumer(short, resultStream, jetstream.ConsumerConfig{
		FilterSubject: resultSubject(r.Job.ID, "*"), AckPolicy: jetstream.AckNonePolicy, DeliverPolicy: jetstream.DeliverByStartSequencePolicy,
		OptStartSeq: *from, MemoryStorage: true, Replicas: 1, InactiveThreshold: time.Minute})
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		batch, err := cons.Fetch(256, jetstream.FetchMaxWait(2*time.Second))
		if err != nil {
			return err
		}
		for open := true; open; {
			var m jetstream.Msg
			select {
			case m, open = <-batch.Messages():
			case <-ctx.Done():
				return nil // the rest of the batch ends by itself
			}
			if !open {
				break
			}
			md, err := m.Metadata()
			if err != nil {
				return err
			}
			*from = md.Sequence.Stream + 1
			r.arrived(m)
		}
		if err := batch.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) {
			return err
		}
	}
	return nil
}

// arrived takes one stored result.
func (r *Crew) arrived(m jetstream.Msg) {
	key := m.Subject()[strings.LastIndexByte(m.Subject(), '.')+1:]
	h := m.Headers()
	out := outcome{data: m.Data(), worker: h.Get(headWorker), name: h.Get(headName)}
	out.seconds, _ = strconv.ParseFloat(h.Get(headSeconds), 64) // to plan with
	r.mu.Lock()
	defer r.mu.Unlock()
	if why := h.Get(headError); why != "" {
		r.fail(fmt.Errorf("%w: %s of job %s failed %d times, last on %s: %.300s", ErrPoison, key, r.Job.ID, maxDeliver, out.name, why))
		go r.forget(key)
		return
	}
	if base, second := strings.CutSuffix(key, checkSuffix); second {
		delete(r.open, key)
		if ch := r.checks[base]; ch != nil && ch.second == nil {
			ch.second = &out
			if string(ch.second.data) != string(ch.first.data) {
				r.wg.Go(func() { r.disagree(base, *ch) })
			} else {
				delete(r.checks, base)
			}
		}
		r.wake()
		return
	}
	if _, twice := r.held[key]; twice {
		return
	}
	s := r.open[key]
	delete(r.open, key)
	r.held[key] = out
	r.done++
	r.known = max(r.known, r.done)
	r.seconds += out.seconds
	if r.chosen(key) && s.piece.Ask != nil {
		r.checks[key] = &check{first: out}
		r.asks[key] = s.piece.Ask
	}
	r.wake()
}

// forget removes a failure, so that the next run of the job tries again.
func (r *Crew) forget(key string) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = r.c.purge(ctx, resultStream, resultSubject(r.Job.ID, key))
}

// chosen tells whether a piece is one of those that are checked: the same ones in each run.
func (r *Crew) chosen(key string) bool {
	if r.check <= 0 {
		return false
	}
	h := fnv.New32a()
	h.Write([]byte(r.Job.ID + key))
	return h.Sum32()%uint32(r.check) == 0
}

// wake tells Do that something has changed. r.mu is held.
func (r *Crew) wake() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// fail ends the job. r.mu is held.
func (r *Crew) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.wake()
}

// advised hears that a task was given out as often as it may be, without a result:
// whoever ran it died.
func (r *Crew) advised(m *nats.Msg) {
	var a struct {
		Seq uint64 `json:"stream_seq"`
	}
	if json.Unmarshal(m.Data, &a) != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	s, err := r.c.js.Stream(ctx, taskStream)
	if err != nil {
		return
	}
	raw, err := s.GetMsg(ctx, a.Seq)
	if err != nil || !strings.HasPrefix(raw.Subject, taskSubject(r.Job.Engine.Sig(), r.Job.ID, "")) {
		return // stored in the meantime, or of another job
	}
	key := raw.Subject[strings.LastIndexByte(raw.Subject, '.')+1:]
	_ = r.c.purge(ctx, taskStream, raw.Subject)
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, done := r.held[key]; done {
		return
	}
	if base, second := strings.CutSuffix(key, checkSuffix); second {
		delete(r.checks, base) // nobody else could check it
		delete(r.open, key)
		return
	}
	r.fail(fmt.Errorf("%w: %s of job %s was begun %d times and never finished: the machines that ran it died or stood still", ErrPoison, key, r.Job.ID, maxDeliver))
}

// Close ends the crew. Of a finished job nothing is left on the farm; of another the
// results stay, so that the same command goes on from them.
func (r *Crew) Close(ctx context.Context, finished bool) error {
	var err error
	if finished {
		err = r.settle(ctx)
	}
	r.cancel()
	r.wg.Wait()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if finished && err == nil {
		return r.c.clear(ctx, r.Job.ID)
	}
	return errors.Join(err, r.c.purge(ctx, taskStream, taskSubject("*", r.Job.ID, "*")),
		r.c.purge(ctx, "KV_"+beatBucket, "$KV."+beatBucket+".job."+r.Job.ID))
}

// clear removes all that the farm holds of a job.
func (c *Client) clear(ctx context.Context, id string) error {
	return errors.Join(c.purge(ctx, taskStream, taskSubject("*", id, "*")), c.purge(ctx, "KV_"+jobBucket, jobSubject(id)),
		c.purge(ctx, resultStream, resultSubject(id, "*")), c.purge(ctx, "KV_"+beatBucket, "$KV."+beatBucket+".job."+id))
}
