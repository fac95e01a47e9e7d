package farm

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"fibsbot/internal/shard"
	"fibsbot/internal/testsize"
)

// hostile speaks NATS with a worker's key and keeps to no rule.
type hostile struct {
	*Client
	t *testing.T
}

func newHostile(t *testing.T, s *Server, name string) *hostile {
	return &hostile{client(t, s.URL(), keyOf(t, s, name)), t}
}

// publish sends a message, and says whether the server let it through.
func (h *hostile) publish(m *nats.Msg) (allowed bool) {
	h.t.Helper()
	refused := make(chan struct{}, 10)
	h.nc.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if strings.Contains(strings.ToLower(err.Error()), "permissions violation") {
			refused <- struct{}{}
		}
	})
	// The server ends a connection whose rights change, which may happen right here.
	for err := errors.Join(h.nc.PublishMsg(m), h.nc.Flush()); err != nil; err = errors.Join(h.nc.PublishMsg(m), h.nc.Flush()) {
		if h.nc.IsClosed() {
			h.t.Fatal(err)
		}
		comes(h.t, "the connection again", h.nc.IsConnected)
	}
	select {
	case <-refused:
		return false
	case <-time.After(500 * time.Millisecond): // errors come before the answer to the flush; their handler may come later
		return true
	}
}

// tasks fetches tasks of the test engine until ctx ends and hands each to do.
func (h *hostile) tasks(ctx context.Context, do func(job, key string, m jetstream.Msg)) {
	sig := testEngine.Sig()
	for ctx.Err() == nil {
		cons, err := h.js.Consumer(ctx, taskStream, sig)
		if err != nil {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		for m, err := cons.Next(jetstream.FetchMaxWait(time.Second)); err == nil && ctx.Err() == nil; m, err = cons.Next(jetstream.FetchMaxWait(time.Second)) {
			part := strings.Split(m.Subject(), ".")
			do(part[3], part[4], m)
		}
	}
}

// works has it take tasks until the test ends, and report itself as a worker does.
func (h *hostile) works(do func(job, key string, m jetstream.Msg)) {
	ctx, cancel := context.WithCancel(h.t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { h.tasks(ctx, do) })
	if err := h.beat(ctx, reportSubject(h.id, "evil-1"), Report{ID: "evil-1", Name: "evil", Threads: 2}); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { cancel(); wg.Wait() })
}

// square is the right result of a task.
func right(m jetstream.Msg) string {
	n, _ := strconv.Atoi(string(m.Data())) // as numbers makes it
	return strconv.Itoa(n * n)
}

// all runs n pieces of a job and closes it; what is taken is not looked at.
func all(t *testing.T, crew *Crew, n int) error {
	t.Helper()
	err := crew.Do(t.Context(), numbers(n), nil, func(int, shard.Result) error { return nil })
	if cerr := crew.Close(t.Context(), err == nil); err == nil {
		err = cerr
	}
	return err
}

// TestHostile_secondOpinion: a worker that stores false results, in its own name, under
// others' and by answers of the server, does not confirm itself. It is the one that is left
// out, though it calls itself by another's name, and the job is right without it.
func TestHostile_secondOpinion(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	for name, others := range map[string]bool{"alone": false, "beside another": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testServer(t, ServerOptions{})
			submitKey, workKey := s.KeyFiles()
			c := client(t, s.URL(), submitKey)
			victim, err := ReadKey(workKey)
			if err != nil {
				t.Fatal(err)
			}
			evil := newHostile(t, s, "evil")
			var runs, here atomic.Int64
			if others {
				testWorker(t, client(t, s.URL(), workKey), "good", nil, square{runs: &runs})
			}
			evil.works(func(job, key string, m jetstream.Msg) {
				lie := nats.Header{headName: {"good"}, headSeconds: {"NaN"}}
				for _, subject := range []string{
					resultSubject(job, key, evil.id), resultSubject(job, key, victim.public), resultSubject(job, key+"-check", evil.id),
					"farm.result." + job + "." + key, "farm.result." + job + "." + key + "-check",
				} {
					_ = evil.nc.PublishMsg(&nats.Msg{Subject: subject, Data: []byte("-1"), Header: lie})
				}
				// The server answers to whatever subject is asked for.
				_ = evil.nc.PublishRequest(resultSubject(job, key, evil.id), resultSubject(job, key, victim.public), []byte("-1"))
				_ = evil.nc.PublishRequest("$JS.API.STREAM.INFO.KV_"+jobBucket, resultSubject(job, key, victim.public), nil)
				_ = m.Ack()
			})
			crew := submit(t, c, name, Command{Judge: square{runs: &here}})
			err = all(t, crew, 60)
			for ; err == nil && others; err = all(t, crew, 60) { // the other was faster with all of them
				if runs.Load() > 10_000 {
					t.Fatal("the hostile worker gets no piece")
				}
				crew = submit(t, c, name, Command{Judge: square{runs: &here}})
			}
			if !errors.Is(err, ErrDisagree) {
				t.Fatalf("%v, want %v", err, ErrDisagree)
			}
			list, err := c.bans(t.Context())
			if err != nil || len(list) != 1 || list[evil.id].Name != "good" {
				t.Errorf("left out: %v, %v; the hostile key is %s", list, err, evil.id)
			}
			if !others {
				testWorker(t, client(t, s.URL(), workKey), "good", nil, square{runs: &runs})
			}
			crew = submit(t, c, name, Command{Judge: square{runs: &here}})
			finish(t, crew, 60)
		})
	}
}

// TestHostile_bounds: what a worker's key may publish to is bound to the key.
func TestHostile_bounds(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	s := testServer(t, ServerOptions{})
	submitKey, workKey := s.KeyFiles()
	c := client(t, s.URL(), submitKey)
	victim, err := ReadKey(workKey)
	if err != nil {
		t.Fatal(err)
	}
	evil := newHostile(t, s, "evil")
	crew := submit(t, c, "bounds")
	defer func() { _ = crew.Close(t.Context(), true) }()
	job := crew.Job.ID
	for subject, want := range map[string]bool{
		resultSubject(job, "p", evil.id):                        true,
		resultSubject(job, "p", evil.id) + "." + failed:         true,
		reportSubject(evil.id, "evil-1"):                        true,
		resultSubject(job, "p", victim.public):                  false,
		resultSubject(job, "p", victim.public) + "." + failed:   false,
		"farm.result." + job + ".p":                             false,
		reportSubject(victim.public, "kitchen-1"):               false,
		beatSubject(job):                                        false,
		banSubject(victim.public):                               false,
		banSubject(evil.id):                                     false,
		jobSubject(job):                                         false,
		newsSubject:                                             false,
		"$JS.ACK." + taskStream + ".x.1.1.1.1.0":                false,
		"$JS.API.STREAM.PURGE." + resultStream:                  false,
		"$JS.API.CONSUMER.CREATE." + taskStream:                 false,
		inbox(victim.public) + ".x":                             false,
		"$JS.API.DIRECT.GET." + resultStream + ".farm.result.>": false,
	} {
		if got := evil.publish(nats.NewMsg(subject)); got != want {
			t.Errorf("%s: allowed %v, want %v", subject, got, want)
		}
	}
	// A roll-up would remove the reports of all.
	m := nats.NewMsg(reportSubject(evil.id, "evil-2"))
	m.Header.Set("Nats-Rollup", "all")
	evil.publish(m)
	if _, there, err := c.last(t.Context(), "KV_"+beatBucket, beatSubject(job)); err != nil || !there {
		t.Errorf("the job's report is there: %v, %v", there, err)
	}
}

// TestHostile_checksLookLikeAnyPiece: what a worker sees of a piece that it runs is the same
// the second time.
func TestHostile_checksLookLikeAnyPiece(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	s, c, work := newFarm(t, ServerOptions{})
	evil := newHostile(t, s, "evil")
	var mu sync.Mutex
	seen, twice, odd := map[string]bool{}, 0, ""
	evil.works(func(job, key string, m jetstream.Msg) {
		mu.Lock()
		defer mu.Unlock()
		if seen[m.Subject()] {
			twice++
		}
		seen[m.Subject()] = true
		if fmt.Sprint(m.Headers()) != "map["+jetstream.ExpectedLastSubjSeqHeader+":[0]]" || m.Subject() != taskSubject(testEngine.Sig(), job, "p"+string(m.Data())) {
			odd = fmt.Sprint(m.Subject(), m.Headers())
		}
		_, _ = evil.put(t.Context(), result(job, key, evil.id, right(m))) // honest so far
		_ = m.Ack()
	})
	var runs, here atomic.Int64
	testWorker(t, work(), "good", nil, square{runs: &runs})
	present(t, c, 2)
	crew := submit(t, c, "looks", Command{Judge: square{runs: &here}})
	crew.check = 2
	if err := all(t, crew, 200); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if odd != "" || len(seen) == 0 {
		t.Errorf("%d tasks; one looks otherwise: %s", len(seen), odd)
	}
	t.Logf("%d tasks came, %d of them twice; %d pieces were checked here", len(seen), twice, here.Load())
}

// TestHostile_acknowledgments: no worker acknowledges, gives back or ends the tasks of another,
// and those that are acknowledged without a result are run again.
func TestHostile_acknowledgments(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	s, c, work := newFarm(t, ServerOptions{})
	evil := newHostile(t, s, "evil")
	crew := submit(t, c, "acks", Command{Judge: square{runs: new(atomic.Int64)}})
	began := make(chan struct{}, 100)
	var wg sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	w := &Worker{Client: work(), Name: "good", Threads: 2, Version: "v1", Kernel: "go", Dir: t.TempDir(), Log: func(string) {}, Grace: time.Millisecond,
		Prepare: func(context.Context, Job, Paths) (Prepared, error) {
			return Prepared{Answer: "42", New: func() (shard.Runner, error) { return stuck{began}, nil }}, nil
		}}
	wg.Go(func() { _ = w.Run(ctx) })
	done := make(chan error, 1)
	go func() { done <- all(t, crew, 8) }()
	<-began
	<-began
	state := func() (waits int) {
		cons, err := c.js.Consumer(t.Context(), taskStream, testEngine.Sig())
		if err != nil {
			t.Fatal(err)
		}
		i := cons.CachedInfo()
		return i.NumAckPending
	}
	if n := state(); n != 2 {
		t.Fatalf("%d tasks are out, want 2", n)
	}
	for seq := range 10 { // the numbers of a task are easily guessed
		for _, word := range []string{"+ACK", "+TERM", "-NAK", "+NXT"} {
			subject := fmt.Sprintf("$JS.ACK.%s.%s.1.%d.%d.%d.0", taskStream, testEngine.Sig(), seq+1, seq+1, time.Now().UnixNano())
			_ = evil.nc.Publish(subject, []byte(word))
		}
	}
	_ = evil.nc.Flush()
	if n := state(); n != 2 {
		t.Errorf("%d tasks are out after others' acknowledgments, want 2", n)
	}
	stop()
	wg.Wait()
	// Its own it may acknowledge: the pieces are lost and run again.
	evil.works(func(_, _ string, m jetstream.Msg) { _ = m.Ack() })
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if list, err := c.subjects(t.Context(), taskStream, taskSubject("*", crew.Job.ID, "*")); err == nil && len(list) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the hostile worker takes no task")
		}
	}
	evil.Close()
	testWorker(t, work(), "good", nil, square{runs: new(atomic.Int64)})
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestHostile_failures: a worker that reports every piece as impossible does not end
// the job: its reports are checked, and it is left out.
func TestHostile_failures(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	s, c, work := newFarm(t, ServerOptions{})
	evil := newHostile(t, s, "evil")
	var here atomic.Int64
	crew := submit(t, c, "fails", Command{Judge: square{runs: &here}})
	fail := func(job, key, big string) {
		m := result(job, key, evil.id, "")
		m.Subject += "." + failed
		m.Header.Set(headError, "no\x1b[2Jnumber")
		if big != "" {
			m.Header.Set(headBig, big)
		}
		_, _ = evil.put(t.Context(), m)
	}
	said := 0
	evil.works(func(job, key string, m jetstream.Msg) {
		fail(job, key, []string{"", "1"}[said%2])
		said++
		_ = m.Ack()
	})
	err := all(t, crew, 40)
	if !errors.Is(err, ErrDisagree) || here.Load() < mostFalse || here.Load() > 40 {
		t.Fatalf("%v after %d pieces run here", err, here.Load())
	}
	if list, err := c.bans(t.Context()); err != nil || len(list) != 1 || !strings.Contains(list[evil.id].Why, `no\x1b[2Jnumber`) {
		t.Errorf("left out: %v, %v", list, err)
	}
	crew = submit(t, c, "fails", Command{Judge: square{runs: &here}})
	testWorker(t, work(), "good", nil, square{runs: new(atomic.Int64)})
	finish(t, crew, 40)
}

// TestHostile_ban: a worker that is left out gets no task and stores nothing, whatever it does,
// until it is readmitted. Workers with other keys are not affected.
func TestHostile_ban(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	s, c, work := newFarm(t, ServerOptions{})
	evil := newHostile(t, s, "evil")
	crew := submit(t, c, "ban")
	defer func() { _ = crew.Close(t.Context(), true) }()
	allowed := func() bool {
		if evil.nc.Status() != nats.CONNECTED {
			return false
		}
		return evil.publish(result(crew.Job.ID, "x"+strconv.FormatInt(time.Now().UnixNano(), 36), evil.id, "-1"))
	}
	if !allowed() {
		t.Fatal("a worker stores no result")
	}
	if err := c.Ban(t.Context(), evil.id, "evil", "it lies"); err != nil {
		t.Fatal(err)
	}
	comes(t, "the end of the rights of who is left out", func() bool { return evil.nc.Status() == nats.CONNECTED && !allowed() })
	if evil.publish(nats.NewMsg("$JS.API.CONSUMER.MSG.NEXT." + taskStream + "." + testEngine.Sig())) {
		t.Error("it fetches tasks")
	}
	err := <-testWorker(t, evil.Client, "evil", nil, square{})
	if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "this machine was left out: it lies") {
		t.Error(err)
	}
	testWorker(t, work(), "evil", nil, square{runs: new(atomic.Int64)}) // the name says nothing
	if total, err := sum(t, crew, 20); err != nil || total != 19*20*39/6 {
		t.Errorf("%d, %v", total, err)
	}
	if why, err := c.Readmit(t.Context(), "evil"); err != nil || why != "it lies" {
		t.Error(why, err)
	}
	comes(t, "its rights again", allowed)
}
