package farm

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"fibsbot/internal/shard"
)

// mostFalse is the number of false failures before a key is left out.
const mostFalse = 3

// ban is why a key is left out.
type ban struct {
	Name string `json:"name"` // the machine's name for itself
	Why  string `json:"why"`
	// Fails is set for a machine that fails at pieces which others can run; its results stay.
	Fails bool `json:"fails,omitempty"`
}

// String returns it in a line.
func (b ban) String() string { return b.Name + ": " + b.Why }

// Ban leaves out the machine name and all others with the key of that id. Their stored results
// are dropped.
func (c *Client) Ban(ctx context.Context, id, name, why string) error {
	return c.leaveOut(ctx, id, ban{Name: token(name), Why: short(why)})
}

func (c *Client) leaveOut(ctx context.Context, id string, b ban) error {
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	_, err = c.js.Publish(ctx, banSubject(token(id)), text)
	c.news()
	return err
}

// ban reads why a key is left out; ok is false if it is not.
func (c *Client) ban(ctx context.Context, id string) (b ban, ok bool, err error) {
	m, ok, err := c.last(ctx, "KV_"+jobBucket, banSubject(id))
	if err != nil || !ok || len(m.Data) == 0 {
		return b, false, err
	}
	return readBan(m.Data), true, nil
}

func readBan(data []byte) (b ban) {
	if json.Unmarshal(data, &b) != nil { // damaged: left out all the same
		b = ban{Why: "the reason is damaged"}
	}
	return b
}

// bans returns the keys that are left out, by their ids.
func (c *Client) bans(ctx context.Context) (map[string]ban, error) {
	list, err := c.newest(ctx, "KV_"+jobBucket, banSubject("*"))
	out := make(map[string]ban, len(list))
	for subject, data := range list {
		out[strings.TrimPrefix(subject, banSubject(""))] = readBan(data)
	}
	return out, err
}

// leastID is the number of letters that are enough to name a key's id.
const leastID = 6

// Readmit admits a machine again and returns why it was left out. name is the machine's name
// for itself, or the id of its key or the begin of it.
func (c *Client) Readmit(ctx context.Context, name string) (why string, err error) {
	if err := c.ready(ctx); err != nil {
		return "", err
	}
	list, err := c.bans(ctx)
	if err != nil {
		return "", fmt.Errorf("readmit: %w", err)
	}
	var found []string
	for id, b := range list {
		if b.Name == token(name) || len(name) >= leastID && strings.HasPrefix(id, name) {
			found = append(found, id)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("%w: no machine %.60q is left out (fibsbot farm status lists them)", ErrRefused, name)
	case 1:
	default:
		return "", fmt.Errorf("%w: %d machines %.60q are left out (name the key; fibsbot farm status lists them)", ErrRefused, len(found), name)
	}
	err = c.purge(ctx, "KV_"+jobBucket, banSubject(found[0]))
	c.news()
	return list[found[0]].Why, err
}

// disagree finds out which of two machines is wrong by running the piece here. The wrong one
// is left out and its results of the job are dropped. Sums that include them are worthless, so
// the job ends.
func (r *Crew) disagree(key string, ch check) {
	ctx, cancel := context.WithTimeout(context.Background(), judgeLimit)
	defer cancel()
	var wrong []outcome
	if right, err := r.judged(ctx, ch.ask); err == nil {
		for _, o := range []outcome{ch.first, *ch.second} {
			if o.id != "" && o.sum != sha256.Sum256(right) {
				wrong = append(wrong, o)
			}
		}
	}
	for _, o := range wrong {
		b := ban{Name: o.name, Why: fmt.Sprintf("its result of piece %s of job %s differs from that of others", key, r.Job.ID)}
		r.mu.Lock()
		r.banned[o.id] = b // later results of it are ignored
		r.mu.Unlock()
		_ = r.c.leaveOut(ctx, o.id, b)
		_ = r.discard(ctx, o.id)
		_ = r.c.purge(ctx, "KV_"+jobBucket, passedSubject(o.id))
	}
	if len(wrong) == 0 {
		_ = r.c.purge(ctx, resultStream, resultSubject(r.Job.ID, key, "*"))
		r.mu.Lock()
		defer r.mu.Unlock()
		r.fail(fmt.Errorf("%w about piece %s of job %s: %s or %s is wrong (this process could not run it to find out which)", ErrDisagree, key, r.Job.ID, ch.first.name, ch.second.name))
		return
	}
	var names []string
	for _, o := range wrong {
		names = append(names, o.name)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fail(fmt.Errorf("%w about piece %s of job %s: %s is wrong and left out (farm cancel --readmit NAME lets it in again), its results are thrown away; "+
		"the same command continues with those of the others", ErrDisagree, key, r.Job.ID, strings.Join(names, " and ")))
}

// passed returns how many results of each key were right when earlier jobs checked them.
func (c *Client) passed(ctx context.Context) (map[string]int, error) {
	list, err := c.newest(ctx, "KV_"+jobBucket, passedSubject("*"))
	out := make(map[string]int, len(list))
	for subject, data := range list {
		n := 0
		if json.Unmarshal(data, &n) == nil { // a damaged one begins again
			out[strings.TrimPrefix(subject, passedSubject(""))] = n
		}
	}
	return out, err
}

// trust stores how many results of the job's keys were right, for later jobs. What is lost costs
// further checks.
func (r *Crew) trust(ctx context.Context) {
	r.mu.Lock()
	passed := map[string]int{}
	for id := range r.taken {
		if n := r.passed[id]; n > 0 && id != "" {
			passed[id] = n
		}
	}
	r.mu.Unlock()
	for id, n := range passed {
		_, _ = r.c.js.Publish(ctx, passedSubject(id), fmt.Appendf(nil, "%d", n))
	}
}

// discard removes the results of a key. Those that cannot be removed now are ignored; the next
// run tries again.
func (r *Crew) discard(ctx context.Context, id string) error {
	return errors.Join(r.c.purge(ctx, resultStream, resultSubject(r.Job.ID, "*", id)), r.c.purge(ctx, resultStream, resultSubject(r.Job.ID, "*", id)+"."+failed))
}

// readBans reads which keys are left out and drops their results of the job.
func (r *Crew) readBans(ctx context.Context) error {
	bans, err := r.c.bans(ctx)
	if err != nil {
		return err
	}
	r.mu.Lock()
	var fresh []string
	for id, b := range bans {
		if _, known := r.banned[id]; !known && !b.Fails {
			fresh = append(fresh, id)
		}
	}
	r.banned = bans
	r.mu.Unlock()
	for _, id := range fresh {
		if err := r.discard(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// failure runs a piece here that a worker reported as impossible: the report alone does not end
// the job. A worker that reports mostFalse possible pieces is left out.
func (r *Crew) failure(key string, p shard.Piece, o outcome, because error) {
	ctx, cancel := context.WithTimeout(context.Background(), judgeLimit)
	defer cancel()
	data, err := r.judged(ctx, p.Ask)
	if err == nil && len(data) > maxPayload-headroom {
		err = ErrRefused
	}
	_ = r.c.purge(ctx, resultStream, resultSubject(r.Job.ID, key, o.id)+"."+failed)
	r.mu.Lock()
	if err != nil {
		r.fail(because)
		r.mu.Unlock()
		return
	}
	r.falsely[o.id]++
	often := r.falsely[o.id] == mostFalse
	r.accept(key, outcome{data: data, name: "this process"})
	r.mu.Unlock()
	_ = r.c.purge(ctx, taskStream, taskSubject(r.Job.Engine.Sig(), r.Job.ID, key))
	if !often {
		return
	}
	_ = r.c.leaveOut(ctx, o.id, ban{Name: o.name, Why: short(fmt.Sprintf("it fails at pieces that others can run: %v", because)), Fails: true})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fail(fmt.Errorf("%w: %s fails at pieces that can be run here and is left out (farm cancel --readmit NAME lets it in again); the same command resumes the job: %v",
		ErrDisagree, o.name, plainText(because)))
}
