package farm

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"fibsbot/internal/shard"
)

// Crew runs the pieces of one job on a farm. It implements shard.Crew. Nothing of it is kept: a
// new Crew for the same job finds the results on the server.
type Crew struct {
	Job Job

	c       *Client
	command Command
	cancel  context.CancelFunc
	wg      sync.WaitGroup
	// judging is locked while the judge runs.
	judging sync.Mutex

	tenure // of watch, and of Close after it

	mu      sync.Mutex    // guards what follows
	err     error         // ends the job
	changed chan struct{} // closed when something arrived
	backlog
	checking
	roster
}

// outcome is a stored result of the worker with the key id, or "" for this process. name is
// the machine's name for itself.
type outcome struct {
	data     []byte
	sum      [sha256.Size]byte // of data, which is dropped when it was taken
	seconds  float64
	id, name string
}

// Command is what the command that submits a job gives its crew.
type Command struct {
	// Size returns the size of the pieces of a new job, which the job keeps.
	Size func() (int, error)
	// Warn, if not nil, receives warnings for the user.
	Warn func(string)
	// Judge, if not nil, is a trusted runner of pieces, which decides which of two machines is wrong.
	Judge shard.Runner
	// Measure, if not nil, returns the share of a piece in the result of the job. With it the pieces
	// that decide the result are found and run again.
	Measure func(ask, data []byte) shard.Share
}

// Expect sets the largest number of pieces, or 0 if unknown, and how many of them were taken
// in earlier runs.
func (r *Crew) Expect(pieces, taken int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.expect = pieces; r.resumed && pieces > 0 {
		r.expect += taken // their results are still there and counted
	}
}

// Audit returns which share of the job ran again.
func (r *Crew) Audit() Audit {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.report()
}

func (r *Crew) tell(text string) {
	if r.command.Warn != nil {
		r.command.Warn(text)
	}
}

// Ahead implements shard.Crew.
func (r *Crew) Ahead() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.window
}

// Do implements shard.Crew.
func (r *Crew) Do(ctx context.Context, now, ahead []shard.Piece, take func(k int, res shard.Result) error) error {
	queue := make([]shard.Piece, 0, len(now)+len(ahead))
	queue = append(append(queue, now...), ahead...)
	next := 0
	for k := 0; k < len(now); {
		r.mu.Lock()
		out, ok := r.held[now[k].Key]
		err, changed := r.err, r.changed
		// Earlier ones were taken, perhaps while the window was full.
		more, at := r.missing(queue, max(next, k))
		next = at
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
				return r.refused(ctx, now[k], out, err)
			}
			r.mu.Lock()
			delete(r.held, now[k].Key)
			r.choose(now[k], out, len(r.keys) < 2)
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

// refused returns the error for a result that could not be taken. A false one is that of its
// machine, which is left out.
func (r *Crew) refused(ctx context.Context, p shard.Piece, out outcome, err error) error {
	if out.id == "" || ctx.Err() != nil {
		return err
	}
	if right, failed := r.judged(ctx, p.Ask); failed != nil || sha256.Sum256(right) == out.sum {
		return err
	}
	r.disagree(p.Key, check{ask: p.Ask, first: out, second: &outcome{name: "this process"}})
	r.mu.Lock()
	defer r.mu.Unlock()
	return cmp.Or(r.err, err)
}

// send queues pieces. findLost sends again, with again set, what the server does not take now;
// only what it can never take is an error.
func (r *Crew) send(ctx context.Context, list []shard.Piece, again bool) error {
	for _, p := range list {
		if len(p.Ask) > maxPayload-headroom {
			return fmt.Errorf("%w: piece %s has a question of %d bytes (at most %d)", ErrRefused, p.Key, len(p.Ask), maxPayload-headroom)
		}
	}
	r.mu.Lock()
	list = r.enter(list, again)
	r.mu.Unlock()
	var futures []jetstream.PubAckFuture
	for _, p := range list {
		m := &nats.Msg{Subject: taskSubject(r.Job.Engine.Sig(), r.Job.ID, p.Key), Data: p.Ask}
		f, err := r.c.js.PublishMsgAsync(m, jetstream.WithExpectLastSequencePerSubject(0))
		if err != nil {
			break // disconnected, or too much at once: findLost sends it again
		}
		futures = append(futures, f)
	}
	limit := time.NewTimer(5 * time.Second)
	defer limit.Stop()
	for _, f := range futures {
		select {
		case <-f.Ok():
		case err := <-f.Err():
			if full(err) && !alreadyStored(err) {
				r.tell("the farm's queue is full; waiting for room")
			}
		case <-limit.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// errMissed means that results which the server sent did not arrive.
var errMissed = errors.New("results were lost on the way")

// read reads all results in the order in which they were stored. After any error it makes a
// new consumer that continues there.
func (r *Crew) read(ctx context.Context) {
	from, server := uint64(1), r.c.nc.ConnectedServerId()
	for ctx.Err() == nil {
		// A restarted server may have dropped damaged results and reuse their numbers.
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
	cons, err := r.c.js.CreateConsumer(ctx, resultStream, jetstream.ConsumerConfig{
		FilterSubject: resultsOf(r.Job.ID), AckPolicy: jetstream.AckNonePolicy, DeliverPolicy: jetstream.DeliverByStartSequencePolicy,
		OptStartSeq: *from, MemoryStorage: true, Replicas: 1, InactiveThreshold: time.Minute})
	if err != nil {
		return err
	}
	defer func() { // it would expire in a minute, but there may be hundreds of short jobs
		if r.c.nc.IsConnected() {
			short, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			defer cancel()
			_ = r.c.js.DeleteConsumer(short, resultStream, cons.CachedInfo().Name)
		}
	}()
	// The server numbers what it sends. Messages lost with a connection show as a gap in the
	// numbers or, if nothing followed them, in the server's count.
	for count, deaf := uint64(0), 0; ctx.Err() == nil; {
		before := count
		batch, err := cons.Fetch(256, jetstream.FetchMaxWait(2*r.c.pace.beat))
		if err != nil {
			return err
		}
		for open := true; open; {
			var m jetstream.Msg
			select {
			case m, open = <-batch.Messages():
			case <-ctx.Done():
				return nil // the batch expires
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
		r.mu.Lock()
		if r.toRead > 0 { // a cancel, or age, has removed the others
			r.toRead = 0
			r.wake()
		}
		r.mu.Unlock()
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

// caughtUp returns errMissed unless all messages that the server sent arrived. more means that
// the server has others and does not send them.
func caughtUp(ctx context.Context, cons jetstream.Consumer, count uint64) (more bool, err error) {
	i, err := cons.Info(ctx)
	if err != nil {
		return false, err
	}
	if i.Delivered.Consumer > count {
		return false, errMissed
	}
	return i.NumPending > 0, nil
}

// arrived handles one stored message about a piece. A message that no worker stored is
// removed: answers of the server can be directed to any subject.
func (r *Crew) arrived(m jetstream.Msg) {
	from, ok := parseResult(m.Subject())
	h := m.Headers()
	out := outcome{data: m.Data(), sum: sha256.Sum256(m.Data()), id: from.id, name: token(h.Get(headName))}
	out.seconds, _ = strconv.ParseFloat(h.Get(headSeconds), 64) // for planning only
	out.seconds = bounded(out.seconds)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.toRead--; r.toRead == 0 {
		r.wake()
	}
	key := from.piece
	b, banned := r.banned[from.id]
	switch ch := r.checks[key]; {
	case !ok || h.Get(headName) == "" || banned && !b.Fails:
		r.wg.Go(func() { r.remove(m.Subject()) })
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

// remove deletes a message that is not a result, so that one can be stored.
func (r *Crew) remove(subject string) {
	_ = r.c.purge(context.Background(), resultStream, subject) // the next run of the job tries again
}

// accept takes the first result of a piece. r.mu is held.
func (r *Crew) accept(key string, out outcome) {
	if r.take(key, maphash.String(r.salt, "accepted "+key), out) {
		r.wake()
	}
}

// failed handles a worker's report that it cannot run a piece. r.mu is held.
func (r *Crew) failed(key string, out outcome, h nats.Header) {
	why := short(h.Get(headError))
	because := fmt.Errorf("%w: piece %s of job %s failed %d times, last on %s: %s", ErrPoison, key, r.Job.ID, maxDeliver, out.name, why)
	if h.Get(headBig) != "" {
		because = fmt.Errorf("%w: piece %s of job %s: %s", ErrRefused, key, r.Job.ID, why)
	}
	switch s, open := r.open[key]; {
	case !open: // has a result, or was not sent
	case r.command.Judge == nil:
		r.fail(because)
	default:
		r.wg.Go(func() { r.failure(key, s.piece, out, because) })
	}
}

// second takes the second result of a piece. r.mu is held.
func (r *Crew) second(key string, ch *check, out outcome) {
	if out.sum == ch.first.sum {
		r.confirm(key, ch, out.name)
	} else {
		ch.second = &out
		now := *ch // it changes while this process judges
		r.wg.Go(func() { r.disagree(key, now) })
	}
	r.wake()
}

// wake wakes Do after a change. r.mu is held.
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

// advised handles the server's notice that a task was delivered maxDeliver times without a
// result: the workers that ran it died.
func (r *Crew) advised(m *nats.Msg) {
	var a struct {
		Seq uint64 `json:"stream_seq"`
	}
	if json.Unmarshal(m.Data, &a) != nil {
		return
	}
	ctx := context.Background()
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
		r.fail(fmt.Errorf("%w: piece %s of job %s was started %d times and never finished (its machines died or hung)", ErrPoison, key, r.Job.ID, maxDeliver))
	}
}

// Close ends the crew. A finished job leaves nothing on the farm. The results of another job
// stay, so that the same command resumes it.
func (r *Crew) Close(ctx context.Context, finished bool) error {
	var err error
	if finished {
		if err = r.finishChecks(ctx); err == nil {
			r.trust(ctx)
		}
	}
	r.cancel()
	r.wg.Wait()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	gone := r.checkOwner(ctx)
	if r.lost {
		return err
	}
	beats := beatSubject(r.Job.ID)
	tasks := r.c.purge(ctx, taskStream, taskSubject("*", r.Job.ID, "*"))
	if !finished || err != nil {
		err = errors.Join(err, tasks, r.c.purge(ctx, "KV_"+beatBucket, beats))
		if r.seq != 0 {
			_, _ = r.c.record(ctx, r.Job, nil, r.seq) // as in releaseJob
		}
		if gone == nil {
			r.count(ctx)
		}
		return err
	}
	// The record is removed last: until then no process starts the job again.
	err = errors.Join(tasks, r.c.purge(ctx, resultStream, resultsOf(r.Job.ID)), r.c.purge(ctx, "KV_"+beatBucket, beats),
		r.c.purge(ctx, "KV_"+jobBucket, jobSubject(r.Job.ID), upTo(r.seq)))
	r.c.news()
	return err
}

// clear removes everything of a job from the farm, its record first, which ends its owner.
func (c *Client) clear(ctx context.Context, id string) error {
	err := errors.Join(c.purge(ctx, "KV_"+jobBucket, jobSubject(id)), c.purge(ctx, taskStream, taskSubject("*", id, "*")),
		c.purge(ctx, resultStream, resultsOf(id)), c.purge(ctx, "KV_"+beatBucket, beatSubject(id)))
	c.news()
	return err
}
