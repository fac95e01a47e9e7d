package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fibsbot/bot/ops"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/testsize"
)

// atOnce is how long a process that leaves at once may take: alone it is a second,
// most of it for the goodbye. A match that is slowed down lasts longer.
const atOnce = time.Minute

// slowly is the pace at which a match outlasts what a test does meanwhile, however
// busy the machine is.
const slowly = 300 * time.Millisecond

// TestSignals_secondLeavesAtOnce: after the first SIGTERM the bot plays the match on. The
// second ends the process within seconds, with status 0 and the match in the journal. The next
// run resumes the match and archives exactly what the server saw.
func TestSignals_secondLeavesAtOnce(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			if sig == syscall.SIGINT {
				testsize.Large(t)
			}
			t.Parallel()
			a := newArena(t, 3, 10*time.Millisecond)
			dir := a.robbie(t, "operations: {drain: match}\n")
			p := start(t, dir, "run")
			a.midMatch(t, p, 20)
			a.pace.Store(int64(slowly))
			p.signal(sig)
			st := p.status("not draining", dir, func(st ops.Status) bool { return st.Draining })
			if st.Accounts[0].Opponent != "anna" {
				t.Fatalf("the match is over already: %+v", st)
			}
			a.midMatch(t, p, 6) // it plays on
			p.signal(sig)
			if code, took := p.ended(); code != cmdline.ExitDone || took > atOnce {
				t.Errorf("ended with %d after %v: %s", code, took, p.err.String())
			}
			if !strings.Contains(p.err.String(), "stopping at once; matches are saved") {
				t.Errorf("log: %s", p.err.String())
			}
			if n := a.filed(t, dir); n != 0 {
				t.Fatalf("%d matches were finished: the second signal came too late to show anything", n)
			}
			left := open(t, dir)
			if len(left) != 1 {
				t.Fatalf("open journals: %v", left)
			}
			data, err := os.ReadFile(left[0])
			if err != nil || !bytes.HasSuffix(data, []byte("\n")) || bytes.Count(data, []byte("\n")) < 40 {
				t.Errorf("journal of %d bytes, %v", len(data), err)
			}
			if bytes.Contains(data, []byte("correcthorse")) {
				t.Error("the journal holds the password")
			}

			a.pace.Store(0)
			q := start(t, dir, "run", "--once")
			if code, _ := q.ended(); code != cmdline.ExitDone {
				t.Fatalf("ended with %d: %s", code, q.err.String())
			}
			if n := a.filed(t, dir); n != 1 || len(open(t, dir)) != 0 {
				t.Errorf("%d matches filed, open: %v", n, open(t, dir))
			}
		})
	}
}

// TestSignals_drain: what one SIGTERM finishes is operations.drain's choice, and
// drain_limit ends it in any case.
func TestSignals_drain(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		drain, limit string
		pace         time.Duration
		finished     bool // the match
		game         bool // at least the running game
	}{
		{"match", "30m", 0, true, true},
		{"game", "30m", 2 * time.Millisecond, false, true},
		{"now", "30m", slowly, false, false},
		{"match", "300ms", 200 * time.Millisecond, false, false},
	} {
		t.Run(tc.drain+" "+tc.limit, func(t *testing.T) {
			if tc.drain == "game" {
				testsize.Large(t)
			}
			t.Parallel()
			length := 9
			if tc.finished {
				length = 3
			}
			a := newArena(t, length, max(tc.pace, 5*time.Millisecond))
			dir := a.robbie(t, fmt.Sprintf("operations: {drain: %s, drain_limit: %s}\n", tc.drain, tc.limit))
			p := start(t, dir, "run")
			a.midMatch(t, p, 8)
			p.signal(syscall.SIGTERM)
			a.pace.Store(int64(tc.pace))
			code, took := p.ended()
			if code != cmdline.ExitDone {
				t.Errorf("ended with %d: %s", code, p.err.String())
			}
			if tc.drain == "now" && took > atOnce {
				t.Errorf("now took %v", took)
			}
			if n := a.filed(t, dir); n > 0 != tc.finished {
				t.Errorf("%d matches finished", n)
			}
			if !tc.finished && len(open(t, dir)) != 1 {
				t.Errorf("open journals: %v", open(t, dir))
			}
			if games, _ := a.actions(); tc.game && (games == 0 || !a.betweenGames()) {
				t.Errorf("left in the middle of game %d", games+1)
			}
			if strings.Contains(p.err.String(), "drain_limit reached") != (tc.limit == "300ms") {
				t.Errorf("log: %s", p.err.String())
			}
		})
	}
}

// TestSignals_hangUpReads: SIGHUP rereads bot.yaml without touching the match. A bad file
// changes nothing, and status reports it. Logs that were renamed before are begun again.
func TestSignals_hangUpReads(t *testing.T) {
	t.Parallel()
	a := newArena(t, 9, 10*time.Millisecond)
	dir := a.robbie(t, "")
	p := start(t, dir, "run")
	a.midMatch(t, p, 4)
	a.pace.Store(int64(slowly))
	playing := p.status("not playing", dir, func(st ops.Status) bool { return st.Accounts[0].Opponent == "anna" })
	a.write(t, dir, "operations: {drain: nwo}\n")
	logs := []string{filepath.Join(dir, "logs", "fibsbot.log"), filepath.Join(dir, "logs", "transcript-robbie.log")}
	for _, name := range logs {
		if err := os.Rename(name, name+".old"); err != nil {
			t.Error(err)
		}
	}
	p.signal(syscall.SIGHUP)
	bad := p.status("the bad file was not read", dir, func(st ops.Status) bool { return st.ConfigError != "" })
	if !strings.Contains(bad.ConfigError, `bot.yaml:9:21: operations.drain: unknown value "nwo" (use match, game, now)`) {
		t.Errorf("told %q", bad.ConfigError)
	}
	a.write(t, dir, "operations: {drain: now}\n")
	p.signal(syscall.SIGHUP)
	good := p.status("the good file was not read", dir, func(st ops.Status) bool { return st.ConfigError == "" })
	if good.Accounts[0].Opponent != "anna" || good.Accounts[0].Finished != playing.Accounts[0].Finished {
		t.Errorf("the match was disturbed: %+v, then %+v", playing, good)
	}
	p.signal(syscall.SIGTERM) // as the new file says
	if code, took := p.ended(); code != cmdline.ExitDone || took > atOnce {
		t.Errorf("ended with %d after %v: %s", code, took, p.err.String())
	}
	if len(open(t, dir)) != 1 {
		t.Errorf("open journals: %v", open(t, dir))
	}
	for _, name := range logs {
		if text, err := os.ReadFile(name); err != nil || len(text) == 0 {
			t.Errorf("after SIGHUP: %v, %d bytes", err, len(text))
		}
	}
}

// TestRun_onceFinishesTheAnalysis: `run --once` leaves an analysed match behind.
func TestRun_onceFinishesTheAnalysis(t *testing.T) {
	t.Parallel()
	a := newArena(t, 1, 0)
	dir := a.robbie(t, "archive: {analyse: fast}\n")
	p := start(t, dir, "run", "--once")
	if code, _ := p.ended(); code != cmdline.ExitDone {
		t.Fatalf("ended with %d: %s", code, p.err.String())
	}
	if n := a.filed(t, dir); n < 1 {
		t.Fatal("no match was played")
	}
	var out, errOut bytes.Buffer
	if code := run(t.Context(), []string{"archive", "list", "--archive", filepath.Join(dir, "logs", "archive"), "--json"}, strings.NewReader(""), &out, &errOut); code != cmdline.ExitDone {
		t.Fatalf("archive list: %s", errOut.String())
	}
	var row struct {
		Plies    *int   `json:"plies"`
		Unforced [2]int `json:"unforced_moves"`
	}
	if err := json.Unmarshal(bytes.SplitN(out.Bytes(), []byte("\n"), 2)[0], &row); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	if row.Plies == nil || row.Unforced[0]+row.Unforced[1] == 0 {
		t.Errorf("the match is not analysed: %s", out.String())
	}
}

// TestWatch_killed: `watch` killed with -9 in the middle of a match has lost at
// most the decision it was printing; the next start files the rest.
func TestWatch_killed(t *testing.T) {
	t.Parallel()
	a := newArena(t, 9, 100*time.Millisecond) // one match outlasts the test
	robbie := a.robbie(t, "")
	player := start(t, robbie, "run")
	dir := t.TempDir()
	text := "server: {address: \"" + a.addr + "\"}\naccounts: [{name: carla, password: secret}]\nwatch: {preset: beginner}\n"
	if err := os.WriteFile(filepath.Join(dir, "bot.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	a.midMatch(t, player, 4)
	p := start(t, dir, "watch", "anna", "-c", "bot.yaml", "--json")
	limit := time.After(patience)
	for strings.Count(p.out.String(), `"kind":"move"`) < 12 {
		select {
		case <-p.done:
			t.Fatalf("the process has ended: %s", p.err.String())
		case <-limit:
			t.Fatalf("nothing to see: %s", p.err.String())
		case <-time.After(5 * time.Millisecond):
		}
	}
	p.signal(syscall.SIGKILL)
	p.ended()
	printed := strings.Count(p.out.String(), `"kind":"move"`)

	q := start(t, dir, "watch", "nobody", "-c", "bot.yaml")
	for !strings.Contains(q.err.String(), "logged in") {
		select {
		case <-q.done:
			t.Fatalf("the process has ended: %s", q.err.String())
		case <-limit:
			t.Fatalf("not logged in: %s", q.err.String())
		case <-time.After(5 * time.Millisecond):
		}
	}
	q.signal(syscall.SIGTERM)
	if code, _ := q.ended(); code != cmdline.ExitDone {
		t.Errorf("ended with %d: %s", code, q.err.String())
	}
	files, err := filepath.Glob(filepath.Join(dir, "logs", "watched", "*.sgf"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v: %s", files, err, q.err.String())
	}
	moves := 0
	for roll := range strings.FieldsSeq(fileRolls(t, files[0])) {
		if len(roll) == 2 && roll[0] >= '1' && roll[0] <= '6' && roll[1] <= '6' {
			moves++
		}
	}
	if moves < printed-1 {
		t.Errorf("%d plays were printed before the kill, %d are in the file", printed, moves)
	}
}
