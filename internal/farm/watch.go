package farm

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"fibsbot/internal/panics"
	"fibsbot/internal/shard"
)

const (
	// mostLost is how often a piece may be lost before it is given up.
	mostLost = 20
	// lonelyAfter is the number of looks without a worker before the user is warned.
	lonelyAfter = 5
	// mostTries is how often a check is queued before this process makes it, checksAtOnce how
	// many are queued at a time: watch must report the job as well.
	mostTries, checksAtOnce = 4, 16
	// mostChecks bounds the checks under way, mostHere those that this process makes: more
	// would delay the end.
	mostChecks, mostHere = 128, 16
	// judgeLimit bounds a piece that runs here because machines disagree.
	judgeLimit = 10 * time.Minute
)

// tenure is how this process holds the job: its record on the farm, and what stays of it.
type tenure struct {
	seq        uint64 // of the job's record with this process as owner
	renewEvery time.Duration
	renewed    time.Time // when the record was written last
	lost       bool      // the job belongs to another process now
	blind      int       // failed reads of its record in a row
	standstill standstill
	keep       time.Duration // how long the farm keeps results
	kept       Kept
}

// expired reports whether the farm may have removed the job's record because of its age: this
// machine slept, or could not reach the farm for so long.
func (t *tenure) expired() bool { return t.keep > 0 && time.Since(t.renewed) >= t.keep }

// watch reports the job, notices its end, queues its checks, and queues lost pieces again.
func (r *Crew) watch(ctx context.Context) {
	host, _ := os.Hostname()
	tick := time.NewTicker(r.c.pace.beat)
	defer tick.Stop()
	began, doneThen := time.Now(), 0
	b := beat{Host: host, PID: os.Getpid()}
	heard := r.c.hear(ctx)
	server, restarted := r.c.nc.ConnectedServerId(), false
	for n, news, waits := 0, true, 0; ; n++ {
		r.mu.Lock()
		if now := r.c.nc.ConnectedServerId(); now != server && now != "" {
			server = now
			r.findLostSoon(&r.c.pace)
			restarted = true
		}
		b.Done, b.Known, b.Seconds, b.Window, b.Audit = r.done, max(r.known, r.expect), r.seconds, r.window, r.report()
		r.mu.Unlock()
		if restarted && r.c.makeReader(ctx, r.Job.Engine.Sig()) == nil {
			restarted = false
		}
		if since := time.Since(began).Seconds(); since >= 5 {
			b.Rate = float64(b.Done-doneThen) / since
			began, doneThen = time.Now(), b.Done
		}
		_ = r.c.beat(ctx, beatSubject(r.Job.ID), b) // the next one repeats it
		if news || n%5 == 4 {
			_ = r.readBans(ctx) // the next look tries again
			if err := r.checkOwner(ctx); err != nil && ctx.Err() == nil {
				r.mu.Lock()
				r.fail(err)
				r.mu.Unlock()
				return
			}
		}
		r.renew(ctx)
		news = false
		if waits++; r.size() {
			waits = 0
		}
		if waits == lonelyAfter {
			r.mu.Lock()
			why := r.whyNone(&r.Job)
			r.mu.Unlock()
			r.tell(why)
		}
		r.sendChecks(ctx)
		if n%3 == 2 {
			r.findLost(ctx)
		}
		for waiting := true; waiting; {
			select {
			case <-ctx.Done():
				return
			case <-r.c.closed:
				r.mu.Lock()
				r.fail(fmt.Errorf("%w: the key was withdrawn", ErrRefused))
				r.mu.Unlock()
				return
			case <-r.due:
				r.sendChecks(ctx)
			case <-heard:
				news, waiting = true, false
			case <-tick.C:
				waiting = false
			}
		}
	}
}

// checkOwner checks that the job still exists and belongs to this process. It returns nil if that
// cannot be found out now.
func (r *Crew) checkOwner(ctx context.Context) error {
	j, seq, ok, err := r.c.jobAt(ctx, r.Job.ID)
	if err == nil {
		r.blind = 0
	}
	switch {
	case err != nil && r.c.nc.IsConnected():
		if r.blind++; r.blind == blindAfter {
			return fmt.Errorf("job %s: %w", r.Job.ID, ErrDamaged)
		}
		return nil
	case err != nil:
		return nil
	case !ok:
		// One server of a cluster may not know of it yet; the leader does.
		if ids, err := r.c.jobs(ctx); err != nil || slices.Contains(ids, r.Job.ID) {
			return nil
		}
		if r.expired() {
			_ = r.write(ctx, seq) // the next look tries again
			return nil
		}
		r.seq = 0
		return fmt.Errorf("%w: %s (if no one did that, the store was damaged: the same command runs it again)", ErrCancelled, r.Job.ID)
	case seq < r.seq && (j.Owner == nil || j.Owner.ID != r.Job.Owner.ID): // likewise
		return nil
	case j.Owner == nil || j.Owner.ID != r.Job.Owner.ID:
		r.lost = true
		by := "no process"
		if j.Owner != nil {
			by = fmt.Sprintf("process %d on %.60q", j.Owner.PID, j.Owner.Host)
		}
		return fmt.Errorf("%w: job %s now belongs to %s, because this process was not heard of for a while; stored results stay", ErrRefused, r.Job.ID, by)
	}
	r.seq = seq // the answer to a renewal may have been lost, or the server stored it again
	return nil
}

// renew writes the job's record again before it expires, and after the clock was set.
func (r *Crew) renew(ctx context.Context) {
	if r.seq != 0 && r.renewEvery > 0 && time.Since(r.renewed).Abs() >= r.renewEvery {
		_ = r.write(ctx, r.seq) // the next look tries again
	}
}

// write writes the job's record again if the one with the number after is still the last, or if
// after is 0 and there is none.
func (r *Crew) write(ctx context.Context, after uint64) error {
	began := calendarNow()
	seq, err := r.c.record(ctx, r.Job, r.Job.Owner, after)
	if err == nil {
		r.seq, r.renewed = seq, began
	}
	return err
}

// calendarNow is the time without the monotonic reading, which hides a changed clock or a machine
// that slept.
func calendarNow() time.Time { return time.Now().Round(0) }

// follow subscribes to the reports of workers and reads the present ones.
func (r *Crew) follow(ctx context.Context) error {
	keep := func(subject string, w Report, here bool) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.note(subject, w, here)
	}
	sub, err := r.c.nc.Subscribe(reportSubject("*", "*"), func(m *nats.Msg) {
		w, here := readReport(m.Subject, m.Data)
		keep(m.Subject, w, here)
	})
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { _ = sub.Unsubscribe() })
	list, err := r.c.workers(ctx)
	for _, w := range list {
		keep(reportSubject(w.Key, w.ID), w, true)
	}
	return err
}

// size sets the window to two pieces for each core of the farm, and reports whether there are
// any cores.
func (r *Crew) size() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	cores := r.cores(r.Job.ID)
	r.window = min(max(16, 2*cores+8), 20_000)
	r.wake()
	return cores > 0
}

// sendChecks queues pieces a second time, unchanged, so that no machine can recognise a check.
// A check that the same key draws is queued again.
func (r *Crew) sendChecks(ctx context.Context) {
	r.mu.Lock()
	list, here := r.next(r.keys, r.command.Judge != nil, r.c.pace.ackWait)
	for _, key := range here {
		r.wg.Go(func() { r.checkHere(ctx, key) })
	}
	r.mu.Unlock()
	for key, ask := range list {
		fresh, err := r.c.put(ctx, &nats.Msg{Subject: taskSubject(r.Job.Engine.Sig(), r.Job.ID, key), Data: ask})
		if err != nil {
			return
		}
		r.mu.Lock()
		if ch := r.checks[key]; ch != nil && fresh { // else it is in the queue
			ch.tries++
		}
		r.mu.Unlock()
	}
}

// checkHere runs a piece a second time in this process, unless another machine has done so.
func (r *Crew) checkHere(ctx context.Context, key string) {
	r.mu.Lock()
	ch := r.checks[key]
	due := ch != nil && ch.second == nil
	r.mu.Unlock()
	if !due {
		return
	}
	right, err := r.judged(ctx, ch.ask)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.checks[key] != ch || ch.second != nil {
		return
	}
	switch {
	case ctx.Err() != nil: // the job ends without it, or finishChecks says why not
		return
	case err != nil && ch.must:
		r.fail(fmt.Errorf("%w about piece %s of job %s: %s ran it, this process cannot: %w", ErrDisagree, key, r.Job.ID, ch.first.name, err))
		return
	case err != nil:
		delete(r.checks, key)
		r.wake()
		return
	}
	host, _ := os.Hostname()
	r.second(key, ch, outcome{data: right, sum: sha256.Sum256(right), name: "this process on " + host})
}

// errNoJudge means that this process runs no pieces.
var errNoJudge = errors.New("this process cannot run pieces")

// judged runs a piece in this process.
func (r *Crew) judged(ctx context.Context, ask []byte) (data []byte, err error) {
	r.judging.Lock()
	defer r.judging.Unlock()
	if r.command.Judge == nil {
		return nil, errNoJudge
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	defer panics.Recover(&err)
	return r.command.Judge.Run(ctx, ask)
}

// findLost queues pieces again that have no result and are not in the queue any more.
func (r *Crew) findLost(ctx context.Context) {
	r.mu.Lock()
	late, idle := r.late(r.c.pace.lostAfter), r.idle(r.Job.ID)
	r.mu.Unlock()
	if len(late) == 0 {
		return
	}
	have, err := r.c.subjects(ctx, taskStream, taskSubject("*", r.Job.ID, "*"))
	if err != nil {
		return
	}
	// A task that is neither pending nor running was delivered maxDeliver times while we did
	// not listen.
	cons, err := r.c.reader(ctx, r.Job.Engine.Sig())
	switch {
	case errors.Is(err, jetstream.ErrConsumerNotFound): // the server has lost it
		if r.c.makeReader(ctx, r.Job.Engine.Sig()) != nil {
			return
		}
	case err == nil:
		i := cons.CachedInfo()
		still := r.standstill.look(i, idle)
		if still == hopelessAfter {
			r.mu.Lock()
			r.fail(ErrDamaged)
			r.mu.Unlock()
			return
		}
		if (i.NumPending+uint64(i.NumAckPending) == 0 || still == clearAfter) && len(have) > 0 && r.c.purge(ctx, taskStream, taskSubject("*", r.Job.ID, "*")) == nil {
			have = nil
		}
	}
	var lost []shard.Piece
	for _, p := range late {
		if have[taskSubject(r.Job.Engine.Sig(), r.Job.ID, p.Key)] > 0 {
			continue
		}
		r.mu.Lock()
		s, open := r.open[p.Key]
		r.mu.Unlock()
		unread := open && s.tries == unreadAfter && r.unread(ctx, p.Key)
		r.mu.Lock()
		switch {
		case !open:
		case unread:
			r.fail(ErrDamaged)
		case s.tries > mostLost:
			r.fail(fmt.Errorf("%w: %s of job %s was lost %d times", ErrPoison, p.Key, r.Job.ID, s.tries))
		}
		r.mu.Unlock()
		if open {
			lost = append(lost, p)
		}
	}
	_ = r.send(ctx, lost, true) // the next look sends what was not taken
}

// finishChecks waits for the checks that are still due. This process makes those that are not
// under way.
func (r *Crew) finishChecks(ctx context.Context) error {
	r.mu.Lock()
	r.end()
	r.mu.Unlock()
	r.sendChecks(ctx)
	limit, least := time.NewTimer(r.c.pace.checkWait), -1
	defer limit.Stop()
	for {
		r.mu.Lock()
		err, changed := r.err, r.changed
		left, must := r.left()
		if r.command.Judge == nil {
			must = 0
		}
		r.mu.Unlock()
		if err != nil || left == 0 {
			return err
		}
		if least < 0 || left < least { // they are being made
			least = left
			limit.Reset(r.c.pace.checkWait)
		}
		select {
		case <-changed:
		case <-limit.C:
			if must > 0 { // this process is at work on them
				limit.Reset(r.c.pace.checkWait)
				continue
			}
			r.tell(fmt.Sprintf("%d pieces were not checked by a second machine", left))
			return nil
		case <-ctx.Done():
			if must > 0 {
				return fmt.Errorf("%w before %d pieces that decide the result were run again (the same command continues)", ctx.Err(), must)
			}
			return nil // the results stand
		}
	}
}

// workers lists the reports of live workers.
func (c *Client) workers(ctx context.Context) (out []Report, err error) {
	list, err := c.newest(ctx, "KV_"+beatBucket, reportSubject("*", "*"))
	for s, data := range list {
		if w, here := readReport(s, data); here {
			out = append(out, w)
		}
	}
	return out, err
}
