package farm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"fibsbot/internal/shard"
)

// mostFalse is how many failures of a key are found false before it is left out.
const mostFalse = 3

// ban is why a key is left out.
type ban struct {
	Name string `json:"name"` // what its machine called itself
	Why  string `json:"why"`
	// Fails is set where it does not run what others can; its results stay.
	Fails bool `json:"fails,omitempty"`
}

// String says it in a line.
func (b ban) String() string { return b.Name + ": " + b.Why }

// Ban leaves out the machine name, and whoever else has the key of that id; what they have
// stored is thrown away.
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

// ban reads why a key is left out; ok is false where it is not.
func (c *Client) ban(ctx context.Context, id string) (b ban, ok bool, err error) {
	m, ok, err := c.last(ctx, "KV_"+jobBucket, banSubject(id))
	if err != nil || !ok || len(m.Data) == 0 {
		return b, false, err
	}
	if json.Unmarshal(m.Data, &b) != nil { // damaged: out all the same
		b = ban{Why: "the reason is damaged"}
	}
	return b, true, nil
}

// bans are the keys that are left out, by their ids.
func (c *Client) bans(ctx context.Context) (map[string]ban, error) {
	list, err := c.subjects(ctx, "KV_"+jobBucket, banSubject("*"))
	if err != nil {
		return nil, err
	}
	out := map[string]ban{}
	for subject := range list {
		id := strings.TrimPrefix(subject, banSubject(""))
		b, ok, err := c.ban(ctx, id)
		if err != nil {
			return nil, err
		}
		if ok {
			out[id] = b
		}
	}
	return out, nil
}

// leastID is how many letters of a key's id name it.
const leastID = 6

// Readmit lets a machine in again and returns why it was left out. It is named as it called
// itself, or by the id of its key, whose beginning will do.
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
		return "", fmt.Errorf("%w: no machine %.60q is left out", ErrRefused, name)
	case 1:
	default:
		return "", fmt.Errorf("%w: %d machines %.60q are left out: name the key (fibsbot farm status lists them)", ErrRefused, len(found), name)
	}
	err = c.purge(ctx, "KV_"+jobBucket, banSubject(found[0]))
	c.news()
	return list[found[0]].Why, err
}

// disagree finds out which of two machines is wrong by running the piece here. The
// wrong one is left out and all its results of the job are thrown away; what was added
// up with them is worthless, so the job ends.
func (r *Crew) disagree(key string, ch check) {
	ctx, cancel := context.WithTimeout(context.Background(), judgeLimit)
	defer cancel()
	var wrong []outcome
	if right, err := r.judged(ctx, ch.ask); err == nil {
		for _, o := range []outcome{ch.first, *ch.second} {
			if o.id != "" && !bytes.Equal(o.data, right) {
				wrong = append(wrong, o)
			}
		}
	}
	for _, o := range wrong {
		b := ban{Name: o.name, Why: fmt.Sprintf("its result of piece %s of job %s is not what others come to", key, r.Job.ID)}
		r.mu.Lock()
		r.banned[o.id] = b // what it stores from here on is not looked at
		r.mu.Unlock()
		_ = r.c.leaveOut(ctx, o.id, b)
		_ = r.discard(ctx, o.id)
	}
	if len(wrong) == 0 {
		_ = r.c.purge(ctx, resultStream, resultSubject(r.Job.ID, key, "*"))
		r.mu.Lock()
		defer r.mu.Unlock()
		r.fail(fmt.Errorf("%w about piece %s of job %s: %s or %s is wrong, and it could not be run here to see which", ErrDisagree, key, r.Job.ID, ch.first.name, ch.second.name))
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

// discard removes what a key has stored of the job. What cannot be removed is not looked at:
// the next run tries again.
func (r *Crew) discard(ctx context.Context, id string) error {
	return errors.Join(r.c.purge(ctx, resultStream, resultSubject(r.Job.ID, "*", id)), r.c.purge(ctx, resultStream, resultSubject(r.Job.ID, "*", id)+"."+failed))
}

// readBans reads who is left out. What they have stored of the job, and came to a moment later,
// is thrown away.
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

// failure looks into a piece that a worker says it cannot run, by running it here: its word
// alone does not end a job. A worker that repeats it about pieces that can be run is left out.
func (r *Crew) failure(key string, p shard.Piece, o outcome, because error) {
	ctx, cancel := context.WithTimeout(context.Background(), judgeLimit)
	defer cancel()
	data, err := r.judged(ctx, p.Ask)
	if err == nil && len(data) > MaxPayload-headroom {
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
	r.fail(fmt.Errorf("%w: %s fails at pieces that can be run here and is left out (farm cancel --readmit NAME lets it in again); the same command goes on: %v",
		ErrDisagree, o.name, plainText(because)))
}
