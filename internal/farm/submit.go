package farm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Submit starts a job on the farm, or resumes it. The error wraps ErrRefused if the key may not submit,
// the farm is full, or another process runs the same job.
func (c *Client) Submit(ctx context.Context, j Job, by Command) (*Crew, error) {
	j.ID, j.Owner = j.id(), newOwner()
	for end := time.Now().Add(c.pace.patience); ; {
		r, err := c.submit(ctx, j, by)
		switch {
		case err == nil || errors.Is(err, ErrRefused) || ctx.Err() != nil:
			return r, err
		case time.Now().After(end) && c.nc.IsConnected():
			return nil, fmt.Errorf("%w; perhaps %w", err, ErrDamaged)
		case time.Now().After(end):
			return nil, err
		}
		select { // the server may come back
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(c.pace.beat / 2):
		}
	}
}

func (c *Client) submit(ctx context.Context, j Job, by Command) (_ *Crew, err error) {
	if err := c.ready(ctx); err != nil {
		return nil, err
	}
	r := &Crew{c: c, command: by, changed: make(chan struct{}), backlog: newBacklog(), checking: newChecking(by.Measure), roster: newRoster(c.pace.beatLife)}
	found := false
	r.renewed = calendarNow()
	if r.Job, r.seq, found, err = c.claim(ctx, j, by.Size); err != nil {
		return nil, submitError(err)
	}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	r.cancel = cancel
	if err := r.begin(ctx, running); err != nil {
		cancel()
		c.releaseJob(ctx, r.Job, r.seq, !found)
		return nil, submitError(err)
	}
	c.news()
	r.wg.Go(func() { r.read(running) })
	r.wg.Go(func() { r.watch(running) })
	return r, nil
}

// begin finds the job's results on the farm and subscribes to what concerns it.
func (r *Crew) begin(ctx, running context.Context) (err error) {
	c, j := r.c, &r.Job
	c.sweep(ctx)
	if r.keep, err = c.room(ctx); err != nil {
		return err
	}
	if err := c.makeReader(ctx, j.Engine.Sig()); err != nil {
		return err
	}
	// Tasks of an earlier run would count its tries, and its failures would end this one.
	if err := c.purge(ctx, taskStream, taskSubject("*", j.ID, "*")); err != nil {
		return err
	}
	if err := c.purge(ctx, resultStream, resultSubject(j.ID, "*", "*")+"."+failed); err != nil {
		return err
	}
	if err := r.readBans(ctx); err != nil {
		return err
	}
	if r.passed, err = c.passed(ctx); err != nil {
		return err
	}
	there, err := c.subjects(ctx, resultStream, resultsOf(j.ID))
	if err != nil {
		return err
	}
	r.toRead, r.resumed = len(there), len(there) > 0
	jobs, err := c.js.Stream(ctx, "KV_"+jobBucket)
	if err != nil {
		return err
	}
	r.renewEvery = min(time.Minute, jobs.CachedInfo().Config.MaxAge/4)
	dead, err := c.nc.Subscribe("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES."+taskStream+"."+j.Engine.Sig(), r.advised)
	if err == nil {
		context.AfterFunc(running, func() { _ = dead.Unsubscribe() })
	}
	return r.follow(running)
}

// submitError says that an error stopped Submit, unless it says what to do.
func submitError(err error) error {
	if errors.Is(err, ErrRefused) {
		return err
	}
	return fmt.Errorf("submit: %w", err)
}

// claim makes the process j.Owner the owner of a job. It returns the job as it is on the farm,
// the sequence number of its record, and whether it was there before.
func (c *Client) claim(ctx context.Context, j Job, size func() (int, error)) (_ Job, seq uint64, found bool, err error) {
	old, seq, found, err := c.free(ctx, j.ID, j.Owner)
	if err != nil {
		return j, 0, false, err
	}
	me := j.Owner
	if found {
		j, j.Owner = old, me
	} else {
		if j.Size, err = size(); err != nil {
			return j, 0, false, err
		}
		j.Submitter, j.Created = me.Host, time.Now().UTC()
	}
	// Written again each time, so that a job in use does not expire. Of several processes at
	// once one finds the record unchanged.
	at, err := c.record(ctx, j, me, seq)
	switch {
	case alreadyStored(err):
		now, seq, ok, err := c.jobAt(ctx, j.ID)
		switch {
		case err != nil:
			return j, 0, false, err
		case ok && now.Owner != nil && now.Owner.ID == me.ID: // the answer to an earlier try was lost
			return now, seq, found, nil
		case ok && now.Owner != nil:
			return j, 0, false, taken(j.ID, now.Owner)
		}
		return j, 0, false, fmt.Errorf("another process changed job %s (try again)", j.ID)
	case full(err):
		return j, 0, false, fmt.Errorf("%w: the store or its disk is full (cancel old jobs with fibsbot farm cancel, or serve with a larger --max-store-mb)", ErrRefused)
	case err != nil:
		return j, 0, false, err
	}
	_ = c.beat(ctx, beatSubject(j.ID), beat{Host: me.Host, PID: me.PID}) // watch repeats it
	return j, at, found, nil
}

// taken returns the error for a job that o runs.
func taken(id string, o *Owner) error {
	return fmt.Errorf("%w: job %s is already run by process %d on %.60q (wait for it, or run fibsbot farm cancel %s)",
		ErrRefused, id, o.PID, o.Host, id)
}

// releaseJob lets other processes claim a job at once. A fresh job is removed.
func (c *Client) releaseJob(ctx context.Context, j Job, seq uint64, fresh bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	_ = c.purge(ctx, "KV_"+beatBucket, beatSubject(j.ID))
	if fresh {
		_ = c.purge(ctx, "KV_"+jobBucket, jobSubject(j.ID), upTo(seq))
		return
	}
	_, _ = c.record(ctx, j, nil, seq) // otherwise the next owner waits for reports in vain
}

// free waits until no other process can be running the job: an owner reports every second. It
// returns the job's record, if there is one, and its sequence number.
func (c *Client) free(ctx context.Context, id string, me *Owner) (old Job, seq uint64, found bool, err error) {
	subject, first := beatSubject(id), uint64(0)
	for look := range 7 {
		if old, seq, found, err = c.jobAt(ctx, id); err != nil {
			return old, 0, false, err
		}
		m, beats, err := c.last(ctx, "KV_"+beatBucket, subject)
		if err != nil {
			return old, 0, false, err
		}
		beats = beats && len(m.Data) > 0
		owned := found && old.Owner != nil
		if !beats && !owned || owned && old.Owner.ID == me.ID {
			return old, seq, found, nil
		}
		switch {
		case beats && look > 0 && m.Sequence != first:
			var b beat
			_ = json.Unmarshal(m.Data, &b) // only for the error's text
			return old, 0, false, taken(id, &Owner{Host: b.Host, PID: b.PID})
		case beats:
			first = m.Sequence
		}
		select {
		case <-ctx.Done():
			return old, 0, false, ctx.Err()
		case <-time.After(c.pace.beat / 2):
		}
	}
	return old, seq, found, nil // the owner has gone
}

// room returns an error if the farm cannot store results, and how long it keeps them.
func (c *Client) room(ctx context.Context) (keep time.Duration, err error) {
	s, err := c.js.Stream(ctx, resultStream)
	if err != nil {
		return 0, err
	}
	i := s.CachedInfo()
	if shutting(i) {
		return 0, fmt.Errorf("%w: the farm's disk is full (free some space there; stored results stay)", ErrRefused)
	}
	if most := i.Config.MaxBytes; most > 0 && i.State.Bytes > uint64(most-most/20) {
		return 0, fmt.Errorf("%w: the store of results is full, %d of %d MiB (cancel old jobs with fibsbot farm cancel, or serve with a larger --max-store-mb)",
			ErrRefused, i.State.Bytes>>20, most>>20)
	}
	return i.Config.MaxAge, nil
}
