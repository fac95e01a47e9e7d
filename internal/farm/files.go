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

// keepLooks is how often a job looks at its files where the last look failed or could not
// renew them.
const keepLooks = time.Minute

// files are those that a worker needs from the farm.
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

// shelf is what the farm has of a file.
type shelf struct {
	ages map[string]time.Duration // of its parts, by subject
	life time.Duration            // how old parts may get, 0 for any age
	shut bool                     // nothing can be stored there now
}

// old tells whether a part has lived half of the life it has: it is stored again.
func (s *shelf) old(subject string) bool {
	age, there := s.ages[subject]
	return there && s.life > 0 && age > s.life/2
}

// shelf looks what is there of a file, by the clock of the server.
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
	defer func() { _ = c.js.DeleteConsumer(context.WithoutCancel(ctx), blobStream, cons.CachedInfo().Name) }() // or it goes by itself
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

// renew stores a part again that is there: it gets a whole life more.
func (c *Client) renew(ctx context.Context, subject string, data []byte) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	s, err := c.stream(ctx, blobStream)
	if err != nil {
		return err
	}
	if cfg := s.CachedInfo().Config; cfg.DiscardNewPerSubject { // as earlier versions made it
		cfg.DiscardNewPerSubject = false
		if _, err := c.js.UpdateStream(ctx, cfg); err != nil {
			return err
		}
		c.streams.Delete(blobStream)
	}
	_, err = c.js.PublishMsg(ctx, &nats.Msg{Subject: subject, Data: data})
	return err
}

// errGone is wrapped where parts of a file are on the farm no longer.
var errGone = errors.New("is on the farm no longer")

// keep has the farm keep a file that is there, and says when to look again.
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
		case s.shut: // and its disk may be full
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

// keepFiles has the farm keep the files of the job as long as it runs, for workers that
// come late.
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
