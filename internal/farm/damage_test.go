package farm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"fibsbot/internal/freeport"
	"fibsbot/internal/shard"
	"fibsbot/internal/testsize"
)

// damages are what can happen to the bytes of a file.
var damages = map[string]func([]byte) []byte{
	"sound":     func(text []byte) []byte { return text },
	"truncated": func(text []byte) []byte { return text[:len(text)/2] },
	"zeroed":    func(text []byte) []byte { return make([]byte, len(text)) },
	"holed":     func(text []byte) []byte { clear(text[len(text)/3 : len(text)*2/3]); return text },
	"missing":   nil,
}

// TestFarm_damagedStore: whatever happened to files of the store, while the server was away or
// beside it, a job that runs meanwhile and one that is submitted again come to their right end,
// or to an error whose remedy helps. A worker that comes later needs the job's file. Each file is
// damaged in two of the four ways, or one with -short or the race detector; FIBSBOT_FARM_MONTH
// damages it in all.
func TestFarm_damagedStore(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	var files []string
	for _, stream := range []string{blobStream, taskStream, resultStream, "KV_" + jobBucket} { // the slowest first
		for _, file := range []string{"meta.inf", "meta.sum", "msgs/1.blk", "msgs/index.db", "{meta.sum,msgs/1.blk}"} {
			files = append(files, stream+"/"+file)
		}
	}
	for _, file := range []string{"meta.inf", "meta.sum", "o.dat"} {
		files = append(files, taskStream+"/obs/*/"+file)
	}
	moments := []string{"between runs", "at a restart", "beside the server"}
	var wg sync.WaitGroup           // subtests would wait for each other
	room := make(chan struct{}, 16) // with more of them each has too little of a busy machine
	hows, ways := slices.Sorted(maps.Keys(damages)), 2
	if testsize.Brief() {
		ways = 1
	}
	if os.Getenv("FIBSBOT_FARM_MONTH") != "" {
		ways = 4
	}
	hows = slices.DeleteFunc(hows, func(how string) bool { return how == "sound" })
	for k, file := range files {
		take := slices.Clone(hows)
		if k < len(moments) {
			take = append(take, "sound")
		}
		for i, how := range take {
			if i < len(hows) && (i+k)%4 >= ways {
				continue
			}
			when := moments[(i+k)%3]
			if strings.Contains(file, "{") {
				when = moments[(i+k)%2]
			}
			wg.Go(func() {
				room <- struct{}{}
				defer func() { <-room }()
				if err := damaged(t, file, how, when); err != nil {
					t.Errorf("%s %s %s: %v", when, how, file, err)
				}
			})
		}
	}
	wg.Wait()
}

// harm damages files of the store at dir. Some are not there yet.
func harm(dir, pattern, how string) error {
	stream, more, _ := strings.Cut(strings.TrimSuffix(pattern, "}"), "/{")
	for file := range strings.SplitSeq(more, ",") {
		list, err := filepath.Glob(filepath.Join(dir, storeDir, "jetstream", "*", "streams", stream, file))
		if err != nil {
			return err
		}
		for _, path := range list {
			text, err := os.ReadFile(path)
			if change := damages[how]; change == nil {
				err = os.Remove(path)
			} else if err == nil {
				err = os.WriteFile(path, change(text), 0o600)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func damaged(t *testing.T, file, how, when string) error {
	o := ServerOptions{Listen: freeport.On(t, "127.0.0.1"), Dir: t.TempDir(), pace: quick}
	var s *Server
	serve := func() (err error) {
		if s != nil {
			s.Close()
		}
		if s != nil && when != "beside the server" {
			err = harm(o.Dir, file, how)
			when = ""
		}
		if err == nil {
			s, err = Serve(t.Context(), o)
		}
		return err
	}
	if err := serve(); err != nil {
		return err
	}
	defer func() { s.Close() }()
	dial := func(role Role) (*Client, error) {
		k, err := ReadKey(filepath.Join(o.Dir, string(role)+".key"))
		if err != nil {
			return nil, err
		}
		c, err := Dial("tls://"+o.Listen, k)
		if err == nil {
			c.pace = quick
			c.pace.patience = 10 * time.Second // a damaged one does not answer
		}
		return c, err
	}
	path := filepath.Join(t.TempDir(), "x.weights")
	if err := os.WriteFile(path, make([]byte, blobPart+99), 0o600); err != nil {
		return err
	}
	var runs atomic.Int64
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	end := func() {}
	work := func() error { // in the place of the worker before
		end()
		c, err := dial(RoleWork)
		if err != nil {
			return err
		}
		ctx, stop := context.WithCancel(ctx)
		w := &Worker{Client: c, Name: "a", Threads: 2, Version: "v1", Kernel: "go", Dir: t.TempDir(), Log: func(string) {}, Grace: time.Second,
			Prepare: func(context.Context, Job, Paths) (Prepared, error) {
				return Prepared{Answer: "42", New: func() (shard.Runner, error) { return square{runs: &runs}, nil }}, nil
			}}
		over := make(chan struct{})
		go func() { _ = w.Run(ctx); close(over) }()
		end = func() { stop(); <-over; c.Close() }
		return nil
	}
	defer func() { stop(); end() }()
	hurt := false
	errStop := errors.New("interrupted")
	take := func(k int, r shard.Result) (err error) {
		if string(r.Data) != strconv.Itoa(k*k) {
			return fmt.Errorf("piece %d: %q", k, r.Data)
		}
		if k != 12 || hurt {
			return nil
		}
		hurt = true
		switch when {
		case "at a restart":
			err = serve()
		case "between runs":
			return errStop
		default:
			err = harm(o.Dir, file, how)
		}
		return errors.Join(err, work())
	}
	run := func() error {
		boss, err := dial(RoleSubmit)
		if err != nil {
			return err
		}
		defer boss.Close()
		job := Job{Kind: "square", Spec: []byte(`"damaged"`), Engine: testEngine}
		f, err := boss.Upload(ctx, path)
		if err != nil {
			return err
		}
		job.Engine.Weights = &f
		crew, err := boss.Submit(ctx, job, Command{Size: oneEach, Judge: square{runs: &runs}})
		if err != nil {
			return err
		}
		err = crew.Do(ctx, numbers(61), nil, take)
		return errors.Join(err, crew.Close(context.WithoutCancel(ctx), err == nil))
	}
	if err := work(); err != nil {
		return err
	}
	var said []error
	for range 4 { // as who reads the error does
		began := time.Now()
		err := run()
		switch {
		case err == nil && hurt:
			return nil
		case errors.Is(err, errStop), errors.Is(err, ErrDamaged):
			if err := errors.Join(serve(), work()); err != nil {
				return err
			}
		case err == nil || !strings.Contains(err.Error(), "the same command"):
			return fmt.Errorf("damaged: %v: %w", hurt, err)
		}
		said = append(said, fmt.Errorf("%w after %v", err, time.Since(began)))
	}
	return fmt.Errorf("the remedies do not help: %w", errors.Join(said...))
}

// TestOccupied: a subject whose message the server counts and cannot read is not a full store.
func TestOccupied(t *testing.T) {
	t.Parallel()
	s := testServer(t, ServerOptions{})
	_, workKey := s.KeyFiles()
	c := client(t, s.URL(), workKey)
	if fresh, err := c.put(t.Context(), result("square-1", "p", c.id, "1")); err != nil || !fresh {
		t.Fatal(fresh, err)
	}
	// The server answers so when it does not find what it counts, too.
	_, err := c.js.PublishMsg(t.Context(), result("square-1", "p", c.id, "1"))
	if !occupied(err) || alreadyStored(err) {
		t.Errorf("%v: occupied %v, there %v", err, occupied(err), alreadyStored(err))
	}
}

// TestCrew_queueStandsStill: tasks that are not given out although workers are idle are put
// into the queue again, and then the job ends.
func TestCrew_queueStandsStill(t *testing.T) {
	still := &jetstream.ConsumerInfo{NumPending: 3, Delivered: jetstream.SequenceInfo{Consumer: 7}}
	var s standstill
	for looks := range 4 { // the first sees how things are
		if n := s.look(still, true); n != looks {
			t.Errorf("%d looks, want %d", n, looks)
		}
	}
	for name, tt := range map[string]struct {
		i    jetstream.ConsumerInfo
		idle bool
	}{
		"one is out":        {jetstream.ConsumerInfo{NumPending: 3, NumAckPending: 1, Delivered: still.Delivered}, true},
		"one was given out": {jetstream.ConsumerInfo{NumPending: 3, Delivered: jetstream.SequenceInfo{Consumer: 8}}, true},
		"none waits":        {jetstream.ConsumerInfo{Delivered: still.Delivered}, true},
		"no worker is idle": {*still, false},
	} {
		s := standstill{delivered: 7, looks: 3}
		if n := s.look(&tt.i, tt.idle); n != 0 {
			t.Errorf("%s: %d looks, want 0", name, n)
		}
	}
}
