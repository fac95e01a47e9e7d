package farm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
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

// month is a farm without an operator: jobs come and go, and the server restarts now and then.
type month struct {
	t      *testing.T
	dir    string
	listen string
	server atomic.Pointer[Server]
	boss   *Client
	fates  [4]atomic.Int64
}

func (m *month) serve() {
	m.t.Helper()
	s, err := Serve(context.WithoutCancel(m.t.Context()), ServerOptions{Listen: m.listen, Dir: m.dir, pace: quick})
	if err != nil {
		m.t.Error(err)
		return
	}
	m.server.Store(s)
}

// reached waits until the connection of the submitter is to the present server: a question
// that was sent to the last one gets no answer, and times out.
func (m *month) reached() {
	m.t.Helper()
	comes(m.t, "the submitter's connection", func() bool { return m.boss.nc.ConnectedServerId() == m.server.Load().nats.ID() })
}

// job submits a job of a few pieces and brings it to one of its ends: done, cancelled by another
// process, interrupted and resumed, interrupted and cancelled.
func (m *month) job(n int, dice *rand.Rand) error {
	ctx := m.t.Context()
	fate, pieces := dice.IntN(4), 1+dice.IntN(30)
	j := Job{Kind: "square", Spec: []byte(strconv.Itoa(n)), Engine: testEngine}
	crew, err := m.boss.Submit(ctx, j, Command{Size: oneEach})
	if err != nil {
		return fmt.Errorf("submit: %w", err)
	}
	stop := pieces // after so many results something happens
	if fate > 0 {
		stop = dice.IntN(pieces)
	}
	errStop, got := errors.New("enough"), 0
	do := func(crew *Crew, stop int) error {
		got = 0
		return crew.Do(ctx, numbers(pieces), nil, func(k int, r shard.Result) error {
			if string(r.Data) != strconv.Itoa(k*k) {
				return fmt.Errorf("piece %d came to %q", k, r.Data)
			}
			if got++; got > stop {
				return errStop
			}
			return nil
		})
	}
	err = do(crew, stop)
	if fate > 0 && !errors.Is(err, errStop) || fate == 0 && err != nil {
		return fmt.Errorf("fate %d: %w", fate, err)
	}
	m.fates[fate].Add(1)
	again := func(what func() error) (err error) { // the server may be away
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			if err = what(); err == nil || errors.Is(err, ErrRefused) {
				return err
			}
		}
		return err
	}
	gone := func() error {
		err := again(func() error { _, err := m.boss.Cancel(ctx, crew.Job.ID); return err })
		if err != nil && strings.Contains(err.Error(), "no job") { // the answer to an earlier try was lost
			return nil
		}
		return err
	}
	switch fate {
	case 1:
		if err := gone(); err != nil {
			return fmt.Errorf("cancel: %w", err)
		}
		_ = crew.Close(ctx, false) // it may say that it was cancelled
		return nil
	case 2, 3:
		_ = crew.Close(ctx, false) // the server may be down: then the job is not released
		if fate == 3 {
			return gone()
		}
		if crew, err = m.boss.Submit(ctx, j, Command{Size: oneEach}); err != nil {
			return fmt.Errorf("submit again: %w", err)
		}
		if err := do(crew, pieces); err != nil {
			return fmt.Errorf("resumed: %w", err)
		}
	}
	if err := crew.Close(ctx, true); err != nil { // what it could not remove is another's to
		if err := gone(); err != nil {
			return fmt.Errorf("close: %w", err)
		}
	}
	return nil
}

// holds is what is stored on a farm, and how many wait to read it.
func (m *month) holds() (text string) {
	for _, name := range []string{taskStream, resultStream, "KV_" + jobBucket, blobStream} {
		s, err := m.boss.js.Stream(m.t.Context(), name)
		if err != nil {
			return err.Error()
		}
		i := s.CachedInfo()
		n := 0
		for c := range s.ListConsumers(m.t.Context()).Info() {
			if c.Config.AckPolicy == jetstream.AckNonePolicy { // the queue's stays for the next job
				n++
			}
		}
		text += fmt.Sprintf("%s %d messages %d bytes %d readers\n", name, i.State.Msgs, i.State.Bytes, n)
	}
	jobs, err := m.boss.subjects(m.t.Context(), "KV_"+beatBucket, "$KV."+beatBucket+".job.*")
	return text + fmt.Sprintf("%d jobs are reported %v\n", len(jobs), err)
}

// comes waits until a farm holds no more than at the start, and says what else it holds.
func (m *month) comes(empty string) {
	m.t.Helper()
	holds := m.holds()
	for end := time.Now().Add(time.Minute); holds != empty; holds = m.holds() {
		if time.Now().After(end) {
			var left []string
			for _, stream := range []string{taskStream, resultStream, "KV_" + jobBucket, blobStream} {
				list, _ := m.boss.subjects(m.t.Context(), stream, ">") // for a person
				left = slices.AppendSeq(left, maps.Keys(list))
			}
			m.t.Fatalf("something is left on the farm:\n%s%v\nwant\n%s", holds, left, empty)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// disk is how many bytes the server's files take.
func (m *month) disk() (n int64) {
	_ = filepath.WalkDir(filepath.Join(m.dir, storeDir), func(_ string, d fs.DirEntry, err error) error { // files go meanwhile
		if err == nil && !d.IsDir() {
			if i, err := d.Info(); err == nil {
				n += i.Size()
			}
		}
		return nil
	})
	return n
}

func heap() uint64 {
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

// TestFarm_month: after many jobs that came to all kinds of ends, and starts of the server
// with jobs and without, nothing is left of them: no task, result, record, report or reader;
// disk, memory and goroutines are what they were. FIBSBOT_FARM_MONTH=1000 is the heavy form.
func TestFarm_month(t *testing.T) {
	jobs, rounds, text := 24, 2, os.Getenv("FIBSBOT_FARM_MONTH")
	heavy := text != ""
	if !heavy {
		testsize.Large(t)
		t.Parallel() // it waits more than it works; what others take of memory is theirs
	} else {
		rounds = 4
		var err error
		if jobs, err = strconv.Atoi(text); err != nil || jobs < 24 {
			t.Fatalf("FIBSBOT_FARM_MONTH=%s: want a number of jobs, 24 or more", text)
		}
	}
	m := &month{t: t, dir: t.TempDir(), listen: freeport.On(t, "127.0.0.1")}
	m.serve()
	t.Cleanup(func() { m.server.Load().Close() })
	submitKey, workKey := m.server.Load().KeyFiles()
	url := "tls://" + m.listen
	m.boss = client(t, url, submitKey)
	runs := square{runs: new(atomic.Int64)}
	testWorker(t, client(t, url, workKey), "a", nil, runs)
	testWorker(t, client(t, url, workKey), "b", nil, runs)
	present(t, m.boss, 2)
	empty := m.holds()
	const atOnce = 3
	work := func(from, to int) {
		var wg sync.WaitGroup
		var next atomic.Int64
		next.Store(int64(from))
		for w := range atOnce {
			dice := rand.New(rand.NewPCG(7, uint64(from+w)))
			wg.Go(func() {
				for n := int(next.Add(1)) - 1; n < to; n = int(next.Add(1)) - 1 {
					if err := m.job(n, dice); err != nil {
						t.Errorf("job %d: %v", n, err)
					}
				}
			})
		}
		wg.Wait()
	}
	disk, memory, routines := make([]int64, rounds), make([]uint64, rounds), make([]int, rounds)
	for round := range rounds {
		from, to := round*jobs/rounds, (round+1)*jobs/rounds
		var restart sync.WaitGroup
		restart.Go(func() { // with jobs that run
			time.Sleep(300 * time.Millisecond)
			m.server.Load().Close()
			m.serve()
		})
		work(from, to)
		restart.Wait()
		m.server.Load().Close() // and idle
		m.serve()
		m.reached()
		present(t, m.boss, 2)
		m.comes(empty)
		disk[round], memory[round], routines[round] = m.disk(), heap(), runtime.NumGoroutine()
	}
	var fates [4]int64
	for i := range fates {
		if fates[i] = m.fates[i].Load(); fates[i] == 0 {
			t.Errorf("no job came to end %d", i)
		}
	}
	t.Logf("%d jobs: done, cancelled, resumed, interrupted and cancelled: %v; %d pieces run; disk %v bytes, memory %v bytes, goroutines %v after each round\n%s",
		jobs, fates, runs.runs.Load(), disk, memory, routines, m.holds())
	if disk[rounds-1] > disk[0]+1<<20 {
		t.Errorf("the disk fills: %v bytes", disk)
	}
	if heavy && memory[rounds-1] > memory[0]+12<<20 {
		t.Errorf("memory grows: %v bytes", memory)
	}
	if heavy && routines[rounds-1] > routines[0]+30 {
		t.Errorf("goroutines are left: %v", routines)
	}
}
