package farm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"fibsbot/internal/piece"
)

const (
	// lostAfter is when a piece without a result is looked for.
	lostAfter = 2 * ackWait
	// mostLost is how often a piece may be lost before it is given up.
	mostLost = 20
	// lonelyAfter is after how many looks without a worker the command says so.
	lonelyAfter = 5
	// checkPatience is how long the end of a job waits for its checks.
	checkPatience = 30 * time.Second
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
	for n, news, waits := 0, true, 0; ; n++ {
		r.mu.Lock()
		b.Done, b.Known, b.Seconds, b.Window = r.done, max(r.known, r.expect), r.seconds, r.window
		r.mu.Unlock()
		if since := time.Since(began).Seconds(); since >= 5 {
			b.Rate = float64(b.Done-doneThen) / since
			began, doneThen = time.Now(), b.Done
		}
		_ = r.c.beat(ctx, "job."+r.Job.ID, b) // the next one says the same
		if news || n%5 == 4 {
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

// mine sees whether the job is still there and this process's. What cannot be found out
// now is no error.
func (r *Crew) mine(ctx context.Context) error {
	j, seq, ok, err := r.c.jobAt(ctx, r.Job.ID)
	switch {
	case err != nil:
		return nil
	case !ok:
		// One server of a cluster may not know of it yet; the leader does.
		if ids, err := r.c.jobs(ctx); err != nil || slices.Contains(ids, r.Job.ID) {
			return nil
		}
		r.seq = 0
		return fmt.Errorf("%w: %s", ErrCancelled, r.Job.ID)
	case seq < r.seq: // likewise
		return nil
	case j.Owner == nil || j.Owner.ID != r.Job.Owner.ID:
		r.lost = true
		by := "nobody"
		if j.Owner != nil {
			by = fmt.Sprintf("process %d on %.60q", j.Owner.PID, j.Owner.Host)
		}
		return fmt.Errorf("%w: job %s is run by %s now, which has not heard of this process for a while; results that are there stay", ErrRefused, r.Job.ID, by)
	}
	r.seq = seq // the answer to a renewal may have been lost
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
	have, err := r.c.subjects(ctx, resultStream, resultSubject(r.Job.ID, "*"))
	if err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	before := len(r.stored)
	maps.DeleteFunc(r.stored, func(subject string, _ uint64) bool { return have[subject] == 0 })
	if len(r.stored) != before {
		r.gone++
		r.wake()
	}
}

// mostWorkers bounds what is kept of reports.
const mostWorkers = 100_000

// follow keeps the reports of workers as they come, after those that are there.
func (r *Crew) follow(ctx context.Context) error {
	keep := func(id string, w Report) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if w.ID == "" { // it has left
			delete(r.workers, id)
		} else if _, known := r.workers[id]; known || len(r.workers) < mostWorkers {
			r.workers[id] = seen{w, time.Now()}
		}
	}
	sub, err := r.c.nc.Subscribe("$KV."+beatBucket+".worker.*", func(m *nats.Msg) {
		var w Report
		if json.Unmarshal(m.Data, &w) == nil {
			keep(m.Subject[strings.LastIndexByte(m.Subject, '.')+1:], w)
		}
	})
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { _ = sub.Unsubscribe() })
	list, err := r.c.workers(ctx)
	for _, w := range list {
		keep(w.ID, w)
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
	cores, names := 0, map[string]int{}
	for id, w := range r.workers {
		if time.Since(w.at) > beatLife {
			delete(r.workers, id)
		} else if w.Refused[r.Job.ID] == "" {
			cores += min(max(w.Threads, 0), 1024)
			names[w.Name]++
		}
	}
	r.window, r.names = min(max(16, 2*cores+8), 20_000), names
	r.wake()
	return cores > 0
}

// sendChecks sends pieces a second time, for others than those who ran them. Where there
// is one worker alone, and at the end, when nothing else is left to do, they are run here.
func (r *Crew) sendChecks(ctx context.Context) {
	r.mu.Lock()
	type again struct {
		key, not string
		ask      []byte
	}
	var list []again
	several := len(r.names) > 1
	live := 0
	for _, n := range r.names {
		live += n
	}
	r.alone = live == 1 && r.judge != nil
	for key, ch := range r.checks {
		if ch.second != nil || ch.here {
			continue
		}
		if r.alone || r.ending && r.judge != nil {
			ch.here = true
			r.wg.Go(func() { r.checkHere(ctx, key) })
			continue
		}
		if ch.out || live < 2 {
			continue
		}
		not := ch.first.worker
		if several {
			not = ch.first.name
		}
		list = append(list, again{key, not, r.asks[key]})
	}
	r.mu.Unlock()
	for _, a := range list {
		m := &nats.Msg{Subject: taskSubject(r.Job.Engine.Sig(), r.Job.ID, a.key+checkSuffix), Data: a.ask, Header: nats.Header{headNot: {a.not}}}
		if _, err := r.c.put(ctx, m); err != nil {
			return
		}
		r.mu.Lock()
		if ch := r.checks[a.key]; ch != nil {
			ch.out = true
		}
		r.mu.Unlock()
	}
}

// checkHere runs a piece a second time in this process, unless somebody else has done so.
func (r *Crew) checkHere(ctx context.Context, key string) {
	r.judging.Lock()
	defer r.judging.Unlock()
	r.mu.Lock()
	ask, due := r.asks[key], r.checks[key] != nil && r.checks[key].second == nil
	r.mu.Unlock()
	if !due {
		return
	}
	right, err := r.judge.Run(ctx, ask)
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.wake()
	ch := r.checks[key]
	switch {
	case ch == nil || ch.second != nil:
	case err != nil, bytes.Equal(right, ch.first.data):
		delete(r.checks, key)
	default:
		host, _ := os.Hostname()
		ch.second = &outcome{data: right, name: "this process on " + host}
		r.wg.Go(func() { r.disagree(key, *ch) })
	}
}

// judged runs a piece in this process.
func (r *Crew) judged(ctx context.Context, ask []byte) ([]byte, error) {
	r.judging.Lock()
	defer r.judging.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r.judge.Run(ctx, ask)
}

// findLost asks again for pieces that have no result and are in the queue no longer.
// The server refuses those that are.
func (r *Crew) findLost(ctx context.Context) {
	r.mu.Lock()
	var late []piece.Piece
	for _, s := range r.open {
		if time.Since(s.at) > lostAfter && s.piece.Ask != nil {
			late = append(late, s.piece)
		}
	}
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
	cons, err := r.c.js.Consumer(ctx, taskStream, r.Job.Engine.Sig())
	if err == nil {
		if i := cons.CachedInfo(); i.NumPending+uint64(i.NumAckPending) == 0 && len(have) > 0 {
			if r.c.purge(ctx, taskStream, taskSubject("*", r.Job.ID, "*")) == nil {
				have = nil
			}
		}
	} else if jetstream.ErrConsumerNotFound == err { //nolint:errorlint // the library's own
		return
	}
	var lost []piece.Piece
	for _, p := range late {
		if have[taskSubject(r.Job.Engine.Sig(), r.Job.ID, p.Key)] > 0 {
			continue
		}
		r.mu.Lock()
		s, open := r.open[p.Key]
		if open && s.tries > mostLost {
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
	limit := time.After(checkPatience)
	for {
		r.mu.Lock()
		err, changed, left := r.err, r.changed, 0
		for _, ch := range r.checks {
			if ch.out || ch.here || ch.second != nil {
				left++
			}
		}
		r.mu.Unlock()
		if err != nil || left == 0 {
			return err
		}
		select {
		case <-changed:
		case <-limit:
			r.tell(fmt.Sprintf("%d pieces could not be checked by a second machine", left))
			return nil
		case <-ctx.Done():
			return nil // the results stand
		}
	}
}

// workers lists the reports of live workers.
func (c *Client) workers(ctx context.Context) (out []Report, err error) {
	list, err := c.subjects(ctx, "KV_"+beatBucket, "$KV."+beatBucket+".worker.*")
	if err != nil {
		return nil, err
	}
	for s := range list {
		m, ok, err := c.last(ctx, "KV_"+beatBucket, s)
		if err != nil || !ok || len(m.Data) == 0 {
			continue
		}
		var w Report
		if json.Unmarshal(m.Data, &w) == nil && w.ID != "" { // empty: it has left
			out = append(out, w)
		}
	}
	return out, nil
}
