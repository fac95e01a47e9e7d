package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/fibs"
	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/bot/watch"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/config"
	"fibsbot/engine/record/sgf"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
	"fibsbot/internal/memnet"
	"fibsbot/internal/testsize"
)

// twoBots plays matches of a length between two bots on a server of the test's own until the
// test ends, and returns the address. The matches start when carla is logged in. The bots play
// slowly until they are watched, so that a watcher does not arrive at the last roll.
func twoBots(t *testing.T, length int) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv, err := server.New(server.Options{Seed: 3, AutoAccounts: true,
		Accounts: map[string]string{"anna": "secret", "bert": "secret"}}) // whoever else comes first
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var watched atomic.Bool
	var wg sync.WaitGroup
	wg.Add(3)
	go func() {
		defer wg.Done()
		if err := srv.Serve(ctx, ln); err != nil {
			t.Errorf("server: %v", err)
		}
	}()
	for i, name := range []string{"anna", "bert"} {
		p := &pairUp{Plain: bot.Plain{Min: 1, Max: 5, Length: length}, partner: []string{"bert", ""}[i]}
		a := &bot.Account{Protocol: fibs.Protocol{},
			Name: name, Conduct: p, Decider: table.Simple{},
			Dial: fibs.Dialer(client.Options{Address: ln.Addr().String(), Name: name, Password: clip.NewSecret("secret"),
				Pace: client.Pace{Gap: -1, ChatGap: -1, Burst: -1}}),
			Pace: func(table.Situation, table.Answer) time.Duration {
				if watched.Load() {
					return time.Millisecond
				}
				return time.Second // an early match must last until a watcher arrives
			},
		}
		p.Seen = func(m bot.Observation) {
			switch {
			case m.Over != nil:
				watched.Store(false)
			case m.Event != nil:
				for _, ev := range clip.RunningParser().Parse(m.Event.Raw) {
					if ev.Kind == clip.WatchesYou {
						watched.Store(ev.On)
					}
				}
			}
		}
		go func() {
			defer wg.Done()
			if err := a.Run(ctx); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}()
	}
	t.Cleanup(func() {
		cancel()
		wg.Wait()
	})
	return ln.Addr().String()
}

// pairUp invites its partner once carla is there to see it.
type pairUp struct {
	bot.Plain
	partner string
}

func (p *pairUp) Step(t *table.Table, due *table.Due, ev *protocol.Event, now time.Time) time.Time {
	p.Invite = ""
	if _, seen := t.Lobby().User("carla"); seen {
		p.Invite = p.partner
	}
	return p.Plain.Step(t, due, ev, now)
}

func TestWatch_oneMatch(t *testing.T) {
	testsize.Large(t)
	t.Chdir(t.TempDir())
	addr := twoBots(t, 3)
	found := settingsOf(t, addr, "carla")
	t.Setenv("FIBSBOT_PASSWORD", "secret")
	dir := t.TempDir()
	// The first match may be joined in its last game; two commands, two formats.
	for _, asJSON := range []bool{false, true} {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		var out, errOut bytes.Buffer
		args := []string{"watch", "--any", "--once", "--account", "carla", "--server", addr, "--preset", "beginner", "--archive", dir, "--boards", "always"}
		if asJSON {
			args = append(args, "--json")
		}
		code := run(ctx, args, strings.NewReader(""), &out, &errOut)
		cancel()
		if code != cmdline.ExitDone {
			t.Fatalf("exit status %d: %s", code, errOut.String())
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if !asJSON {
			for _, want := range []string{"3-point match", "Game ", "Match: ", "millipoints a decision", " luck ", "+13-14-15-16-17-18"} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %q in the output:\n%s", want, out.String())
				}
			}
			// The match ID varies from its first characters on: they encode who is on roll and
			// whether it is the Crawford game.
			if !regexp.MustCompile(`(?m) [A-Za-z0-9+/]{14}:[A-Za-z0-9+/]{12}$`).MatchString(out.String()) {
				t.Errorf("no position and match ID in the output:\n%s", out.String())
			}
			continue
		}
		for _, l := range lines {
			var d struct {
				Players    [2]string `json:"players"`
				Kind       string    `json:"kind"`
				PositionID string    `json:"position_id"`
				Played     string    `json:"played"`
				Judged     *bool     `json:"judged"`
			}
			if err := json.Unmarshal([]byte(l), &d); err != nil {
				t.Fatalf("%q: %v", l, err)
			}
			if d.Kind == "" || len(d.PositionID) != 14 || d.Played == "" || d.Judged == nil || d.Players[0] == "" {
				t.Errorf("incomplete: %s", l)
			}
		}
	}
	if files, err := filepath.Glob(filepath.Join(dir, "*_watched_*.sgf")); err != nil || len(files) < 1 {
		t.Errorf("no match was kept: %v %v", files, err)
	}
	if after := settingsOf(t, addr, "carla"); after != found {
		t.Errorf("the account is left with\n%s\nit had\n%s", after, found)
	}
}

// settingsOf logs in as a person does and returns the line of the account's settings.
func settingsOf(t *testing.T, addr, name string) string {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "login person 1008 %s secret\r\n", name)
	for lines := bufio.NewScanner(c); lines.Scan(); {
		if line := strings.TrimSpace(lines.Text()); strings.HasPrefix(line, "2 "+name) {
			fmt.Fprintf(c, "bye\r\n")
			for lines.Scan() {
			}
			return line
		}
	}
	t.Fatal("no line 2")
	return ""
}

func TestWatch_endsInOrderWhenInterrupted(t *testing.T) {
	testsize.Medium(t)
	t.Chdir(t.TempDir())
	addr := twoBots(t, 1)
	t.Setenv("FIBSBOT_PASSWORD", "secret")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	// The second decision printed interrupts.
	out := &cutAfter{lines: 3, cut: cancel}
	var errOut bytes.Buffer
	code := run(ctx, []string{"watch", "anna", "--account", "carla", "--server", addr, "--preset", "beginner", "--no-archive"},
		strings.NewReader(""), out, &errOut)
	if code != cmdline.ExitDone || out.lines > 0 {
		t.Errorf("exit status %d, %d lines too few: %s", code, out.lines, errOut.String())
	}
}

// cutAfter calls cut when so many lines were written to it.
type cutAfter struct {
	lines int
	cut   func()
}

func (c *cutAfter) Write(p []byte) (int, error) {
	c.lines -= bytes.Count(p, []byte("\n"))
	if c.lines <= 0 {
		c.cut()
	}
	return len(p), nil
}

func TestWatch_badInput(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("bad.yaml", []byte("nonsense: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	bgammon := "server: {address: 'localhost:1', protocol: bgammon}\naccounts:\n- {name: BOT_robbie, password: secretsecret}\n"
	if err := os.WriteFile("bgammon.yaml", []byte(bgammon), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("FIBSBOT_PASSWORD", "")
	t.Setenv("PW", "wrong")
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"a server without watching", []string{"alice", "-c", "bgammon.yaml"}, "server.protocol: matches cannot be watched"},
		{"nobody", []string{"--account", "x"}, "watch: no player"},
		{"player and any", []string{"alice", "--any"}, "only one"},
		{"any and best", []string{"--best", "--any"}, "only one"},
		{"both channels", []string{"alice", "--kibitz", "--whisper"}, "one of them"},
		{"no name", []string{"al ice"}, "PLAYER"},
		{"no account", []string{"alice"}, "no account"},
		{"no password", []string{"alice", "--account", "x"}, "FIBSBOT_PASSWORD is not set"},
		{"bad server", []string{"alice", "--account", "x", "--password-env", "PW", "--server", "nowhere"}, "HOST:PORT"},
		{"bad preset", []string{"alice", "--account", "x", "--password-env", "PW", "--preset", "hero"}, "--preset"},
		{"bad threshold", []string{"alice", "--min-loss", "-1", "--account", "x", "--password-env", "PW"}, "--min-loss"},
		{"bad boards", []string{"alice", "--boards", "maybe", "--account", "x", "--password-env", "PW"}, "--boards"},
		{"missing configuration", []string{"alice", "-c", "none.yaml"}, "none.yaml"},
		{"bad configuration", []string{"alice", "-c", "bad.yaml"}, "bad.yaml:1:1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out, errOut bytes.Buffer
			code := run(context.Background(), append([]string{"watch"}, tt.args...), strings.NewReader(""), &out, &errOut)
			if code != cmdline.ExitUsage || !strings.Contains(errOut.String(), tt.want) || strings.Count(errOut.String(), "\n") != 1 || out.Len() > 0 {
				t.Errorf("exit status %d, stderr %q", code, errOut.String())
			}
		})
	}
}

// TestWatch_leavesARunningBotAlone: a second login of its account would end the
// first one.
func TestWatch_leavesARunningBotAlone(t *testing.T) {
	testsize.Medium(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "bot.yaml")
	text := "server: {address: \"127.0.0.1:1\"}\naccounts: [{name: robbie, password: secret}]\nlogs: {dir: " + filepath.Join(dir, "logs") + "}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var state atomic.Value
	state.Store("playing")
	server := &ops.Server{Socket: filepath.Join(dir, "logs", "status.sock"), Status: func() ops.Status {
		return ops.Status{Accounts: []ops.Account{{Name: "robbie", Server: "127.0.0.1:1", State: state.Load().(string)}}}
	}}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		defer close(ended)
		ended <- server.Run(ctx)
	}()
	defer func() {
		stop()
		for range ended {
		}
	}()
	for {
		if _, err := ops.Ask(ctx, server.Socket); err == nil {
			break
		}
		select {
		case err := <-ended:
			t.Fatalf("no status server: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	watch := func() (int, string) {
		var out, errOut bytes.Buffer
		code := run(t.Context(), []string{"watch", "alice", "--once", "-c", file}, strings.NewReader(""), &out, &errOut)
		return code, errOut.String()
	}
	if code, errOut := watch(); code != cmdline.ExitUsage || !strings.Contains(errOut, "--account: robbie is in use by `fibsbot run`") || strings.Count(errOut, "\n") != 1 {
		t.Errorf("exit status %d, stderr %q", code, errOut)
	}
	state.Store("stopped")
	if code, errOut := watch(); code != cmdline.ExitFailed || !strings.Contains(errOut, "no connection") {
		t.Errorf("an account that has stopped: exit status %d, stderr %q", code, errOut)
	}
}

func TestWatch_refusedLogin(t *testing.T) {
	addr := twoBots(t, 1)
	t.Setenv("PW", "wrong")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var out, errOut bytes.Buffer
	code := run(ctx, []string{"watch", "--any", "--account", "anna", "--password-env", "PW", "--server", addr}, strings.NewReader(""), &out, &errOut)
	if code != cmdline.ExitUsage || strings.Contains(errOut.String(), "wrong\n") {
		t.Errorf("exit status %d, stderr %q", code, errOut.String())
	}
}

// TestWatch_presetOfTheConfiguration: watch.preset is the strength of the analysis.
func TestWatch_presetOfTheConfiguration(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	addr := twoBots(t, 3) // the first match may be joined in its last game
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	dir := t.TempDir()
	file := filepath.Join(dir, "bot.yaml")
	text := "server: {address: \"" + addr + "\"}\naccounts: [{name: carla, password: secret}]\narchive: {dir: " + filepath.Join(dir, "archive") + "}\n" +
		"watch: {preset: shallow}\npresets: {shallow: {base: beginner, checker: {plies: 1}}}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errOut bytes.Buffer
	if code := run(ctx, []string{"watch", "--any", "--once", "-c", file}, strings.NewReader(""), &out, &errOut); code != cmdline.ExitDone {
		t.Fatalf("exit status %d: %s", code, errOut.String())
	}
	files, err := filepath.Glob(filepath.Join(dir, "watched", "*.sgf"))
	if err != nil || len(files) == 0 {
		t.Fatalf("files %v, %v", files, err)
	}
	deepest := -1
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := sgf.Read(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range m.Games {
			for _, a := range g.Actions {
				if a.Analysis != nil && len(a.Analysis.Candidates) > 0 {
					deepest = max(deepest, a.Analysis.Candidates[0].Settings.Plies)
				}
			}
		}
	}
	// worldclass, the default, looks 2 plies ahead, beginner none.
	if deepest != 1 {
		t.Errorf("the analysis has %d plies, not the 1 of watch.preset", deepest)
	}
}

// TestWatch_comesBackLater: reconnects wait as long as server.reconnect says, drawn at random,
// so that the clients do not all return to a restarted server at once.
func TestWatch_comesBackLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var network memnet.Network
		ln, err := network.Listen("fibs:1")
		if err != nil {
			t.Fatal(err)
		}
		srv, err := server.New(server.Options{AutoAccounts: true})
		if err != nil {
			t.Fatal(err)
		}
		up, down := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- srv.Serve(up, ln) }()

		login := protocol.Login{Address: "fibs:1", Name: "carla", Password: config.Secret("secret")}
		waits := bot.Backoff{Min: 4 * time.Second, Max: 32 * time.Second, Jitter: 0.25}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var log output
		ended := make(chan error, 1)
		go func() {
			ended <- watchAgain(ctx, login, waits, watch.Options{Protocol: fibs.Protocol{Connect: network.Dial}, Me: "carla", Config: config.Default().Watch}, 0, &log)
		}()
		time.Sleep(time.Minute)
		down()
		if err := <-served; err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Minute)
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		var bare int // waits to which nothing was added
		found := regexp.MustCompile(`again in (\S+)\n`).FindAllStringSubmatch(log.String(), -1)
		// The end of a connection is one failure; an outage counts from the start. No wait is longer than 32 s.
		want := []float64{4, 4, 8, 16, 25.6, 25.6, 25.6}
		if len(found) < len(want) {
			t.Fatalf("%d waits in 5 minutes:\n%s", len(found), log.String())
		}
		for i, least := range want {
			wait, err := time.ParseDuration(found[i][1])
			if got := wait.Seconds(); err != nil || got < least-0.1 || got > least*1.25+0.1 { // it is printed rounded
				t.Errorf("wait %d is %v, %v; want %v s to %v s", i+1, wait, err, least, least*1.25)
			} else if got == least {
				bare++
			}
		}
		if bare > 1 {
			t.Errorf("nothing is drawn at random:\n%s", log.String())
		}
	})
}
