package farm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrDamaged means that the farm's store does not deliver what it holds.
var ErrDamaged = errors.New("the farm's store is damaged (restart fibsbot farm serve, which drops the damaged parts, then this command, which runs the lost pieces again)")

// dropQueue removes the queue from the disk. Commands queue their tasks again, and a sound queue
// is worth more than the state of its readers.
func dropQueue(dir string) error {
	return removeAll(dir, taskStream)
}

// removeAll removes files of a stream; more is the path below its folder.
func removeAll(dir string, more ...string) error {
	list, err := filepath.Glob(filepath.Join(append([]string{dir, storeDir, "jetstream", "*", "streams"}, more...)...))
	for _, path := range list {
		err = errors.Join(err, os.RemoveAll(path))
	}
	if err != nil {
		return fmt.Errorf("%w: folder of the farm: %w", ErrRefused, err)
	}
	return nil
}

// mend checks that all messages that the server loaded from the disk can be read, and drops the
// others: a damaged message blocks all later ones, and its subject. The server is restarted to
// read a stream without its index.
func (s *Server) mend(ctx context.Context) error {
	var bad []string
	for _, name := range []string{resultStream, blobStream} {
		ok, err := s.self.sound(ctx, name)
		if err != nil {
			return err
		}
		if !ok {
			bad = append(bad, name)
		}
	}
	if ok, err := s.self.sound(ctx, "KV_"+jobBucket); err != nil {
		return err
	} else if !ok {
		if err := s.mendJobs(ctx); err != nil {
			return err
		}
	}
	if len(bad) == 0 {
		return nil
	}
	s.o.tell("the store was damaged: what cannot be read of results and files is dropped; commands have it computed or bring it again")
	s.halt()
	for _, name := range bad {
		if err := removeAll(s.dir, name, "msgs", "index.db"); err != nil {
			return err
		}
	}
	if err := s.start(); err != nil {
		return err
	}
	return s.makeStreams(ctx)
}

// makeStreams makes the streams, with the messages that are on the disk even if the server could
// not read what a stream is and left it out.
func (s *Server) makeStreams(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	return s.self.setup(ctx, s.o.MaxStore, s.o.Keep)
}

// mendJobs rebuilds the store of jobs from the records that can be read.
func (s *Server) mendJobs(ctx context.Context) error {
	list, err := s.self.subjects(ctx, "KV_"+jobBucket, "$KV."+jobBucket+".>")
	if err != nil {
		return err
	}
	kept := map[string][]byte{}
	for subject := range list {
		short, cancel := context.WithTimeout(ctx, time.Second)
		if m, ok, err := s.self.last(short, "KV_"+jobBucket, subject); err == nil && ok {
			kept[subject] = m.Data
		}
		cancel()
	}
	s.o.tell(fmt.Sprintf("the store was damaged: %d of %d records of jobs and machines can be read; commands write the others again", len(kept), len(list)))
	err = errors.Join(s.self.js.DeleteStream(ctx, "KV_"+jobBucket), s.makeStreams(ctx))
	for subject, data := range kept {
		if err == nil {
			_, err = s.self.js.Publish(ctx, subject, data)
		}
	}
	return err
}

// sound reports whether all messages of a stream with one message per subject can be read.
func (c *Client) sound(ctx context.Context, name string) (bool, error) {
	s, err := c.js.Stream(ctx, name)
	if err != nil {
		return false, err
	}
	cons, err := c.js.CreateConsumer(ctx, name, jetstream.ConsumerConfig{HeadersOnly: true, AckPolicy: jetstream.AckNonePolicy,
		MemoryStorage: true, Replicas: 1, InactiveThreshold: time.Minute})
	if err != nil {
		return false, err
	}
	defer func() { _ = c.js.DeleteConsumer(context.WithoutCancel(ctx), name, cons.CachedInfo().Name) }() // or it goes by itself
	begun := s.CachedInfo().State
	for left := begun.Msgs; left > 0; {
		batch, err := cons.Fetch(int(min(left, 1000)), jetstream.FetchMaxWait(3*time.Second))
		if err != nil {
			return false, err
		}
		before := left
		for range batch.Messages() {
			left--
		}
		if left == before {
			return false, ctx.Err()
		}
	}
	// The server keeps the subjects of messages that it found damaged, and nothing else can be
	// stored there.
	i, err := s.Info(ctx)
	if err != nil {
		return false, err
	}
	return i.State.Msgs == begun.Msgs && i.State.NumSubjects == i.State.Msgs && i.State.Lost == nil, nil
}

// makeReader makes the consumer through which workers fetch the tasks of an engine.
func (c *Client) makeReader(ctx context.Context, sig string) error {
	_, err := c.js.CreateOrUpdateConsumer(ctx, taskStream, jetstream.ConsumerConfig{
		Durable: sig, FilterSubject: taskSubject(sig, "*", "*"), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: c.pace.ackWait, MaxDeliver: maxDeliver, MaxAckPending: 50_000, InactiveThreshold: 7 * 24 * time.Hour,
	})
	return err
}

// reader returns the consumer of an engine's tasks.
func (c *Client) reader(ctx context.Context, sig string) (jetstream.Consumer, error) {
	return c.js.Consumer(ctx, taskStream, sig)
}

// standstill notices a queue that delivers nothing although matching workers are idle.
type standstill struct {
	delivered uint64 // at the last look
	looks     int    // looks without a change
}

const (
	// clearAfter is the number of looks until the job's tasks are queued again, hopelessAfter
	// until the job ends.
	clearAfter, hopelessAfter = 5, 15
	// deafAfter is the number of looks without an existing result until the job ends,
	// blindAfter of failed reads of its record.
	deafAfter, blindAfter = 10, 6
	// unreadAfter is the number of sends of a piece before its result is checked for damage.
	unreadAfter = 3
)

// unread reports whether the farm has a result of a piece that the server counts and does not
// send.
func (r *Crew) unread(ctx context.Context, key string) bool {
	list, err := r.c.subjects(ctx, resultStream, resultSubject(r.Job.ID, key, "*"))
	return err == nil && len(list) > 0
}

// look returns the number of looks without a delivery.
func (s *standstill) look(i *jetstream.ConsumerInfo, idle bool) int {
	if i.Delivered.Consumer != s.delivered || i.NumAckPending > 0 || i.NumPending == 0 || !idle {
		s.delivered, s.looks = i.Delivered.Consumer, 0
		return 0
	}
	s.looks++
	return s.looks
}
