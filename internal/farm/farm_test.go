package farm

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"fibsbot/internal/shard"
	"fibsbot/internal/testsize"
)

// TestMain runs more tests at a time than there are processors: they mostly wait.
func TestMain(m *testing.M) {
	flag.Parse()
	if p := flag.Lookup("test.parallel"); p.Value.String() == p.DefValue {
		_ = p.Value.Set("12") // a number is valid
	}
	m.Run()
}

// quick has the parts of a farm report five times as often as usual. It does not wait long for
// checks of machines that are not there.
var quick = func() pace {
	p := paceOf(200 * time.Millisecond)
	p.checkWait, p.patience = 5*p.beat, 30*time.Second // a busy machine starts a server in seconds
	p.ackWait, p.lostAfter = 2*time.Second, 4*time.Second
	return p
}()

// square is a job of whole numbers. Some pieces are faulty.
type square struct {
	off  int // what a wrong machine adds
	runs *atomic.Int64
}

func (s square) Run(_ context.Context, ask []byte) ([]byte, error) {
	s.runs.Add(1)
	switch text := string(ask); text {
	case "error":
		return nil, errors.New("no number")
	case "fault":
		panic("out of range")
	case "big":
		return make([]byte, maxPayload), nil
	}
	n, err := strconv.Atoi(string(ask))
	return strconv.AppendInt(nil, int64(n*n+s.off), 10), err
}

func numbers(n int) (out []shard.Piece) {
	for i := range n {
		out = append(out, shard.Piece{Key: fmt.Sprint("p", i), Ask: []byte(strconv.Itoa(i))})
	}
	return out
}

func testServer(t *testing.T, o ServerOptions) *Server {
	t.Helper()
	o.Listen, o.pace = "127.0.0.1:0", quick
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	s, err := Serve(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func client(t *testing.T, url, keyFile string) *Client {
	t.Helper()
	k, err := ReadKey(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Dial(url, k)
	if err != nil {
		t.Fatal(err)
	}
	c.pace = quick
	t.Cleanup(c.Close)
	return c
}

// newFarm starts a server. boss is a command's connection to it, work makes a worker's.
func newFarm(t *testing.T, o ServerOptions) (s *Server, boss *Client, work func() *Client) {
	t.Helper()
	s = testServer(t, o)
	submitKey, workKey := s.KeyFiles()
	return s, client(t, s.URL(), submitKey), func() *Client { return client(t, s.URL(), workKey) }
}

var testEngine = Engine{Version: "v1", Kernel: "go", Answer: "42"}

// keyOf makes a worker's key of its own and lets it in.
func keyOf(t *testing.T, s *Server, name string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name+".key")
	if err := errors.Join(NewKey(s.dir, name, RoleWork, path), s.letIn(t.Context())); err != nil {
		t.Fatal(err)
	}
	return path
}

// result is one of a piece, as the worker with the key id stores it.
func result(job, piece, id, data string) *nats.Msg {
	return &nats.Msg{Subject: resultSubject(job, piece, id), Data: []byte(data), Header: nats.Header{headName: {"test"}}}
}

// testWorker starts a worker; ended has its error.
func testWorker(t *testing.T, c *Client, name string, change func(*Worker), s square) (ended chan error) {
	t.Helper()
	w := &Worker{Client: c, Name: name, Threads: 2, Version: "v1", Kernel: "go", Dir: t.TempDir(), Log: func(string) {}, Grace: time.Second,
		Prepare: func(context.Context, Job, Paths) (Prepared, error) {
			return Prepared{Answer: "42", New: func() (shard.Runner, error) { return s, nil }}, nil
		}}
	if change != nil {
		change(w)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended = make(chan error, 1)
	var wg sync.WaitGroup
	wg.Go(func() { ended <- w.Run(ctx) })
	t.Cleanup(func() { cancel(); wg.Wait() })
	return ended
}

// present waits until so many workers have reported themselves.
func present(t *testing.T, c *Client, n int) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		list, err := c.workers(t.Context())
		if err == nil && len(list) == n {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d workers are there, want %d: %v", len(list), n, err)
		}
	}
}

// oneEach has a piece for each part.
func oneEach() (int, error) { return 1, nil }

func submit(t *testing.T, c *Client, spec string, by ...Command) *Crew {
	t.Helper()
	command := Command{Size: oneEach}
	if len(by) > 0 {
		command = by[0]
		command.Size = oneEach
	}
	crew, err := c.Submit(t.Context(), Job{Kind: "square", Spec: []byte(strconv.Quote(spec)), Engine: testEngine}, command)
	if err != nil {
		t.Fatal(err)
	}
	return crew
}

// sum adds up n pieces.
func sum(t *testing.T, crew *Crew, n int) (total int, err error) {
	t.Helper()
	err = crew.Do(t.Context(), numbers(n), nil, func(k int, r shard.Result) error {
		v, err := strconv.Atoi(string(r.Data))
		if err != nil || v != k*k {
			t.Errorf("piece %d came to %q", k, r.Data)
		}
		total += v
		return nil
	})
	return total, err
}

// finish adds up n pieces and ends the job.
func finish(t *testing.T, crew *Crew, n int) {
	t.Helper()
	if total, err := sum(t, crew, n); err != nil || total != (n-1)*n*(2*n-1)/6 {
		t.Fatalf("%d, %v", total, err)
	}
	if err := crew.Close(t.Context(), true); err != nil {
		t.Error(err)
	}
}

func TestFarm_aJobGoesOnWhereItWasLeft(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, c, work := newFarm(t, ServerOptions{})
	var runs atomic.Int64
	testWorker(t, work(), "a", nil, square{runs: &runs})
	testWorker(t, work(), "b", nil, square{runs: &runs})
	present(t, c, 2)
	crew := submit(t, c, "one")
	crew.check = 4
	if _, err := sum(t, crew, 20); err != nil {
		t.Fatal(err)
	}
	if err := crew.Close(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	before := runs.Load()
	if _, err := c.put(t.Context(), result("square-gone", "x", c.id, "1")); err != nil {
		t.Fatal(err) // as a piece that ran ahead leaves it
	}
	crew = submit(t, c, "one")
	if total, err := sum(t, crew, 30); err != nil || total != 29*30*59/6 {
		t.Fatalf("%d, %v", total, err)
	}
	if again := runs.Load() - before; again < 10 || again >= 30 {
		t.Errorf("%d pieces run for 10 new ones", again)
	}
	if err := crew.Close(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	st, err := c.Status(t.Context())
	if err != nil || len(st.Jobs) != 0 || st.Results != 0 || st.Queue != 0 || len(st.Workers) != 2 || st.Cores != 4 {
		t.Errorf("%+v, %v", st, err)
	}
	var text bytes.Buffer
	st.Print(&text)
	if !strings.Contains(text.String(), "2 workers, 4 cores") {
		t.Error(text.String())
	}
	st.Jobs = []JobStatus{{ID: "square-1", State: "running", Done: 5, Known: 10}}
	text.Reset()
	st.Live(&text, 0, 0, time.Time{})
	if !strings.Contains(text.String(), "━━━━━━━━╌╌╌╌╌╌╌╌  5     10") || strings.Contains(text.String(), "\x1b[2J") {
		t.Errorf("%q", text.String())
	}
	for rows := 2; rows < 12; rows++ { // 8 lines of less than 100 columns
		text.Reset()
		st.Live(&text, 100, rows, time.Now())
		n := strings.Count(text.String(), "\n")
		if more := strings.Contains(text.String(), " more lines"); n > rows-1 || more != (rows < 10) || !more && !strings.Contains(text.String(), "does not answer; at ") {
			t.Errorf("%d rows: %q", rows, text.String())
		}
	}
}

func TestFarm_poisonIsNamed(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, c, work := newFarm(t, ServerOptions{})
	var runs atomic.Int64
	testWorker(t, work(), "a", nil, square{runs: &runs})
	for _, tt := range []struct {
		ask    string
		judged bool
		is     error
		want   string
	}{
		{"error", true, ErrPoison, "p13 of job .* failed 6 times, last on a: no number"},
		{"fault", true, ErrPoison, "fault: out of range"},
		{"big", true, ErrRefused, "its result has 1048576 bytes, more than 1044480 (use a shorter --farm-piece)"},
		{"error", false, ErrPoison, "p13 of job .* failed 6 times, last on a: no number"},
		{"fault", false, ErrPoison, "fault: out of range"},
		{"big", false, ErrRefused, "its result has 1048576 bytes, more than 1044480 (use a shorter --farm-piece)"},
	} {
		var by Command
		if tt.judged { // it fails here as well
			by.Judge = square{runs: new(atomic.Int64)}
		}
		crew := submit(t, c, tt.ask, by)
		err := crew.Do(t.Context(), []shard.Piece{{Key: "p13", Ask: []byte(tt.ask)}}, nil, func(int, shard.Result) error { return nil })
		if want := tt.want[strings.LastIndex(tt.want, "*")+1:]; !errors.Is(err, tt.is) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", tt.ask, err)
		}
		if err := crew.Close(t.Context(), false); err != nil {
			t.Error(err)
		}
		// What failed is not done.
		if st, err := c.Status(t.Context()); err != nil || st.Results == 0 && !tt.judged || slices.ContainsFunc(st.Jobs, func(j JobStatus) bool { return j.Done > 0 }) {
			t.Errorf("%+v, %v", st, err)
		}
	}
	crew := submit(t, c, "ask")
	defer func() { _ = crew.Close(t.Context(), true) }()
	err := crew.Do(t.Context(), []shard.Piece{{Key: "p", Ask: make([]byte, maxPayload)}}, nil, nil)
	if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "has a question of 1048576 bytes") {
		t.Error(err)
	}
}

func TestFarm_unlikeWorkersAreRefused(t *testing.T) {
	t.Parallel()
	s := testServer(t, ServerOptions{})
	submitKey, workKey := s.KeyFiles()
	crew := submit(t, client(t, s.URL(), submitKey), "unlike")
	defer func() { _ = crew.Close(t.Context(), true) }()
	for _, tt := range []struct {
		want   string
		change func(*Worker)
	}{
		{"it wants version v1, this is v2", func(w *Worker) { w.Version = "v2" }},
		{"it wants the arithmetic of go, this processor has avx512", func(w *Worker) { w.Kernel = "avx512" }},
		{"the known answer is 42 there and 43 here", func(w *Worker) {
			w.Prepare = func(context.Context, Job, Paths) (Prepared, error) { return Prepared{Answer: "43"}, nil }
		}},
		{"other nets", func(w *Worker) {
			w.Prepare = func(context.Context, Job, Paths) (Prepared, error) {
				return Prepared{}, errors.New("other nets")
			}
		}},
	} {
		err := <-testWorker(t, client(t, s.URL(), workKey), "x", tt.change, square{})
		if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}

// TestFarm_jobsOfAnotherProgram: a worker leaves jobs of another program queued, logs that
// once, and runs its own jobs. A worker of the other program runs both.
func TestFarm_jobsOfAnotherProgram(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, c, work := newFarm(t, ServerOptions{})
	lab := testEngine
	lab.Program = "lab"
	theirs, err := c.Submit(t.Context(), Job{Kind: "square", Spec: []byte(`"lab"`), Engine: lab}, Command{Size: oneEach})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.put(t.Context(), &nats.Msg{Subject: taskSubject(lab.Sig(), theirs.Job.ID, "p2"), Data: []byte("2")}); err != nil {
		t.Fatal(err)
	}
	var said sync.Map
	ended := testWorker(t, work(), "product", func(w *Worker) {
		w.Log = func(text string) { said.Store(text, true) }
	}, square{runs: new(atomic.Int64)})
	ours := submit(t, c, "ours")
	finish(t, ours, 5)
	select {
	case err := <-ended:
		t.Fatalf("the worker ended: %v", err)
	default:
	}
	want := "job " + theirs.Job.ID + " is not for this worker: it is work for lab farm work and stays queued"
	if _, ok := said.Load(want); !ok {
		t.Errorf("the worker did not say %q", want)
	}
	if st, err := c.Status(t.Context()); err != nil || st.Queue != 1 {
		t.Errorf("%+v, %v: want the other program's piece queued", st, err)
	}
	testWorker(t, work(), "lab", func(w *Worker) { w.Programs = []string{"lab"} }, square{runs: new(atomic.Int64)})
	finish(t, theirs, 5)
}

// TestWorker_aJobThatCannotBeRead does not keep a worker from the others, and is looked at
// again before the worker goes on without having said whether it fits.
func TestWorker_aJobThatCannotBeRead(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, c, work := newFarm(t, ServerOptions{})
	if _, err := c.js.Publish(t.Context(), jobSubject("square-torn"), []byte("{")); err != nil {
		t.Fatal(err)
	}
	crew := submit(t, c, "whole")
	var runs atomic.Int64
	testWorker(t, work(), "a", nil, square{runs: &runs})
	finish(t, crew, 10)
}

// TestFarm_whoDisagreesIsLeftOut has one of two machines come to other results.
func TestFarm_whoDisagreesIsLeftOut(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	s, c, work := newFarm(t, ServerOptions{})
	var runs atomic.Int64
	bad := testWorker(t, client(t, s.URL(), keyOf(t, s, "bad")), "bad", nil, square{off: 1, runs: &runs})
	testWorker(t, work(), "good", nil, square{runs: &runs})
	crew := submit(t, c, "honest", Command{Judge: square{runs: &runs}})
	crew.check = 1
	var err error
	for n := 40; err == nil && n < 4000; n += 40 {
		err = crew.Do(t.Context(), numbers(n)[n-40:], nil, func(int, shard.Result) error { return nil })
	}
	if err == nil {
		err = crew.finishChecks(t.Context())
	}
	if !errors.Is(err, ErrDisagree) || !strings.Contains(err.Error(), "bad is wrong and left out") {
		t.Fatal(err)
	}
	_ = crew.Close(t.Context(), false)
	if err := <-bad; !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "this machine was left out") {
		t.Error(err)
	}
	crew = submit(t, c, "honest")
	defer func() { _ = crew.Close(t.Context(), true) }()
	if total, err := sum(t, crew, 60); err != nil || total != 59*60*119/6 {
		t.Errorf("%d, %v", total, err)
	}
	if why, err := c.Readmit(t.Context(), "bad"); err != nil || !strings.Contains(why, "differs from that of others") {
		t.Error(why, err)
	}
}

// TestFarm_oneWorkerIsCheckedHere: without a second worker the command makes the checks.
func TestFarm_oneWorkerIsCheckedHere(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, c, work := newFarm(t, ServerOptions{})
	for _, tt := range []struct {
		name string
		off  int
		is   error
	}{{"good", 0, nil}, {"bad", 1, ErrDisagree}} {
		t.Run(tt.name, func(t *testing.T) {
			var runs, here atomic.Int64
			testWorker(t, work(), tt.name, nil, square{off: tt.off, runs: &runs})
			crew := submit(t, c, tt.name, Command{Judge: square{runs: &here}})
			crew.check = 2 // none of 40 in one of 10^12 runs
			err := crew.Do(t.Context(), numbers(40), nil, func(int, shard.Result) error { return nil })
			if cerr := crew.Close(t.Context(), err == nil); err == nil {
				err = cerr
			}
			if !errors.Is(err, tt.is) || err != nil && !strings.Contains(err.Error(), "bad is wrong and left out") || here.Load() == 0 || err == nil && here.Load() == 40 {
				t.Errorf("%d pieces run here, %v", here.Load(), err)
			}
		})
	}
}

// TestFarm_workersHaveFewRights tries with a worker's key what is not its affair.
func TestFarm_workersHaveFewRights(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, boss, work := newFarm(t, ServerOptions{})
	crew := submit(t, boss, "rights")
	defer func() { _ = crew.Close(t.Context(), true) }()
	if fresh, err := boss.put(t.Context(), result(crew.Job.ID, "x", boss.id, "1")); err != nil || !fresh {
		t.Fatal(err)
	}
	w := work()
	if fresh, err := w.put(t.Context(), result(crew.Job.ID, "x", w.id, "1")); err != nil || !fresh {
		t.Errorf("a result: %v, %v", fresh, err)
	}
	short := func() context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		t.Cleanup(cancel)
		return ctx
	}
	if fresh, err := w.put(t.Context(), result(crew.Job.ID, "x", w.id, "2")); err != nil || fresh {
		t.Errorf("a second result: %v, %v", fresh, err)
	}
	for what, try := range map[string]func() error{
		"submits": func() error {
			_, err := w.put(short(), &nats.Msg{Subject: taskSubject("s", "j", "k"), Data: []byte("1")})
			return err
		},
		"reads results": func() error {
			_, _, err := w.last(short(), resultStream, resultSubject(crew.Job.ID, "x", w.id))
			return err
		},
		"writes a job":   func() error { _, err := w.js.Publish(short(), jobSubject("j"), nil); return err },
		"leaves out":     func() error { return w.Ban(short(), "a", "b", "c") },
		"deletes":        func() error { return w.js.DeleteStream(short(), resultStream) },
		"stores a file":  func() error { _, err := w.js.Publish(short(), blobSubject("a", 0), nil); return err },
		"makes consumer": func() error { return w.purge(short(), taskStream, "farm.task.>") },
	} {
		if err := try(); err == nil {
			t.Errorf("a worker %s", what)
		}
	}
	sub, err := w.nc.SubscribeSync("_INBOX_other.>")
	if err != nil {
		t.Fatal(err)
	}
	_ = w.nc.Flush()
	if err := errors.Join(boss.nc.Publish("_INBOX_other.1", []byte("secret")), boss.nc.Flush(), w.nc.Flush()); err != nil {
		t.Fatal(err)
	}
	if m, err := sub.NextMsg(100 * time.Millisecond); err == nil {
		t.Errorf("listens to others' answers: %s", m.Data)
	}
}

func TestFarm_filesComeByChecksum(t *testing.T) {
	t.Parallel()
	s := testServer(t, ServerOptions{})
	submitKey, workKey := s.KeyFiles()
	boss, w := client(t, s.URL(), submitKey), client(t, s.URL(), workKey)
	path := filepath.Join(t.TempDir(), "x.weights")
	want := bytes.Repeat([]byte("0123456789abcdef"), blobPart/16*2+3)
	if err := os.WriteFile(path, want, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := boss.Upload(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := boss.Upload(t.Context(), path); err != nil || again != f {
		t.Error(again, err)
	}
	dir := t.TempDir()
	got, err := w.fetch(t.Context(), f, dir)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(got); err != nil || !bytes.Equal(text, want) {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	// A file damaged on the way or on disk is not taken.
	if err := os.WriteFile(got, want[1:], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := w.fetch(t.Context(), f, dir); err != nil {
		t.Error(err)
	}
	for _, bad := range []File{{"../x", f.SHA256, 1}, {"x", "12", 1}, {"x", f.SHA256, -1}, {"x", strings.Repeat("ab", 32), 5}, {"y", f.SHA256, 100}} {
		if _, err := w.fetch(t.Context(), bad, dir); err == nil {
			t.Errorf("%+v was fetched", bad)
		}
	}
}

func TestFarm_aFullStoreIsToldOf(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, c, _ := newFarm(t, ServerOptions{MaxStore: 64 << 20})
	big := strings.Repeat("0", 900<<10)
	old := submit(t, c, "old")
	defer func() { _ = old.Close(t.Context(), true) }()
	for n := 0; ; n++ {
		if _, err := c.put(t.Context(), result(old.Job.ID, fmt.Sprint(n), c.id, big)); err != nil {
			if !full(err) || alreadyStored(err) {
				t.Fatalf("after %d: %v", n, err)
			}
			break
		}
	}
	_, err := c.Submit(t.Context(), Job{Kind: "square", Spec: []byte("1"), Engine: testEngine}, Command{Size: oneEach})
	if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "store of results is full, 31 of 32 MiB") {
		t.Error(err)
	}
}

// TestFarm_aFullDiskLosesNothing fills the disk of a farm that works: no job comes in,
// results wait on their workers, and when there is room all goes on.
func TestFarm_aFullDiskLosesNothing(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	var free atomic.Int64
	free.Store(1 << 40)
	var mu sync.Mutex
	var said []string
	s := testServer(t, ServerOptions{free: func(string) int64 { return free.Load() }, Log: func(text string) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, text)
	}})
	heard := func(n int, text string) {
		t.Helper()
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			mu.Lock()
			ok := len(said) >= n && strings.Contains(said[n-1], text)
			mu.Unlock()
			if ok {
				return
			}
		}
		t.Fatalf("said %q, want %q", said, text)
	}
	submitKey, workKey := s.KeyFiles()
	c := client(t, s.URL(), submitKey)
	crew := submit(t, c, "disk")
	free.Store(1 << 20)
	heard(1, "only 1 MiB free: the farm takes no jobs")
	var runs atomic.Int64
	told := make(chan string, 100)
	testWorker(t, client(t, s.URL(), workKey), "a", func(w *Worker) { w.Log = func(text string) { told <- text } }, square{runs: &runs})
	_, err := c.Submit(t.Context(), Job{Kind: "square", Spec: []byte("1"), Engine: testEngine}, Command{Size: oneEach})
	if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "is full") {
		t.Error(err)
	}
	done := make(chan error, 1)
	go func() { _, err := sum(t, crew, 20); done <- err }()
	if text := <-told; !strings.Contains(text, "results wait in this worker") {
		t.Error(text)
	}
	free.Store(1 << 40)
	heard(2, "continues")
	// A machine that stands still for seconds has a task given out again, not all of them.
	if err := <-done; err != nil || runs.Load() < 20 || runs.Load() >= 40 {
		t.Errorf("%d pieces run, %v", runs.Load(), err)
	}
	if err := crew.Close(t.Context(), true); err != nil {
		t.Error(err)
	}
}

// TestFarm_oldJobsGo: an abandoned job expires.
func TestFarm_oldJobsGo(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, c, _ := newFarm(t, ServerOptions{Keep: 3 * time.Second})
	crew := submit(t, c, "old")
	if _, err := c.put(t.Context(), result(crew.Job.ID, "p1", c.id, "1")); err != nil {
		t.Fatal(err)
	}
	if err := crew.Close(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		st, err := c.Status(t.Context())
		if err == nil && len(st.Jobs) == 0 && st.Results == 0 && st.Queue == 0 {
			if text, err := json.Marshal(st); err != nil || !strings.HasPrefix(string(text), `{"workers":[],"jobs":[],`) {
				t.Errorf("%s, %v", text, err) // lists for scripts, not null
			}
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%+v, %v", st, err)
		}
	}
}

// TestServe_smallDisk: the store is limited to the free space of its disk.
func TestServe_smallDisk(t *testing.T) {
	t.Parallel()
	_, err := Serve(t.Context(), ServerOptions{Listen: "127.0.0.1:0", Dir: t.TempDir(), free: func(string) int64 { return 100 << 20 }})
	if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "has 100 MiB free (a farm needs 128)") {
		t.Error(err)
	}
	said := ""
	s := testServer(t, ServerOptions{free: func(string) int64 { return 1 << 30 }, Log: func(text string) { said = text }})
	if s.o.MaxStore != 1<<30-reserve || !strings.Contains(said, "at most 960 MiB") {
		t.Errorf("%d, %s", s.o.MaxStore, said)
	}
}

// TestDial_clocks: a certificate that has run out, and one of a server whose clock is an
// hour ahead, are refused with the reason.
func TestDial_clocks(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*x509.Certificate){
		"run out":    func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Hour) },
		"hour ahead": func(c *x509.Certificate) { c.NotBefore = time.Now().Add(time.Hour) },
	} {
		t.Run(name, func(t *testing.T) { dialWith(t, change) })
	}
}

func dialWith(t *testing.T, change func(*x509.Certificate)) {
	dir := t.TempDir()
	if err := authority(dir); err != nil {
		t.Fatal(err)
	}
	cert, key := filepath.Join(dir, "old.pem"), filepath.Join(dir, "old.key")
	old := template()
	change(old)
	old.DNSNames, old.IPAddresses = []string{serverName}, []net.IP{net.IPv4(127, 0, 0, 1)}
	old.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	if err := issue(key, cert, old, nil, nil); err != nil {
		t.Fatal(err)
	}
	s := testServer(t, ServerOptions{Dir: dir, Cert: cert, CertKey: key})
	submitKey, _ := s.KeyFiles()
	text, err := os.ReadFile(submitKey)
	if err != nil {
		t.Fatal(err)
	}
	pem, err := os.ReadFile(cert)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(submitKey, append(pem, text...), 0o600); err != nil {
		t.Fatal(err)
	}
	k, err := ReadKey(submitKey)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Dial(s.URL(), k); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "has expired (valid from") {
		t.Error(err)
	}
	seed, err := k.pair.Seed()
	if text := fmt.Sprintf("%v %+v %#v", k, k, k); err != nil || strings.Contains(text, string(seed)) {
		t.Errorf("the secret is printed: %s, %v", text, err)
	}
}

// TestPlain_noPort: without a port NATS uses its own default, not the farm's.
func TestPlain_noPort(t *testing.T) {
	const want = "the default port is 4222"
	for address, hint := range map[string]bool{"tls://desk": true, "nats://desk": true, "tls://desk:4333": false, "tls://a:1,tls://b:2": false, "wss://desk": false} {
		if err := plain(address, nats.ErrNoServers); strings.Contains(err.Error(), want) != hint {
			t.Errorf("%s: %v", address, err)
		}
	}
}
