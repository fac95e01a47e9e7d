package farm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
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
	for n := 0; ; n++ {
		r.mu.Lock()
		b.Done, b.Known, b.Seconds, b.Window = r.done, r.known, r.seconds, r.window
		r.mu.Unlock()
		if since := time.Since(began).Seconds(); since >= 5 {
			b.Rate = float64(b.Done-doneThen) / since
			began, doneThen = time.Now(), b.Done
		}
		_ = r.c.beat(ctx, "job."+r.Job.ID, b) // the next one says the same
		if _, ok, err := r.c.job(ctx, r.Job.ID); err == nil && !ok && ctx.Err() == nil {
			r.mu.Lock()
			r.fail(fmt.Errorf("%w: %s", ErrCancelled, r.Job.ID))
			r.mu.Unlock()
			return
		}
		r.size(ctx)
		r.sendChecks(ctx)
		if n%3 == 2 {
			r.findLost(ctx)
		}
		select {
		case <-ctx.Done():
			return
		case <-r.c.closed:
			r.mu.Lock()
			r.fail(fmt.Errorf("%w: the key was withdrawn", ErrRefused))
			r.mu.Unlock()
			return
		case <-tick.C:
		}
	}
}

// size fits the window to the cores of the farm: two pieces for each.
func (r *Crew) size(ctx context.Context) {
	list, err := r.c.workers(ctx)
	if err != nil {
		return
	}
	cores, names := 0, map[string]int{}
	for _, w := range list {
		if w.Refused[r.Job.ID] == "" {
			cores += w.Threads
			names[w.Name]++
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.window, r.names = min(max(16, 2*cores+8), 20_000), names
	r.wake()
}

// sendChecks sends pieces a second time, for others than those who ran them.
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
	for key, ch := range r.checks {
		_, open := r.open[key+checkSuffix]
		if open || ch.second != nil || live < 2 {
			continue
		}
		not := ch.first.worker
		if several {
			not = ch.first.name
		}
		list = append(list, again{key + checkSuffix, not, r.asks[key]})
	}
	r.mu.Unlock()
	for _, a := range list {
		m := &nats.Msg{Subject: taskSubject(r.Job.Engine.Sig(), r.Job.ID, a.key), Data: a.ask, Header: nats.Header{headNot: {a.not}}}
		if _, err := r.c.put(ctx, m); err != nil {
			return
		}
		r.mu.Lock()
		r.open[a.key] = sent{piece: piece.Piece{Key: a.key, Ask: a.ask}, at: time.Now()}
		r.mu.Unlock()
	}
}

// findLost asks again for pieces that have no result and are in the queue no longer.
// The server refuses those that are.
func (r *Crew) findLost(ctx context.Context) {
	r.mu.Lock()
	var late []piece.Piece
	for key, s := range r.open {
		if time.Since(s.at) > lostAfter && !strings.HasSuffix(key, checkSuffix) {
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
	_ = r.send(ctx, lost) // the next look sends what was not taken
}

// settle waits for the checks that still run.
func (r *Crew) settle(ctx context.Context) error {
	limit := time.After(checkPatience)
	for {
		r.mu.Lock()
		err, changed, left := r.err, r.changed, 0
		for key := range r.checks {
			if _, open := r.open[key+checkSuffix]; open || r.checks[key].second != nil {
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

// disagree finds out which of two machines is wrong by running the piece here. The
// wrong one is left out and all its results of the job are thrown away; what was added
// up with them is worthless, so the job ends.
func (r *Crew) disagree(key string, ch check) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	r.mu.Lock()
	ask, judge := r.asks[key], r.judge
	r.mu.Unlock()
	var wrong []outcome
	if judge != nil {
		right, err := judge.Run(ctx, ask)
		for _, o := range []outcome{ch.first, *ch.second} {
			if err == nil && !bytes.Equal(o.data, right) {
				wrong = append(wrong, o)
			}
		}
	}
	said := fmt.Sprintf("%s and %s", ch.first.name, ch.second.name)
	for _, o := range wrong {
		said = o.name
		_ = r.c.Ban(ctx, o.name, fmt.Sprintf("its result of piece %s of job %s is not what others come to", key, r.Job.ID))
		_ = r.discard(ctx, o.name)
	}
	if len(wrong) == 0 {
		_ = r.c.purge(ctx, resultStream, resultSubject(r.Job.ID, key))
	}
	_ = r.c.purge(ctx, resultStream, resultSubject(r.Job.ID, key+checkSuffix))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fail(fmt.Errorf("%w about piece %s of job %s: %s is wrong and left out (farm cancel --readmit NAME lets it in again), its results are thrown away; "+
		"the same command goes on with those of the others", ErrDisagree, key, r.Job.ID, said))
}

// discard removes the results of a machine.
func (r *Crew) discard(ctx context.Context, name string) error {
	s, err := r.c.js.Stream(ctx, resultStream)
	if err != nil {
		return err
	}
	list, err := r.c.subjects(ctx, resultStream, resultSubject(r.Job.ID, "*"))
	if err != nil {
		return err
	}
	for subject := range list {
		m, err := s.GetLastMsgForSubject(ctx, subject)
		if err != nil {
			continue
		}
		if m.Header.Get(headName) == name {
			if err := s.DeleteMsg(ctx, m.Sequence); err != nil {
				return err
			}
		}
	}
	return nil
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
