package farm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"fibsbot/internal/shard"
)

// Crew has the pieces of one job run by a farm: a piece.Crew. Nothing of it needs to be
// kept: a new Crew for the same job finds on the server what was done.
type Crew struct {
	Job Job

	check int           // one piece in how many is run a second time
	salt  maphash.Seed  // of the choice: no machine knows which of its pieces it will be
	due   chan struct{} // holds something when a piece is to be checked
	warn  func(string)
	judge shard.Runner
	// judging is held by whoever runs the judge; ending tells that all pieces were taken:
	// then the judge makes the checks that are due.
	judging sync.Mutex
	ending  bool

	c      *Client
	cancel context.CancelFunc
	wg     sync.WaitGroup

	// Of the watch, and of Close after it.
	seq        uint64 // the place of the job's record that names this process
	renewEvery time.Duration
	renewed    time.Time
	lost       bool // the job is another's now
	blind      int  // how often its record could not be read
	queue      standstill
	keep       time.Duration
	kept       Kept

	mu      sync.Mutex
	err     error // ends the job
	held    map[string]outcome
	stored  map[string]bool // pieces with results that were there already and are not read yet
	resumed bool            // there were some
	gone    int             // how often some of stored went
	// doneLately is done at the last look for those.
	doneLately int
	open       map[string]sent // sent and without a result
	checks     map[string]*check
	accepted   map[uint64]bool // pieces that have a result, by a hash of their keys
	taken      map[string]int  // how many results were taken, by the id of the worker's key
	falsely    map[string]int  // how many failures were found false, likewise
	banned     map[string]ban  // by the ids of keys that are left out
	window     int
	keys       map[string]int // live workers by the id of their key
	workers    map[string]seen
	done       int
	known      int // asked for, or there from an earlier run
	expect     int // of this job in all, 0 where nobody knows
	seconds    float64
	changed    chan struct{} // closed when something arrived
}

// outcome is a stored result, of the worker with the key id, "" for this process. name is
// what its machine calls itself.
type outcome struct {
	data     []byte
	seconds  float64
	id, name string
}

// seen is a worker's last report, and when it came.
type seen struct {
	Report
	at time.Time
}

type sent struct {
	piece shard.Piece
	at    time.Time
	tries int
}

// check is a piece that runs a second time. What it has in the queue looks like any task, and
// takes no room of pieces there.
type check struct {
	ask    []byte
	first  outcome
	second *outcome
	sent   time.Time // when it was put into the queue last, zero for never
	tries  int       // how often
	here   bool      // this process runs it, or will
}

// SetWarn says who is told what a person should know.
func (r *Crew) SetWarn(warn func(string)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warn = warn
}

// Expect says how many pieces there will be at most, 0 where nobody knows, and how many
// of the job's were taken in earlier runs.
func (r *Crew) Expect(pieces, taken int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.expect = pieces; r.resumed && pieces > 0 {
		r.expect += taken // their results are still there and counted
	}
}

// SetJudge gives a runner of pieces that is trusted, to tell which of two machines is
// wrong.
func (r *Crew) SetJudge(judge shard.Runner) {
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
func (r *Crew) Do(ctx context.Context, now, ahead []shard.Piece, take func(k int, res shard.Result) error) error {
	queue := make([]shard.Piece, 0, len(now)+len(ahead))
	queue = append(append(queue, now...), ahead...)
	next, gone := 0, 0
	for k := 0; k < len(now); {
		r.mu.Lock()
		if gone != r.gone { // what was there has to be run after all
			next, gone = k, r.gone
		}
		next = max(next, k) // those before were taken, perhaps while the window had no room
		out, ok := r.held[now[k].Key]
		err, changed := r.err, r.changed
		var more []shard.Piece
		for ; next < len(queue) && len(r.open)+len(more) < r.window; next++ {
			p := queue[next]
			_, have := r.held[p.Key]
			_, open := r.open[p.Key]
			if !have && !open && !r.stored[p.Key] {
				more = append(more, p)
			}
		}
		r.mu.Unlock()
		if err != nil {
			return err
		}
		if len(more) > 0 {
			if err := r.send(ctx, more, false); err != nil {
				return err
			}
			continue
		}
		if ok {
			if err := take(k, shard.Result{Data: out.data, Seconds: out.seconds}); err != nil {
				return err
			}
			r.mu.Lock()
			delete(r.held, now[k].Key)
			r.choose(now[k], out)
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
// the watch, which says that it comes again; only what can never be taken is an error.
func (r *Crew) send(ctx context.Context, list []shard.Piece, again bool) error {
	for _, p := range list {
		if len(p.Ask) > MaxPayload-headroom {
			return fmt.Errorf("%w: piece %s asks with %d bytes, at most %d go to a farm", ErrRefused, p.Key, len(p.Ask), MaxPayload-headroom)
		}
	}
	r.mu.Lock()
	list = slices.DeleteFunc(list, func(p shard.Piece) bool {
		// A result may have come since whoever calls has looked. It does not come twice: the
		// piece would be out for ever.
		s, open := r.open[p.Key]
		if _, held := r.held[p.Key]; held || again && !open {
			return true
		}
		if !open {
			r.known++
		}
		r.open[p.Key] = sent{p, time.Now(), s.tries + 1}
		return false
	})
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

// errMissed is a result that the server has sent and that did not come.
var errMissed = errors.New("results were lost on the way")

// read takes results as they are stored, from the first one on. It makes its consumer
// anew whenever anything is wrong with it, from where it is.
func (r *Crew) read(ctx context.Context) {
	from, server := uint64(1), r.c.nc.ConnectedServerId()
	for ctx.Err() == nil {
		// A server that was started again may have dropped damaged results, and stores others
		// in their places.
		if now := r.c.nc.ConnectedServerId(); now != server && now != "" {
			from, server = 1, now
		}
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
		FilterSubject: resultsOf(r.Job.ID), AckPolicy: jetstream.AckNonePolicy, DeliverPolicy: jetstream.DeliverByStartSequencePolicy,
		OptStartSeq: *from, MemoryStorage: true, Replicas: 1, InactiveThreshold: time.Minute})
	if err != nil {
		return err
	}
	defer func() { // it would go by itself in a minute, but jobs may come and go by the hundred
		if r.c.nc.IsConnected() {
			short, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			defer cancel()
			_ = r.c.js.DeleteConsumer(short, resultStream, cons.CachedInfo().Name)
		}
	}()
	// The server counts what it sends. What went into a connection that broke counts as sent:
	// a gap in the numbers shows it, or, where nothing came after it, the server's count.
	for count, deaf := uint64(0), 0; ctx.Err() == nil; {
		before := count
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
			if count++; md.Sequence.Consumer != count {
				return errMissed
			}
			*from = md.Sequence.Stream + 1
			r.arrived(m)
		}
		if err := batch.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) {
			return err
		}
		if count != before {
			deaf = 0
			continue
		}
		more, err := caughtUp(ctx, cons, count)
		if err != nil {
			return err
		}
		if deaf++; !more {
			deaf = 0
		}
		if deaf == deafAfter {
			r.mu.Lock()
			r.fail(ErrDamaged)
			r.mu.Unlock()
		}
	}
	return nil
}

// caughtUp sees that all came that the server has sent. more tells that it has others, and
// does not send them.
func caughtUp(ctx context.Context, cons jetstream.Consumer, count uint64) (more bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	i, err := cons.Info(ctx)
	if err != nil {
		return false, err
	}
	if i.Delivered.Consumer > count {
		return false, errMissed
	}
	return i.NumPending > 0, nil
}

// arrived takes one stored message about a piece. What was not stored by a worker itself is
// thrown away: answers of the server can be led to any subject.
func (r *Crew) arrived(m jetstream.Msg) {
	from, ok := parseResult(m.Subject())
	h := m.Headers()
	out := outcome{data: m.Data(), id: from.id, name: token(h.Get(headName))}
	out.seconds, _ = strconv.ParseFloat(h.Get(headSeconds), 64) // to plan with
	out.seconds = bounded(out.seconds)
	r.mu.Lock()
	defer r.mu.Unlock()
	key := from.piece
	b, banned := r.banned[from.id]
	switch ch := r.checks[key]; {
	case !ok || h.Get(headName) == "" || banned && !b.Fails:
		r.wg.Go(func() { r.remove(m.Subject()) })
		if r.stored[key] {
			delete(r.stored, key)
			r.gone++
		}
		r.wake()
	case from.failed:
		r.failed(key, out, h)
	case ch != nil:
		if ch.first.id != from.id && ch.second == nil {
			r.second(key, ch, out)
		}
	default:
		r.accept(key, out)
	}
}

// remove takes a message away that is not a result, so that there is room for one.
func (r *Crew) remove(subject string) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = r.c.purge(ctx, resultStream, subject) // the next run of the job tries again
}

// accept takes the result of a piece, unless there is one. r.mu is held.
func (r *Crew) accept(key string, out outcome) {
	delete(r.stored, key)
	delete(r.open, key)
	mark := maphash.String(r.salt, "accepted "+key)
	if r.accepted[mark] {
		return
	}
	r.accepted[mark] = true
	r.held[key] = out
	r.done++
	r.known = max(r.known, r.done)
	r.seconds += out.seconds
	r.wake()
}

// failed takes a worker's word that it cannot run a piece. r.mu is held.
func (r *Crew) failed(key string, out outcome, h nats.Header) {
	why := short(h.Get(headError))
	because := fmt.Errorf("%w: %s of job %s failed %d times, last on %s: %s", ErrPoison, key, r.Job.ID, maxDeliver, out.name, why)
	if h.Get(headBig) != "" {
		because = fmt.Errorf("%w: piece %s of job %s: %s", ErrRefused, key, r.Job.ID, why)
	}
	switch s, open := r.open[key]; {
	case !open: // it has a result, or is not asked for
	case r.judge == nil:
		r.fail(because)
	default:
		r.wg.Go(func() { r.failure(key, s.piece, out, because) })
	}
}

// choose has a piece run a second time now and then: a key's first result, fewer of its next
// ones, and one in r.check of all. r.mu is held.
func (r *Crew) choose(p shard.Piece, out outcome) {
	r.taken[out.id]++
	n := uint64(r.taken[out.id])
	if r.check <= 0 || out.id == "" || r.checks[p.Key] != nil {
		return
	}
	room := mostChecks
	if len(r.keys) < 2 {
		room = mostHere
	}
	if dice := maphash.String(r.salt, p.Key); dice%(n*n) != 0 && (dice%uint64(r.check) != 0 || len(r.checks) >= room) {
		return
	}
	r.checks[p.Key] = &check{ask: p.Ask, first: out}
	select {
	case r.due <- struct{}{}:
	default:
	}
}

// second takes the other result of a piece. r.mu is held.
func (r *Crew) second(key string, ch *check, out outcome) {
	if string(out.data) == string(ch.first.data) {
		delete(r.checks, key)
	} else {
		ch.second = &out
		r.wg.Go(func() { r.disagree(key, *ch) })
	}
	r.wake()
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
	if ch := r.checks[key]; ch != nil {
		ch.tries = mostTries // no other worker could check it
	}
	if _, open := r.open[key]; open {
		r.fail(fmt.Errorf("%w: %s of job %s was begun %d times and never finished: the machines that ran it died or stood still", ErrPoison, key, r.Job.ID, maxDeliver))
	}
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
	gone := r.mine(ctx) // what it says of others matters, not how the job ended
	if r.lost {
		return err
	}
	beats := beatSubject(r.Job.ID)
	tasks := r.c.purge(ctx, taskStream, taskSubject("*", r.Job.ID, "*"))
	if !finished || err != nil {
		err = errors.Join(err, tasks, r.c.purge(ctx, "KV_"+beatBucket, beats))
		if r.seq != 0 {
			_, _ = r.c.record(ctx, r.Job, nil, r.seq) // as in putDown
		}
		if gone == nil {
			r.count(ctx)
		}
		return err
	}
	// The record goes last: until then nobody begins the job anew.
	err = errors.Join(tasks, r.c.purge(ctx, resultStream, resultsOf(r.Job.ID)), r.c.purge(ctx, "KV_"+beatBucket, beats),
		r.c.purgeTo(ctx, "KV_"+jobBucket, jobSubject(r.Job.ID), r.seq))
	r.c.news()
	return err
}

// clear removes all that the farm holds of a job, its record first: who runs it ends.
func (c *Client) clear(ctx context.Context, id string) error {
	err := errors.Join(c.purge(ctx, "KV_"+jobBucket, jobSubject(id)), c.purge(ctx, taskStream, taskSubject("*", id, "*")),
		c.purge(ctx, resultStream, resultsOf(id)), c.purge(ctx, "KV_"+beatBucket, beatSubject(id)))
	c.news()
	return err
}
