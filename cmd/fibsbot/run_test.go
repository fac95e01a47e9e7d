package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/host"
	"fibsbot/bot/ops"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/config"
	"fibsbot/engine"
	"fibsbot/fibs/server"
	"fibsbot/internal/freeport"
	"fibsbot/internal/testsize"
)

func TestRun_wrongInput(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("FIBSBOT_PASSWORD", "secret")
	t.Setenv("FIBSBOT_ACCOUNT", "")
	if err := os.WriteFile("bad.yaml", []byte("accounts: []\nnonsense: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"run"}, cmdline.ExitUsage, "no bot.yaml"},
		{[]string{"run", "-c", "bad.yaml"}, cmdline.ExitUsage, "bad.yaml:2:1: nonsense: unknown key"},
		{[]string{"run", "--max-matches", "-1"}, cmdline.ExitUsage, "--max-matches"},
		{[]string{"run", "--once", "--max-matches", "2"}, cmdline.ExitUsage, "--once and --max-matches"},
		{[]string{"run", "--account", "no name"}, cmdline.ExitUsage, `fibsbot: --account: "no name" is not a FIBS name`},
		{[]string{"run", "--account", "robbie", "--preset", "godlike"}, cmdline.ExitUsage, "--preset: unknown preset"},
		{[]string{"run", "--account", "robbie", "--server", "nowhere"}, cmdline.ExitUsage, `--server: "nowhere" is not HOST:PORT`},
		{[]string{"run", "--account", "robbie", "--min-length", "5", "--max-length", "3"}, cmdline.ExitUsage, "--min-length and --max-length: max 3 is below min 5"},
		{[]string{"run", "--account", "robbie", "--password-file", "nofile"}, cmdline.ExitUsage, "--password-file: nofile: no such file"},
		{[]string{"status", "--socket", "no.sock"}, cmdline.ExitFailed, "no fibsbot is running here"},
		{[]string{"status", "--socket", "a", "--address", "b"}, cmdline.ExitUsage, "give only one"},
		{[]string{"status", "--address", "nowhere"}, cmdline.ExitUsage, `--address: "nowhere" is not HOST:PORT`},
	} {
		var out, errOut bytes.Buffer
		code := run(t.Context(), tc.args, strings.NewReader(""), &out, &errOut)
		if code != tc.code || !strings.Contains(errOut.String(), tc.want) {
			t.Errorf("%v: status %d, %q; want %d and something about %q", tc.args, code, errOut.String(), tc.code, tc.want)
		}
	}
}

func TestRun_statusAndStop(t *testing.T) {
	testsize.Medium(t)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv, err := server.New(server.Options{AutoAccounts: true})
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	ctx, stopServer := context.WithCancel(context.Background())
	go func() { served <- srv.Serve(ctx, ln) }()
	defer func() { stopServer(); <-served }()

	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("ROBBIE", "correcthorse")
	listen := freeport.On(t, "127.0.0.1")
	yaml := "operations: {listen: \"" + listen + "\"}\ndashboard: {listen: \"" + listen + "\", hosts: [bot.example.org]}\nserver: {address: \"" + ln.Addr().String() + "\"}\naccounts:\n  - name: robbie\n    password_env: ROBBIE\nstrength: {preset: expert}\n"
	if err := os.WriteFile("bot.yaml", []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	running, stop := context.WithCancel(context.Background())
	defer stop()
	var out, errOut bytes.Buffer
	code := make(chan int, 1)
	go func() { code <- run(running, []string{"run"}, strings.NewReader(""), &out, &errOut) }()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(2 * time.Minute)
	socket := filepath.Join("logs", "status.sock")
	for up := false; !up; {
		select {
		case c := <-code:
			t.Fatalf("ended with %d: %s", c, errOut.String())
		case <-limit:
			t.Fatal("not logged in")
		case <-tick.C:
			st, err := ops.Ask(t.Context(), socket)
			up = err == nil && st.Ready()
		}
	}
	var shown, bad bytes.Buffer
	if c := run(t.Context(), []string{"status"}, strings.NewReader(""), &shown, &bad); c != cmdline.ExitDone || !strings.Contains(shown.String(), "robbie   ready") {
		t.Errorf("status %d: %s%s", c, shown.String(), bad.String())
	}
	shown.Reset()
	if c := run(t.Context(), []string{"status", "--address", listen}, strings.NewReader(""), &shown, &bad); c != cmdline.ExitDone || !strings.Contains(shown.String(), "robbie") {
		t.Errorf("status over operations.listen %d: %s%s", c, shown.String(), bad.String())
	}
	if page, err := http.Get("http://" + listen + "/"); err != nil {
		t.Error(err)
	} else {
		body, err := io.ReadAll(page.Body)
		page.Body.Close()
		if err != nil || page.StatusCode != 200 || !bytes.Contains(body, []byte(`<th scope="row">robbie</th>`)) || bytes.Contains(body, []byte("correcthorse")) {
			t.Errorf("dashboard %d, %v: %s", page.StatusCode, err, body)
		}
	}
	for host, want := range map[string]int{"bot.example.org": 200, "evil.example.org": 421} {
		ask, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+listen+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		ask.Host = host
		if answer, err := http.DefaultClient.Do(ask); err != nil {
			t.Error(err)
		} else if answer.Body.Close(); answer.StatusCode != want {
			t.Errorf("asked as %s: %d, want %d", host, answer.StatusCode, want)
		}
	}
	for _, tc := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"ctl", "pause"}, cmdline.ExitDone, "robbie: Paused: no new matches until 'resume'.\n"},
		{[]string{"ctl", "resume", "--json"}, cmdline.ExitDone, `"done": true`},
		{[]string{"ctl", "say", "hello"}, cmdline.ExitFailed, "fibsbot: ctl say: robbie: not playing, so there is no one at the board\n"},
		{[]string{"ctl", "say"}, cmdline.ExitUsage, "fibsbot: ctl say: usage: say TEXT...\n"},
		{[]string{"ctl", "pause", "--account", "bob"}, cmdline.ExitUsage, "no account \"bob\" (use robbie)"},
		{[]string{"ctl", "reload"}, cmdline.ExitDone, "The configuration was reloaded.\n"},
	} {
		var out, errOut bytes.Buffer
		if c := run(t.Context(), tc.args, strings.NewReader(""), &out, &errOut); c != tc.code || !strings.Contains(out.String()+errOut.String(), tc.want) {
			t.Errorf("%v: status %d, %s%s", tc.args, c, out.String(), errOut.String())
		}
	}
	if log, err := os.ReadFile(filepath.Join("logs", "fibsbot.log")); err != nil || !bytes.Contains(log, []byte(`"by":"`)) || !bytes.Contains(log, []byte(`"order":"pause"`)) {
		t.Errorf("the log does not say who gave the orders: %v\n%s", err, log)
	}
	if r, err := http.Post("http://"+listen+"/ctl", "application/json", strings.NewReader(`{"order":"drain"}`)); err != nil {
		t.Error(err)
	} else if r.Body.Close(); r.StatusCode == 200 {
		t.Error("operations.listen takes orders")
	}
	stop() // as a first Ctrl-C: nothing to finish, so it leaves
	select {
	case c := <-code:
		if c != cmdline.ExitDone {
			t.Errorf("ended with %d: %s", c, errOut.String())
		}
	case <-limit:
		t.Fatal("does not end")
	}
	for _, name := range []string{"fibsbot.log", "transcript-robbie.log"} {
		data, err := os.ReadFile(filepath.Join("logs", name))
		if err != nil || len(data) == 0 {
			t.Errorf("%s: %v, %d bytes", name, err, len(data))
		}
		if bytes.Contains(data, []byte("correcthorse")) {
			t.Errorf("%s holds the password", name)
		}
	}
}

// TestRun_secondProcess: a second run of the same bot.yaml fails with the reason alone, without
// errors about ports and socket of the first process.
func TestRun_secondProcess(t *testing.T) {
	t.Parallel()
	a := newArena(t, 1, time.Second)
	dir := a.robbie(t, "operations: {listen: \""+freeport.On(t, "127.0.0.1")+"\"}\n")
	p := start(t, dir, "run")
	p.status("not logged in", dir, func(st ops.Status) bool { return st.Ready() })
	q := start(t, dir, "run")
	code, _ := q.ended()
	told := q.err.String()
	if code != cmdline.ExitUsage || strings.Count(told, "\n") != 1 || !strings.HasPrefix(told, "fibsbot: account robbie on "+a.addr+": another fibsbot runs this account (") {
		t.Errorf("exit status %d, stderr %q", code, told)
	}
	p.status("the first one was disturbed", dir, func(st ops.Status) bool { return st.Ready() })
}

// TestServe_waitsForTheWatcher: a reload that is under way when the accounts have
// ended is over before the log and the engine are closed.
func TestServe_waitsForTheWatcher(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	t.Chdir(dir)
	yaml := []byte("server: {address: \"127.0.0.1:1\"}\naccounts: [{name: robbie, password: secret}]\n")
	rewrite := func() {
		if err := os.WriteFile("bot.yaml", yaml, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rewrite()
	w, err := config.NewWatcher("bot.yaml", knownNames())
	if err != nil {
		t.Fatal(err)
	}
	reading, release := make(chan struct{}), make(chan struct{})
	var over atomic.Bool
	w.Subscribe(func(_, _ *config.Config) {
		if over.Load() {
			return // a second one
		}
		close(reading)
		<-release
		over.Store(true)
	})
	eng, err := engine.Open(engine.Options{NoBearoff: true, Threads: 1, CacheMB: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer eng.Close()
	log := logrus.New()
	log.SetOutput(io.Discard)
	src := source{watcher: w}
	opt := host.Options{Protocols: protocols, Config: src.current, Engine: eng, Log: log, Metrics: ops.NewMetrics()}
	h, err := host.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, h, src, opt, log) }()
	// The file may be written before it is watched; each writing delays the reload.
	limit := time.After(patience)
	for seen, wait := false, 500*time.Millisecond; !seen; wait *= 2 {
		rewrite()
		select {
		case <-reading:
			seen = true
		case <-time.After(wait):
		case <-limit:
			t.Fatal("the file is not read again")
		}
	}
	stop()
	for _, err := os.Stat(statusSocket(src.current())); err == nil; _, err = os.Stat(statusSocket(src.current())) {
		select {
		case <-limit:
			t.Fatal("the status socket stays")
		case <-time.After(5 * time.Millisecond):
		}
	}
	select {
	case err := <-ended:
		t.Errorf("ended in the middle of a reload: %v", err)
		close(release)
	case <-time.After(100 * time.Millisecond): // everything else has ended
		close(release)
		if err := <-ended; err != nil || !over.Load() {
			t.Errorf("ended with %v, reload over: %v", err, over.Load())
		}
	}
}
