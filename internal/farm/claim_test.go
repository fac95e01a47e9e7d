package farm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fibsbot/internal/shard"
	"fibsbot/internal/testsize"
)

// TestSubmit_onlyOneOfManyAtOnce: of those who submit the same job at the same instant one
// runs it and the others are refused; none is told later that his job was cancelled.
func TestSubmit_onlyOneOfManyAtOnce(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	s := testServer(t, ServerOptions{})
	submitKey, workKey := s.KeyFiles()
	var runs atomic.Int64
	testWorker(t, client(t, s.URL(), workKey), "a", nil, square{runs: &runs})
	var all []*Client
	for range 4 {
		all = append(all, client(t, s.URL(), submitKey))
	}
	for round := range 5 {
		job := Job{Kind: "square", Spec: fmt.Appendf(nil, "%d", round), Engine: testEngine}
		crews, errs := make([]*Crew, len(all)), make([]error, len(all))
		var wg sync.WaitGroup
		for i, c := range all {
			wg.Go(func() { crews[i], errs[i] = c.Submit(t.Context(), job, Command{Size: oneEach}) })
		}
		wg.Wait()
		ran := 0
		for i, crew := range crews {
			if crew == nil {
				if !errors.Is(errs[i], ErrRefused) || !strings.Contains(errs[i].Error(), "is already run by process ") {
					t.Error(errs[i])
				}
				continue
			}
			ran++
			finish(t, crew, 20)
		}
		if ran != 1 {
			t.Fatalf("%d of %d run the job", ran, len(all))
		}
	}
}

// TestCrew_jobTakenOver: a command that was not heard of, and whose job another has taken
// over, ends and leaves the other's tasks alone.
func TestCrew_jobTakenOver(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, c, work := newFarm(t, ServerOptions{})
	old := submit(t, c, "taken")
	done := make(chan error, 1)
	go func() { _, err := sum(t, old, 20); done <- err }()
	tasks := func() int {
		list, err := c.subjects(t.Context(), taskStream, taskSubject("*", old.Job.ID, "*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	for end := time.Now().Add(time.Minute); tasks() < 16; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no tasks")
		}
	}
	job, seq, _, err := c.jobAt(t.Context(), old.Job.ID)
	if err != nil {
		t.Fatal(err)
	}
	// As a second command does after it has seen no report for a while.
	if _, err := c.record(t.Context(), job, &Owner{ID: "other", Host: "kitchen", PID: 7}, seq); err != nil {
		t.Fatal(err)
	}
	c.news()
	if err := <-done; !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "now belongs to process 7 on \"kitchen\"") {
		t.Fatal(err)
	}
	if err := old.Close(t.Context(), false); err != nil {
		t.Error(err)
	}
	if n := tasks(); n != 16 {
		t.Errorf("%d tasks are left", n)
	}
	// The other process does not come back: after a while any process may claim the job.
	var runs atomic.Int64
	testWorker(t, work(), "a", nil, square{runs: &runs})
	crew := submit(t, c, "taken")
	finish(t, crew, 20)
}

// TestCrew_runningJobsDoNotGrowOld: what is kept for an hour may run for two.
func TestCrew_runningJobsDoNotGrowOld(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	keep := 4 * time.Second
	_, c, work := newFarm(t, ServerOptions{Keep: keep})
	crew := submit(t, c, "long")
	done := make(chan error, 1)
	go func() { _, err := sum(t, crew, 4); done <- err }()
	for end := time.Now().Add(3 * keep); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		select {
		case err := <-done:
			t.Fatal(err)
		default:
		}
	}
	var runs atomic.Int64
	testWorker(t, work(), "a", nil, square{runs: &runs})
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := crew.Close(t.Context(), true); err != nil {
		t.Error(err)
	}
}

// TestCrew_backAfterItsRecordHasGone: a command that could not reach the farm for longer than a
// job is kept goes on when it can, as if its job had never gone.
func TestCrew_backAfterItsRecordHasGone(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	s := testServer(t, ServerOptions{Keep: 2 * time.Second})
	submitKey, workKey := s.KeyFiles()
	n := newLine(t, strings.TrimPrefix(s.URL(), "tls://"))
	crew := submit(t, client(t, "tls://"+n.listener.Addr().String(), submitKey), "away")
	done := make(chan error, 1)
	go func() { _, err := sum(t, crew, 20); done <- err }()
	n.down.Store(true)
	n.cut()
	near := client(t, s.URL(), submitKey)
	comes(t, "the end of the record", func() bool {
		_, _, ok, err := near.jobAt(t.Context(), crew.Job.ID)
		return err == nil && !ok
	})
	n.down.Store(false)
	var runs atomic.Int64
	testWorker(t, client(t, s.URL(), workKey), "a", nil, square{runs: &runs})
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := crew.Close(t.Context(), true); err != nil {
		t.Error(err)
	}
}

// TestCrew_aSmallerFarmRunsNothingTwice: pieces that were sent ahead for many cores are not
// sent again when most of these have left.
func TestCrew_aSmallerFarmRunsNothingTwice(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, c, work := newFarm(t, ServerOptions{})
	if err := c.beat(t.Context(), reportSubject("ghost", "ghost-1"), Report{ID: "ghost-1", Name: "ghost", Threads: 64}); err != nil {
		t.Fatal(err)
	}
	crew := submit(t, c, "shrinks")
	crew.check = 0
	until := func(ok func(window int) bool) {
		for end := time.Now().Add(time.Minute); !ok(crew.Ahead()); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("a window of %d", crew.Ahead())
			}
		}
	}
	until(func(n int) bool { return n > 100 })
	all, take := numbers(100), func(int, shard.Result) error { return nil }
	if _, err := c.put(t.Context(), result(crew.Job.ID, "p0", c.id, "0")); err != nil {
		t.Fatal(err)
	}
	if err := crew.Do(t.Context(), all[:1], all[1:], take); err != nil {
		t.Fatal(err)
	}
	if err := c.beat(t.Context(), reportSubject("ghost", "ghost-1"), nil); err != nil { // it leaves
		t.Fatal(err)
	}
	until(func(n int) bool { return n < 20 })
	var runs atomic.Int64
	testWorker(t, work(), "a", nil, square{runs: &runs})
	if err := crew.Do(t.Context(), all[1:], nil, take); err != nil {
		t.Fatal(err)
	}
	crew.mu.Lock()
	if left := len(crew.open); left != 0 || crew.known > 100 {
		t.Errorf("%d pieces are out after the end, %d were asked for", left, crew.known)
	}
	crew.mu.Unlock()
	if err := crew.Close(t.Context(), true); err != nil {
		t.Error(err)
	}
}

// TestCrew_resultsThatGoAreRunAgain: results that a cancel removes while the job is submitted
// again are computed again.
func TestCrew_resultsThatGoAreRunAgain(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, c, work := newFarm(t, ServerOptions{})
	crew := submit(t, c, "goes")
	crew.mu.Lock()
	crew.toRead = 8 // as counted an instant before
	crew.mu.Unlock()
	var runs atomic.Int64
	testWorker(t, work(), "a", nil, square{runs: &runs})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := crew.Do(ctx, numbers(20), nil, func(int, shard.Result) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if err := crew.Close(t.Context(), true); err != nil {
		t.Error(err)
	}
}

// TestClient_halfAFarm: who comes while another makes the streams makes the rest too, and a
// file can be the first thing that comes to a new cluster.
func TestClient_halfAFarm(t *testing.T) {
	t.Parallel()
	s := testServer(t, ServerOptions{})
	submitKey, _ := s.KeyFiles()
	c := client(t, s.URL(), submitKey)
	for _, name := range []string{blobStream, "KV_" + jobBucket, "KV_" + beatBucket} {
		if err := c.js.DeleteStream(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := client(t, s.URL(), submitKey).Upload(t.Context(), submitKey); err != nil {
		t.Error(err)
	}
	if _, err := client(t, s.URL(), submitKey).Status(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestServe_firstStartIsKilled: a server that was killed while it made its keys makes them
// when it starts again.
func TestServe_firstStartIsKilled(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	for name, torn := range map[string]func(dir string) error{
		"no users": func(dir string) error {
			_, err := writeKey("submit", RoleSubmit, filepath.Join(dir, "submit.key"), nil)
			return err
		},
		"no users, and a store": func(dir string) error {
			return os.Mkdir(filepath.Join(dir, storeDir), 0o700)
		},
		"one user": func(dir string) error {
			return NewKey(dir, "submit", RoleSubmit, filepath.Join(dir, "submit.key"))
		},
		"a worker's key first": func(dir string) error {
			return NewKey(dir, "kitchen", RoleWork, filepath.Join(dir, "kitchen.key"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := torn(dir); err != nil {
				t.Fatal(err)
			}
			s := testServer(t, ServerOptions{Dir: dir})
			submitKey, workKey := s.KeyFiles()
			for _, key := range []string{submitKey, workKey} {
				client(t, s.URL(), key)
			}
		})
	}
}

// TestServe_keysOfOthersArePutAside: the first key does not overwrite another farm's key in the
// folder.
func TestServe_keysOfOthersArePutAside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "work.key")
	for _, text := range []string{"another farm's", "a second one's"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := putAside(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, []byte("the third"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := testServer(t, ServerOptions{Dir: dir})
	client(t, s.URL(), path)
	for aside, want := range map[string]string{".old": "another farm's", ".old1": "a second one's", ".old2": "the third"} {
		if got, err := os.ReadFile(path + aside); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", aside, got, err)
		}
	}
}

// TestNewKey_manyAtOnce: keys made at the same time beside a server that starts are all let in.
func TestNewKey_manyAtOnce(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	dir := t.TempDir()
	var wg sync.WaitGroup
	path := func(i int) string { return filepath.Join(dir, fmt.Sprint("w", i, ".key")) }
	for i := range 8 {
		wg.Go(func() {
			if err := NewKey(dir, fmt.Sprint("w", i), RoleWork, path(i)); err != nil {
				t.Error(err)
			}
		})
	}
	s := testServer(t, ServerOptions{Dir: dir})
	wg.Wait()
	users, err := readUsers(dir)
	if err != nil || len(users) != 10 {
		t.Fatalf("%d users, %v", len(users), err)
	}
	for i := range 8 {
		k, err := ReadKey(path(i))
		if err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) { // the server looks each second
			c, err := Dial(s.URL(), k)
			if err == nil {
				c.Close()
				break
			}
			if time.Now().After(end) {
				t.Fatal(err)
			}
		}
	}
}
