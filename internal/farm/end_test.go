package farm

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fibsbot/internal/testsize"
)

// TestFarm_checksDoNotHoldTheEnd: a second machine that says it is there and takes no
// check is not waited for, neither at the end nor by the pieces still to be sent.
func TestFarm_checksDoNotHoldTheEnd(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, c, work := newFarm(t, ServerOptions{})
	var runs, here atomic.Int64
	testWorker(t, work(), "a", nil, square{runs: &runs})
	if err := c.beat(t.Context(), reportSubject("ghost", "ghost-1"), Report{ID: "ghost-1", Name: "ghost", Threads: 1}); err != nil {
		t.Fatal(err)
	}
	c.pace.checkWait = c.pace.patience // a busy machine makes no check for a second
	crew := submit(t, c, "ghost", Command{Judge: square{runs: &here}, Warn: func(text string) { t.Error(text) }})
	crew.check = 1 // more checks than pieces may be out
	finish(t, crew, 30)
	if n := here.Load(); n == 0 || n > 30 {
		t.Errorf("%d pieces checked here", n)
	}
}

// TestWorker_aTaskWaitsForTheLookThatKnowsItsJob.
func TestWorker_aTaskWaitsForTheLookThatKnowsItsJob(t *testing.T) {
	w := &Worker{Client: &Client{pace: quick}, jobs: map[string]*ready{}, prompt: make(chan struct{}, 1), looked: make(chan struct{})}
	look := func(add string) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if add != "" {
			w.jobs[add] = &ready{}
		}
		close(w.looked)
		w.looked = make(chan struct{})
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := 0; ; n++ {
			select {
			case <-w.prompt:
				look([]string{"", "late", ""}[min(n, 2)]) // the first look had begun before the job was there
			case <-ctx.Done():
				return
			}
		}
	}()
	if w.known(ctx, "late") == nil {
		t.Error("the job of the second look is not known")
	}
	if w.known(ctx, "gone") != nil {
		t.Error("a job that is gone is known")
	}
	cancel()
	<-done
	if w.known(ctx, "never") != nil { // no look is under way
		t.Error("an unknown job is known")
	}
}

// TestServer_addressThatOthersCanUse: tls://[::]:4333 is not an address for other machines.
func TestServer_addressThatOthersCanUse(t *testing.T) {
	t.Parallel()
	host, err := os.Hostname()
	if err != nil {
		t.Skip(err)
	}
	for listen, want := range map[string]string{"127.0.0.1:0": "tls://127.0.0.1:", "0.0.0.0:0": "tls://" + host + ":", ":0": "tls://" + host + ":"} {
		s, err := Serve(t.Context(), ServerOptions{Listen: listen, Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Address(); !strings.HasPrefix(got, want) {
			t.Errorf("listening on %s: %s, want %s", listen, got, want)
		}
		s.Close()
	}
}

// TestFarm_whoWaitsIsTold: a command without workers, or with such as do not fit, does not
// stand still without a word.
func TestFarm_whoWaitsIsTold(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	_, c, work := newFarm(t, ServerOptions{})
	said := make(chan string, 10)
	waits := func(spec string) string {
		crew := submit(t, c, spec, Command{Warn: func(text string) { said <- text }})
		defer func() { _ = crew.Close(t.Context(), true) }()
		return <-said
	}
	if text := waits("nobody"); !strings.Contains(text, "waits: no worker (") {
		t.Error(text)
	}
	fits := Job{Kind: "square", Spec: []byte("2"), Engine: Engine{Version: "v2", Kernel: "go", Answer: "42"}}
	other, err := c.Submit(t.Context(), fits, Command{Size: oneEach}) // keeps the worker there
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close(t.Context(), true) }()
	var runs atomic.Int64
	testWorker(t, work(), "new", func(w *Worker) { w.Version = "v2" }, square{runs: &runs})
	for list := []Report(nil); len(list) == 0; time.Sleep(20 * time.Millisecond) {
		if list, err = c.workers(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if text := waits("old"); !strings.Contains(text, "it fits no worker; new: ") || !strings.Contains(text, "wants version v1, this is v2") {
		t.Error(text)
	}
}

// TestServe_oneServerAFolder.
func TestServe_oneServerAFolder(t *testing.T) {
	t.Parallel()
	s := testServer(t, ServerOptions{})
	if _, err := Serve(t.Context(), ServerOptions{Listen: "127.0.0.1:0", Dir: s.dir}); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "is used by another farm server") {
		t.Error(err)
	}
}
