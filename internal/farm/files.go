package farm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// keepLooks is the time until the next look at a job's files after one that failed or could
// not renew them.
const keepLooks = time.Minute

// files returns the files that a worker needs from the farm.
func (e *Engine) files() (out []File) {
	for _, f := range append([]*File{e.Weights, e.Table}, pointers(e.Others)...) {
		if f != nil && f.SHA256 != "" {
			out = append(out, *f)
		}
	}
	return append(out, e.Bearoff...)
}

func pointers(list []File) (out []*File) {
	for i := range list {
		out = append(out, &list[i])
	}
	return out
}

// shelf is the farm's copy of a file.
type shelf struct {
	ages map[string]time.Duration // of the parts, by subject
	life time.Duration            // the greatest age of a part, or 0 for no limit
	shut bool                     // nothing can be stored now
}

// old reports whether a part has reached half of its greatest age and must be stored again.
func (s *shelf) old(subject string) bool {
	age, there := s.ages[subject]
	return there && s.life > 0 && age > s.life/2
}

// shelf finds the stored parts of a file, with ages by the server's clock.
func (c *Client) shelf(ctx context.Context, sum string) (out shelf, err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	s, err := c.js.Stream(ctx, blobStream)
	if err != nil {
		return out, err
	}
	i := s.CachedInfo()
	out = shelf{ages: map[string]time.Duration{}, life: i.Config.MaxAge, shut: shutting(i)}
	cons, err := c.js.CreateConsumer(ctx, blobStream, jetstream.ConsumerConfig{FilterSubject: "farm.blob." + sum + ".*", HeadersOnly: true,
		AckPolicy: jetstream.AckNonePolicy, MemoryStorage: true, Replicas: 1, InactiveThreshold: time.Minute})
	if err != nil {
		return out, err
	}
	defer func() { _ = c.js.DeleteConsumer(context.WithoutCancel(ctx), blobStream, cons.CachedInfo().Name) }() // otherwise it expires
	for left := cons.CachedInfo().NumPending; left > 0; {
		batch, err := cons.Fetch(int(min(left, 256)), jetstream.FetchMaxWait(5*time.Second))
		if err != nil {
			return out, err
		}
		before := left
		for m := range batch.Messages() {
			md, err := m.Metadata()
			if err != nil {
				return out, err
			}
			left = md.NumPending
			out.ages[m.Subject()] = i.TimeStamp.Sub(md.Timestamp) + time.Duration(c.ahead.Load())
		}
		if left == before {
			return out, cmp.Or(batch.Error(), context.DeadlineExceeded)
		}
	}
	return out, nil
}

// renew stores an existing part again, which resets its age.
func (c *Client) renew(ctx context.Context, subject string, data []byte) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	s, err := c.stream(ctx, blobStream)
	if err != nil {
		return err
	}
	if cfg := s.CachedInfo().Config; cfg.DiscardNewPerSubject { // as other programs may have made it
		cfg.DiscardNewPerSubject = false
		if _, err := c.js.UpdateStream(ctx, cfg); err != nil {
			return err
		}
		c.streams.Delete(blobStream)
	}
	_, err = c.js.PublishMsg(ctx, &nats.Msg{Subject: subject, Data: data})
	return err
}

// errGone means that parts of a file are no longer on the farm.
var errGone = errors.New("is no longer on the farm")

// keep renews the old parts of a file on the farm and returns when to look again.
func (c *Client) keep(ctx context.Context, f File) (next time.Duration, err error) {
	s, err := c.shelf(ctx, f.SHA256)
	if err != nil {
		return keepLooks, err
	}
	next = max(s.life/2, keepLooks)
	for part := int64(0); part*blobPart < f.Size; part++ {
		subject := blobSubject(f.SHA256, part)
		age, there := s.ages[subject]
		switch {
		case !there:
			return keepLooks, fmt.Errorf("%s %w", f.Name, errGone)
		case !s.old(subject):
			if s.life > 0 {
				next = min(next, s.life/2-age+time.Second)
			}
			continue
		case s.shut: // the disk may be full
			next = keepLooks
			continue
		}
		m, ok, err := c.last(ctx, blobStream, subject)
		if err == nil && ok {
			err = c.renew(ctx, subject, m.Data)
		}
		if err != nil || !ok {
			return keepLooks, err
		}
	}
	return next, nil
}

// keepFiles renews the files of the job as long as it runs, for workers that join late.
func (r *Crew) keepFiles(ctx context.Context) {
	files, told := r.Job.Engine.files(), false
	if len(files) == 0 {
		return
	}
	for next := time.Duration(0); ; {
		select {
		case <-ctx.Done():
			return
		case <-r.c.after(next):
		}
		next = 24 * time.Hour
		for _, f := range files {
			at, err := r.c.keep(ctx, f)
			next = min(next, at)
			if errors.Is(err, errGone) && !told {
				told = true
				r.tell(err.Error() + ": workers that come now cannot run this job; interrupt the command and start it again, what was computed stays")
			}
		}
	}
}
