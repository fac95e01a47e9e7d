package farm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"fibsbot/internal/panics"
	"fibsbot/internal/shard"
)

const (
	// lostAfter is when a piece without a result is looked for.
	lostAfter = 2 * ackWait
	// mostLost is how often a piece may be lost before it is given up.
	mostLost = 20
	// lonelyAfter is after how many looks without a worker the command says so.
	lonelyAfter = 5
	// checkPatience is how long the end of a job waits for the next of its checks.
	checkPatience = 30 * time.Second
	// mostTries is how often a check is put into the queue before it is made here, checksAtOnce
	// how many are put there at a time: the watch has to report the job as well.
	mostTries, checksAtOnce = 4, 16
	// mostChecks bounds the checks that are under way, mostHere those of them that this process
	// makes: more would hold the end.
	mostChecks, mostHere = 128, 16
	// judgeLimit bounds a piece that is run here because machines disagree about it.
	judgeLimit = 10 * time.Minute
)

// watch reports the job, hears of its cancelling, sends its checks, and asks again for
// pieces that the queue has lost.
func (r *Crew) watch(ctx context.Context) {
	host, _ := os.Hostname()
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	began, doneThen := time.Now(), 0
	b := beat{Host: host, PID: os.Getpid()}
	heard := r.c.hear(ctx)
	server, restarted := r.c.nc.ConnectedServerId(), false
	for n, news, waits := 0, true, 0; ; n++ {
		r.mu.Lock()
		if now := r.c.nc.ConnectedServerId(); now != server && now != "" {
			server = now
			r.hurry()
			restarted = true
		}
		b.Done, b.Known, b.Seconds, b.Window = r.done, max(r.known, r.expect), r.seconds, r.window
		r.mu.Unlock()
		if restarted && r.c.makeReader(ctx, r.Job.Engine.Sig()) == nil {
			restarted = false
		}
		if since := time.Since(began).Seconds(); since >= 5 {
			b.Rate = float64(b.Done-doneThen) / since
			began, doneThen = time.Now(), b.Done
		}
		_ = r.c.beat(ctx, beatSubject(r.Job.ID), b) // the next one says the same
		if news || n%5 == 4 {
			_ = r.readBans(ctx) // the next look tries again
			if err := r.mine(ctx); err != nil && ctx.Err() == nil {
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
			r.tell(r.lonely())
		}
		r.sendChecks(ctx)
		if n%3 == 2 {
			r.findLost(ctx)
			r.findGone(ctx)
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

// hurry has the pieces that are out looked for soon: a server that was started again has no
// queue. Workers may still store those that they have begun. r.mu is held.
func (r *Crew) hurry() {
	for key, s := range r.open {
		if at := time.Now().Add(ackWait/2 - lostAfter); s.at.After(at) {
			s.at = at
			r.open[key] = s
		}
	}
}

// mine sees whether the job is still there and this process's. What cannot be found out
// now is no error.
func (r *Crew) mine(ctx context.Context) error {
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
		r.seq = 0
		return fmt.Errorf("%w: %s (if no one did that, the store was damaged: the same command runs it again)", ErrCancelled, r.Job.ID)
	case seq < r.seq && (j.Owner == nil || j.Owner.ID != r.Job.Owner.ID): // likewise
		return nil
	case j.Owner == nil || j.Owner.ID != r.Job.Owner.ID:
		r.lost = true
		by := "nobody"
		if j.Owner != nil {
			by = fmt.Sprintf("process %d on %.60q", j.Owner.PID, j.Owner.Host)
		}
		return fmt.Errorf("%w: job %s is run by %s now, which has not heard of this process for a while; results that are there stay", ErrRefused, r.Job.ID, by)
	}
	r.seq = seq // the answer to a renewal may have been lost, or the server has stored it again
	return nil
}

// renew writes the job's record again before it grows too old.
func (r *Crew) renew(ctx context.Context) {
	if r.renewed.IsZero() {
		r.renewed = time.Now()
	}
	if r.seq == 0 || r.renewEvery <= 0 || time.Since(r.renewed) < r.renewEvery {
		return
	}
	if seq, err := r.c.record(ctx, r.Job, r.Job.Owner, r.seq); err == nil {
		r.seq, r.renewed = seq, time.Now()
	}
}

// findGone looks for results that were there when the job was submitted, are not read yet,
// and have been removed since, by a cancel or because they were too old: they are run again.
func (r *Crew) findGone(ctx context.Context) {
	r.mu.Lock()
	quiet := r.done == r.doneLately
	r.doneLately = r.done
	if left := len(r.stored); left == 0 || !quiet {
		r.mu.Unlock()
		return
	}
	r.mu.Unlock()
	have, err := r.c.subjects(ctx, resultStream, resultsOf(r.Job.ID))
	if err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	before := len(r.stored)
	there := pieces(have)
	maps.DeleteFunc(r.stored, func(key string, _ bool) bool { return !there[key] })
	if len(r.stored) != before {
		r.gone++
		r.wake()
	}
}

// mostWorkers bounds what is kept of reports.
const mostWorkers = 100_000

// follow keeps the reports of workers as they come, after those that are there.
func (r *Crew) follow(ctx context.Context) error {
	keep := func(subject string, w Report, here bool) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !here { // it has left
			delete(r.workers, subject)
		} else if _, known := r.workers[subject]; known || len(r.workers) < mostWorkers {
			r.workers[subject] = seen{w, time.Now()}
		}
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

// lonely says why nobody runs the job.
func (r *Crew) lonely() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.workers {
		if why := w.Refused[r.Job.ID]; why != "" {
			return fmt.Sprintf("job %s waits: no worker that is there fits it; %s: %.300s", r.Job.ID, w.Name, why)
		}
	}
	return fmt.Sprintf("job %s waits: no worker is there (fibsbot farm work starts one)", r.Job.ID)
}

// size fits the window to the cores of the farm, two pieces for each, and tells whether
// there are any.
func (r *Crew) size() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	cores, keys := 0, map[string]int{}
	for id, w := range r.workers {
		if time.Since(w.at) > beatLife {
			delete(r.workers, id)
		} else if _, out := r.banned[w.Key]; !out && w.Refused[r.Job.ID] == "" {
			cores += w.Threads
			keys[w.Key]++
		}
	}
	r.window, r.keys = min(max(16, 2*cores+8), 20_000), keys
	r.wake()
	return cores > 0
}

// sendChecks puts pieces into the queue a second time, as they were the first time: no machine
// sees that one is a check. One that comes to the key whose result it checks is put there
// again. Where there is no other key, after some tries, and at the end, when nothing else is
// left to do, the checks are made here.
func (r *Crew) sendChecks(ctx context.Context) {
	r.mu.Lock()
	now := time.Now()
	list := map[string][]byte{}
	for key, ch := range r.checks {
		others := len(r.keys)
		if r.keys[ch.first.id] > 0 {
			others--
		}
		switch {
		case ch.second != nil || ch.here:
		case r.judge != nil && (others == 0 || ch.tries >= mostTries || r.ending):
			ch.here = true
			r.wg.Go(func() { r.checkHere(ctx, key) })
		case others > 0 && len(list) < checksAtOnce && now.Sub(ch.sent) >= ackWait:
			ch.sent, list[key] = now, ch.ask
		}
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

// checkHere runs a piece a second time in this process, unless somebody else has done so.
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
	if err != nil {
		delete(r.checks, key)
		r.wake()
		return
	}
	host, _ := os.Hostname()
	r.second(key, ch, outcome{data: right, name: "this process on " + host})
}

// errNoJudge means that this process runs no pieces.
var errNoJudge = errors.New("no piece can be run here")

// judged runs a piece in this process.
func (r *Crew) judged(ctx context.Context, ask []byte) (data []byte, err error) {
	r.judging.Lock()
	defer r.judging.Unlock()
	r.mu.Lock()
	judge := r.judge
	r.mu.Unlock()
	if judge == nil {
		return nil, errNoJudge
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	defer panics.Recover(&err)
	return judge.Run(ctx, ask)
}

// findLost asks again for pieces that have no result and are in the queue no longer.
// The server refuses those that are.
func (r *Crew) findLost(ctx context.Context) {
	r.mu.Lock()
	var late []shard.Piece
	for _, s := range r.open {
		if time.Since(s.at) > lostAfter && s.piece.Ask != nil {
			late = append(late, s.piece)
		}
	}
	idle := r.idle()
	r.mu.Unlock()
	if len(late) == 0 {
		return
	}
	have, err := r.c.subjects(ctx, taskStream, taskSubject("*", r.Job.ID, "*"))
	if err != nil {
		return
	}
	// A task that nobody waits for and nobody runs was given out as often as it may be
	// while we were not listening.
	cons, err := r.c.reader(ctx, r.Job.Engine.Sig())
	switch {
	case errors.Is(err, jetstream.ErrConsumerNotFound): // the server has lost it
		if r.c.makeReader(ctx, r.Job.Engine.Sig()) != nil {
			return
		}
	case err == nil:
		i := cons.CachedInfo()
		stands := r.queue.look(i, idle)
		if stands == hopelessAfter {
			r.mu.Lock()
			r.fail(ErrDamaged)
			r.mu.Unlock()
			return
		}
		if (i.NumPending+uint64(i.NumAckPending) == 0 || stands == clearAfter) && len(have) > 0 && r.c.purge(ctx, taskStream, taskSubject("*", r.Job.ID, "*")) == nil {
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

// settle waits for the checks that are still due; nobody waits for the queue with them.
func (r *Crew) settle(ctx context.Context) error {
	r.mu.Lock()
	r.ending = true
	r.mu.Unlock()
	r.sendChecks(ctx)
	limit, least := time.NewTimer(checkPatience), -1
	defer limit.Stop()
	for {
		r.mu.Lock()
		err, changed, left := r.err, r.changed, 0
		for _, ch := range r.checks {
			if ch.tries > 0 || ch.here || ch.second != nil {
				left++
			}
		}
		r.mu.Unlock()
		if err != nil || left == 0 {
			return err
		}
		if least < 0 || left < least { // they are being made
			least = left
			limit.Reset(checkPatience)
		}
		select {
		case <-changed:
		case <-limit.C:
			r.tell(fmt.Sprintf("%d pieces could not be checked by a second machine", left))
			return nil
		case <-ctx.Done():
			return nil // the results stand
		}
	}
}

// workers lists the reports of live workers.
func (c *Client) workers(ctx context.Context) (out []Report, err error) {
	list, err := c.subjects(ctx, "KV_"+beatBucket, reportSubject("*", "*"))
	if err != nil {
		return nil, err
	}
	for s := range list {
		m, ok, err := c.last(ctx, "KV_"+beatBucket, s)
		if err != nil || !ok || len(m.Data) == 0 {
			continue
		}
		if w, here := readReport(s, m.Data); here {
			out = append(out, w)
		}
	}
	return out, nil
}
