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

// ErrDamaged is wrapped where the farm's store does not give out what is in it.
var ErrDamaged = errors.New("the farm's store is damaged: start fibsbot farm serve again, which drops what is damaged, and this command, which has the lost pieces run again")

// dropQueue removes the queue from the disk: commands put their tasks there again, and what a
// queue remembers of its readers is worth less than one that is surely whole.
func dropQueue(dir string) error {
	return removeAll(dir, taskStream)
}

// removeAll removes files of a stream, of which more names the path below its folder.
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

// mend checks that everything the server has loaded from the disk can be read, and drops what
// cannot: a damaged message holds up all that come after it, and none can take its place. The
// server is started again where it has to read a stream without the index beside it.
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
	ok, err := s.self.sound(ctx, "KV_"+jobBucket)
	if err == nil && !ok {
		err = s.mendJobs(ctx)
	}
	if err != nil || len(bad) == 0 {
		return err
	}
	s.o.tell("the store was damaged: what cannot be read of results and files is dropped; commands have it computed or bring it again")
	s.halt()
	for _, name := range bad {
		if err := removeAll(s.dir, name, "msgs", "index.db"); err != nil {
			return err
		}
	}
	return s.start()
}

// mendJobs makes the store of jobs again with the records that can be read.
func (s *Server) mendJobs(ctx context.Context) error {
	list, err := s.self.subjects(ctx, "KV_"+jobBucket, "$KV."+jobBucket+".>")
	if err != nil {
		return err
	}
	s.kept = map[string][]byte{}
	for subject := range list {
		short, cancel := context.WithTimeout(ctx, time.Second)
		if m, ok, err := s.self.last(short, "KV_"+jobBucket, subject); err == nil && ok {
			s.kept[subject] = m.Data
		}
		cancel()
	}
	s.o.tell(fmt.Sprintf("the store was damaged: %d of %d records of jobs and machines can be read; commands make the others again", len(s.kept), len(list)))
	return s.self.js.DeleteStream(ctx, "KV_"+jobBucket)
}

// putBack stores the records of jobs that could be read.
func (s *Server) putBack(ctx context.Context) error {
	for subject, data := range s.kept {
		if _, err := s.self.js.Publish(ctx, subject, data); err != nil {
			return err
		}
	}
	s.kept = nil
	return nil
}

// sound reports whether all messages of a stream with one a subject can be read; one that is
// not there is sound.
func (c *Client) sound(ctx context.Context, name string) (bool, error) {
	s, err := c.js.Stream(ctx, name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return true, nil
	}
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
	// What the server has found damaged by itself it leaves among the subjects, where nothing
	// else can be stored.
	i, err := s.Info(ctx)
	if err != nil {
		return false, err
	}
	return i.State.Msgs == begun.Msgs && i.State.NumSubjects == i.State.Msgs && i.State.Lost == nil, nil
}

// makeReader makes the reader of the queue by which workers fetch the tasks of an engine.
func (c *Client) makeReader(ctx context.Context, sig string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_, err := c.js.CreateOrUpdateConsumer(ctx, taskStream, jetstream.ConsumerConfig{
		Durable: sig, FilterSubject: taskSubject(sig, "*", "*"), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: ackWait, MaxDeliver: maxDeliver, MaxAckPending: 50_000, InactiveThreshold: 7 * 24 * time.Hour,
	})
	return err
}

// reader is the reader of the queue for an engine. A request that was lost with a connection is
// not waited for.
func (c *Client) reader(ctx context.Context, sig string) (jetstream.Consumer, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return c.js.Consumer(ctx, taskStream, sig)
}

// standstill notices a queue that gives out nothing although workers that fit are idle.
type standstill struct {
	delivered uint64 // by the queue, at the last look
	looks     int    // without a change
}

const (
	// clearAfter is after how many looks the job's tasks are put there again, hopelessAfter
	// after how many the job ends.
	clearAfter, hopelessAfter = 5, 15
	// deafAfter is after how many looks without a result that is there the job ends, blindAfter
	// after how many at which its record could not be read.
	deafAfter, blindAfter = 10, 6
	// unreadAfter is how often a piece is asked for before its result is checked for damage.
	unreadAfter = 3
)

// unread reports whether there is a result of a piece on the farm: the server counts it, and
// does not send it.
func (r *Crew) unread(ctx context.Context, key string) bool {
	list, err := r.c.subjects(ctx, resultStream, resultSubject(r.Job.ID, key, "*"))
	return err == nil && len(list) > 0
}

// look returns how long the queue has stood still.
func (s *standstill) look(i *jetstream.ConsumerInfo, idle bool) int {
	if i.Delivered.Consumer != s.delivered || i.NumAckPending > 0 || i.NumPending == 0 || !idle {
		s.delivered, s.looks = i.Delivered.Consumer, 0
		return 0
	}
	s.looks++
	return s.looks
}

// idle reports whether a worker that fits the job has a free thread. r.mu is held.
func (r *Crew) idle() bool {
	for _, w := range r.workers {
		if _, out := r.banned[w.Key]; !out && w.Refused[r.Job.ID] == "" && w.Busy < w.Threads && time.Since(w.at) < beatLife {
			return true
		}
	}
	return false
}
