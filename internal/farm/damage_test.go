package farm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"fibsbot/internal/freeport"
	"fibsbot/internal/shard"
)

// damage overwrites a part of a file of one of the streams with zeros and says what it did.
func damage(dir string, seed uint64) (did string, err error) {
	r := rand.New(rand.NewPCG(seed, 19))
	stream := []string{taskStream, resultStream, "KV_" + jobBucket}[seed%3]
	var files []string
	err = filepath.WalkDir(filepath.Join(dir, storeDir), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(path, stream) || seed%4 == 0 && !strings.HasSuffix(path, ".blk") {
			return err
		}
		if st, err := d.Info(); err == nil && st.Size() > 0 {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	path := files[r.IntN(len(files))]
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	from := r.IntN(len(text))
	to := min(len(text), from+1+r.IntN(1+len(text)/2))
	clear(text[from:to])
	rel, _ := filepath.Rel(dir, path) // only to say it
	return fmt.Sprintf("bytes %d to %d of %d of %s", from, to, len(text), rel), os.WriteFile(path, text, 0o600)
}

// TestFarm_damagedStore: whatever the server finds damaged when it starts again, a job that
// runs meanwhile, and one that is submitted again, come to their right end, or to an error that
// says what to do. None hangs.
func TestFarm_damagedStore(t *testing.T) {
	t.Parallel()
	const seeds = 16
	outcomes := make([]string, seeds)
	var wg sync.WaitGroup
	for seed := range uint64(seeds) {
		wg.Go(func() { outcomes[seed] = damaged(t, seed) })
	}
	wg.Wait()
	for seed, text := range outcomes {
		t.Logf("%2d: %s", seed, text)
	}
}

func damaged(t *testing.T, seed uint64) string {
	o := ServerOptions{Listen: freeport.On(t, "127.0.0.1"), Dir: t.TempDir()}
	s, err := Serve(t.Context(), o)
	if err != nil {
		t.Error(err)
		return ""
	}
	end := func() { s.Close() }
	defer func() { end() }()
	dial := func(role Role) *Client {
		k, err := ReadKey(filepath.Join(o.Dir, string(role)+".key"))
		if err != nil {
			t.Error(err)
			return nil
		}
		c, err := Dial("tls://"+o.Listen, k)
		if err != nil {
			t.Error(err)
		}
		return c
	}
	boss, work := dial(RoleSubmit), dial(RoleWork)
	if boss == nil || work == nil {
		return ""
	}
	defer boss.Close()
	var runs atomic.Int64
	ctx, stop := context.WithCancel(t.Context())
	defer time.AfterFunc(90*time.Second, stop).Stop()
	w := &Worker{Client: work, Name: "a", Threads: 2, Version: "v1", Kernel: "go", Dir: t.TempDir(), Log: func(string) {}, Grace: time.Second,
		Prepare: func(context.Context, Job, Paths) (Prepared, error) {
			return Prepared{Answer: "42", New: func() (shard.Runner, error) { return square{runs: &runs}, nil }}, nil
		}}
	var working sync.WaitGroup
	working.Go(func() { _ = w.Run(ctx) })
	defer working.Wait()
	defer work.Close()
	defer stop()
	job := Job{Kind: "square", Spec: []byte(strconv.Quote("damaged")), Engine: testEngine}
	begin := func() (*Crew, error) { return boss.Submit(ctx, job, func() (int, error) { return 1, nil }) }
	crew, err := begin()
	if err != nil {
		t.Error(err)
		return ""
	}
	did := ""
	take := func(k int, r shard.Result) error {
		if string(r.Data) != strconv.Itoa(k*k) {
			t.Errorf("seed %d: piece %d: %q", seed, k, r.Data)
		}
		if k != 12 || did != "" {
			return nil
		}
		s.Close()
		end = func() {}
		if did, err = damage(o.Dir, seed); err != nil {
			return err
		}
		if s, err = Serve(t.Context(), o); err != nil {
			return err
		}
		end = func() { s.Close() }
		return nil
	}
	began, times, said := time.Now(), 0, ""
	for times = 1; ; times++ { // as who reads the error does
		err = crew.Do(ctx, numbers(61), nil, take)
		_ = crew.Close(context.WithoutCancel(ctx), err == nil)
		if err == nil || times == 3 {
			break
		}
		if said = err.Error(); !errors.Is(err, ErrDamaged) && !strings.Contains(said, "the same command") {
			break
		}
		if crew, err = begin(); err != nil {
			break
		}
	}
	if err != nil {
		t.Errorf("seed %d, %s: %v", seed, did, err)
	}
	return fmt.Sprintf("%s: done at the run number %d, after %v %s", did, times, time.Since(began).Round(time.Second/10), said)
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
