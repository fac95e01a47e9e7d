package farm

import (
	"bytes"
	"context"
	"fmt"
	"time"
)

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
		right, err := r.judged(ctx, ask)
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
		_ = r.discard(ctx, func(name string) bool { return name == o.name })
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

// discard removes the results of some machines.
func (r *Crew) discard(ctx context.Context, of func(name string) bool) error {
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
		if of(m.Header.Get(headName)) {
			if err := s.DeleteMsg(ctx, m.Sequence); err != nil {
				return err
			}
		}
	}
	return nil
}

// discardLeftOut removes what machines that are left out have stored: the pieces they were
// at when their results were thrown away came to results a moment later.
func (r *Crew) discardLeftOut(ctx context.Context) error {
	prefix := "$KV." + jobBucket + ".ban."
	bans, err := r.c.subjects(ctx, "KV_"+jobBucket, prefix+"*")
	if err != nil || len(bans) == 0 {
		return err
	}
	return r.discard(ctx, func(name string) bool { return bans[prefix+token(name)] > 0 })
}
