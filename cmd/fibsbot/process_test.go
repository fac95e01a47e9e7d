package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/fibs"
	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
	"fibsbot/internal/nice"
	"fibsbot/internal/version"
)

// childArgs holds the command line of a process that is to be the real program.
const childArgs = "FIBSBOT_TEST_ARGS"

func TestMain(m *testing.M) {
	nice.Off()
	if args := os.Getenv(childArgs); args != "" {
		os.Args = append(os.Args[:1], strings.Split(args, "\n")...)
		if v := os.Getenv(childVersion); v != "" {
			version.Set(v)
		}
		main() // ends the process
	}
	// Most tests that run beside others wait for farms and servers, not for a processor.
	flag.Parse()
	if p := flag.Lookup("test.parallel"); p.Value.String() == strconv.Itoa(runtime.GOMAXPROCS(0)) {
		_ = p.Value.Set(strconv.Itoa(4 * runtime.GOMAXPROCS(0)))
	}
	code := m.Run()
	if plainFolder != "" {
		_ = os.RemoveAll(plainFolder) // what is left is in the folder for temporary files
	}
	os.Exit(code)
}

// patience is how long a test waits for what must come.
const patience = 3 * time.Minute

// process is the program itself, started by a test, or a command in this process.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd // nil in this process
	cancel func()    // nil in a process of its own
	exit   int       // status of a command in this process that has ended
	err    output
	out    output
	done   chan struct{}
}

// inside runs a command in this process, beside the test. It has no signals of its own: kill
// interrupts it. What the process itself decides is for start.
func inside(t *testing.T, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p := &process{t: t, cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.exit = run(ctx, args, strings.NewReader(""), &p.out, &p.err)
	}()
	t.Cleanup(p.kill)
	return p
}

// kill ends it, if it has not ended, and waits for the end.
func (p *process) kill() {
	if p.cancel != nil {
		p.cancel()
	} else {
		_ = p.cmd.Process.Kill() // usually gone already
	}
	<-p.done
}

// code waits for the end and returns the exit status.
func (p *process) code() int {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(patience):
		p.t.Fatalf("the command does not end: %s", p.err.String())
	}
	if p.cmd == nil {
		return p.exit
	}
	return p.cmd.ProcessState.ExitCode()
}

// wholeProcesses skips a test of -short. Tests whose other goroutines start programs
// call it first: a goroutine cannot skip its test, which would wait for nothing.
func wholeProcesses(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped: starts whole processes")
	}
}

// start runs the program with its own signals and exit status.
func start(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	wholeProcesses(t)
	return launch(t, os.Args[0], dir, nil, args...)
}

// launch runs a test binary of this package as the program, with env besides its own.
func launch(t *testing.T, program, dir string, env []string, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command(program), done: make(chan struct{})}
	p.cmd.Dir = dir
	p.cmd.Env = append(append(os.Environ(), childArgs+"="+strings.Join(args, "\n"), "ROBBIE=correcthorse"), env...)
	p.cmd.Stderr, p.cmd.Stdout = &p.err, &p.out
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.done)
		_ = p.cmd.Wait() // the exit status is looked at by ended
	}()
	t.Cleanup(p.kill)
	return p
}

// output is what a process prints, readable while it runs.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func (p *process) signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatalf("%v: %v", s, err)
	}
}

// ended waits for the end and returns exit status and how long it took.
func (p *process) ended() (code int, took time.Duration) {
	p.t.Helper()
	began := time.Now()
	return p.code(), time.Since(began)
}

// status asks the process until ok is content with the answer.
func (p *process) status(what, dir string, ok func(ops.Status) bool) ops.Status {
	p.t.Helper()
	limit := time.After(patience)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		st, err := ops.Ask(p.t.Context(), filepath.Join(dir, "logs", "status.sock"))
		if err == nil && ok(st) {
			return st
		}
		select {
		case <-p.done:
			p.t.Fatalf("%s: the process has ended: %s", what, p.err.String())
		case <-limit:
			p.t.Fatalf("%s: %+v %v", what, st, err)
		case <-tick.C:
		}
	}
}

// arena is a server with a patient opponent for the account robbie.
type arena struct {
	srv  *server.Server
	addr string
	pace atomic.Int64 // of the opponent, nanoseconds a decision

	mu    sync.Mutex
	heard []string // what the opponent was told

	gone chan struct{} // closed when the opponent has heard that robbie logs out
}

// cubeless plays by rules of thumb, never doubles and drops every double, so that
// no single game wins a long match.
type cubeless struct{ table.Simple }

// Decide implements table.Decider.
func (c cubeless) Decide(ctx context.Context, s table.Situation) (table.Answer, error) {
	if s.Ask == table.AskTake {
		return table.Answer{Action: table.Drop}, nil
	}
	s.MayDouble = false
	return c.Simple.Decide(ctx, s)
}

// newArena starts both; the opponent plays matches of length points.
func newArena(t *testing.T, length int, pace time.Duration) *arena {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv, err := server.New(server.Options{Seed: 7, AutoAccounts: true})
	if err != nil {
		t.Fatal(err)
	}
	a := &arena{srv: srv, addr: ln.Addr().String(), gone: make(chan struct{})}
	var once sync.Once
	a.pace.Store(int64(pace))
	plain := &bot.Plain{Min: 1, Max: 99, Invite: "robbie", Length: length, Every: 300 * time.Millisecond,
		Backoff: bot.Backoff{Min: 20 * time.Millisecond, Max: 100 * time.Millisecond}}
	anna := &bot.Account{Protocol: fibs.Protocol{},
		Name: "anna", Conduct: plain, Decider: cubeless{},
		Dial: fibs.Dialer(client.Options{Address: a.addr, Name: "anna", Password: clip.NewSecret("secret"),
			Pace: client.Pace{Gap: -1, ChatGap: -1, Burst: -1}}),
		Table: table.Options{Patience: 2 * time.Second},
		Pace:  func(table.Situation, table.Answer) time.Duration { return time.Duration(a.pace.Load()) },
	}
	plain.Seen = func(m bot.Observation) {
		switch {
		case m.Event == nil:
		case m.Event.Kind == protocol.Says:
			a.mu.Lock()
			a.heard = append(a.heard, m.Event.Text)
			a.mu.Unlock()
		case m.Event.Kind == protocol.LogsOut && m.Event.Name == "robbie":
			once.Do(func() { close(a.gone) })
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	served, played := make(chan error, 1), make(chan error, 1)
	go func() { served <- srv.Serve(ctx, ln) }()
	go func() { played <- anna.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-played; err != nil {
			t.Errorf("anna: %v", err)
		}
		if err := <-served; err != nil {
			t.Errorf("server: %v", err)
		}
	})
	return a
}

// actions counts what the server has seen of its last match.
func (a *arena) actions() (games, acts int) {
	ms := a.srv.Matches()
	if len(ms) == 0 {
		return 0, 0
	}
	for _, g := range ms[len(ms)-1].Games {
		if g.Winner >= 0 {
			games++
		}
		acts += len(g.Actions)
	}
	return games, acts
}

// betweenGames reports whether the server's last match is between games.
func (a *arena) betweenGames() bool {
	ms := a.srv.Matches()
	if len(ms) == 0 {
		return false
	}
	games := ms[len(ms)-1].Games
	return len(games) > 0 && games[len(games)-1].Winner >= 0
}

// midMatch waits until the running match has so many more actions.
func (a *arena) midMatch(t *testing.T, p *process, more int) {
	t.Helper()
	_, from := a.actions()
	limit := time.After(patience)
	for {
		if _, n := a.actions(); n >= from+more {
			return
		}
		select {
		case <-p.done:
			t.Fatalf("the process has ended: %s", p.err.String())
		case <-limit:
			t.Fatalf("no match: %s", p.err.String())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// robbie writes a bot.yaml for the account robbie and returns its folder.
func (a *arena) robbie(t *testing.T, more string) string {
	t.Helper()
	dir := t.TempDir()
	a.write(t, dir, more)
	return dir
}

func (a *arena) write(t *testing.T, dir, more string) {
	t.Helper()
	text := fmt.Sprintf(`server: {address: "%s", rate: {every: 50ms, burst: 20}, reconnect: {min: 50ms, max: 200ms}}
accounts: [{name: robbie, password_env: ROBBIE}]
strength: {preset: beginner}
pacing: {by: none}
saved: {wait_after_leave: 50ms}
matchmaking: {gap: 50ms}
invitations: {length: {min: 1, max: 99, deny: []}}
opponents: {limit: {matches: 0}}
%s`, a.addr, more)
	// Replaced whole: a process that watches the file must not see half of it.
	file := filepath.Join(dir, "bot.yaml")
	if err := os.WriteFile(file+".new", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
}

// open lists the journals of unfinished matches.
func open(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "logs", "archive", "open", "*.journal"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// rolls is what a match of the server was: every roll and every result.
func rolls(r server.MatchRecord) string {
	var b strings.Builder
	for _, g := range r.Games {
		for _, a := range g.Actions {
			if a.Kind == server.Moved {
				fmt.Fprintf(&b, "%d%d ", max(a.Roll[0], a.Roll[1]), min(a.Roll[0], a.Roll[1]))
			}
		}
		fmt.Fprintf(&b, "%s wins %d\n", r.Players[g.Winner], g.Points)
	}
	return b.String()
}

// fileRolls is the same of a match file.
func fileRolls(t *testing.T, file string) string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, _, err := sgf.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, g := range m.Games {
		for _, a := range g.Actions {
			if d := a.Dice.Sorted(); a.Kind == record.Move || a.Kind == record.Roll {
				fmt.Fprintf(&b, "%d%d ", max(d.A, d.B), min(d.A, d.B))
			}
		}
		if g.Result.Finished() {
			fmt.Fprintf(&b, "%s wins %d\n", m.Players[g.Result.Winner].Name, g.Result.Points)
		}
	}
	return b.String()
}

// filed compares the match files with the server's record of its finished
// matches and returns how many there are.
func (a *arena) filed(t *testing.T, dir string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "logs", "archive", "*.sgf"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, r := range a.srv.Matches() {
		if !r.Finished() {
			continue
		}
		n++
		want := rolls(r)
		found := false
		for _, f := range files {
			found = found || want == fileRolls(t, f)
		}
		if !found {
			t.Errorf("no file of %v has the rolls and results of the server's record:\n%s", files, want)
		}
	}
	if len(files) != n {
		t.Errorf("%d files of %d finished matches", len(files), n)
	}
	return n
}
