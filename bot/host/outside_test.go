package host

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/bot/archive/archivetest"
	"fibsbot/bot/sheet"
	"fibsbot/config"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/external"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/fibs/chaos"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// outsideMatches is how many matches each account of TestOutside plays; the heavy tests set
// more.
func outsideMatches(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("FIBSBOT_ENGINES"))
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// engineServer serves an engine over HTTP that fails in the given share of its answers, and counts
// the others.
func engineServer(t *testing.T, fails float64) (address string, answered func() int) {
	e := testEngine(t)
	beginner, err := preset.ByName("beginner")
	if err != nil {
		t.Fatal(err)
	}
	good := external.Player{Engine: e, Preset: beginner, Version: "test"}.NodotsHandler()
	var mu sync.Mutex
	rng, n := rand.New(rand.NewPCG(1, 2)), 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		bad := r.URL.Path != "/v1/health" && rng.Float64() < fails
		if !bad && r.URL.Path != "/v1/health" {
			n++
		}
		mu.Unlock()
		if bad {
			fmt.Fprint(w, `{"moves":[{"from":1,"to":24}],"action":"dance"}`)
			return
		}
		good.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() int { mu.Lock(); defer mu.Unlock(); return n }
}

// engineRole makes this program an engine that speaks UBGI instead of testing; "mortal" ends in the
// middle of an answer after a few answers.
const engineRole = "FIBSBOT_EXTERNAL_ROLE"

func beEngine(role string) {
	e, err := engine.Open(engine.Options{NoBearoff: true, Threads: 1, CacheMB: 1, Seed: 1})
	if err != nil {
		panic(err)
	}
	p, err := preset.ByName("beginner")
	if err != nil {
		panic(err)
	}
	s := external.Server{Engine: e, Preset: p, Seed: 1}
	var out io.Writer = os.Stdout
	if role == "mortal" {
		out = &mortal{left: 6}
	}
	if err := s.Serve(context.Background(), os.Stdin, out); err != nil {
		panic(err)
	}
}

// mortal ends the program after some writes.
type mortal struct{ left int }

func (m *mortal) Write(p []byte) (int, error) {
	if m.left--; m.left == 0 {
		_, _ = os.Stdout.Write(p[:len(p)/2])
		os.Exit(3)
	}
	return os.Stdout.Write(p)
}

// TestOutside: other engines play for accounts over a line that breaks, started and served. The
// archive equals the server's record (soak), and each decision says who made it: the engine, or
// the built-in one where the engine fails.
func TestOutside(t *testing.T) {
	testsize.Medium(t)
	n := outsideMatches(t)
	for _, fails := range []float64{0, 0.3} {
		t.Run(fmt.Sprint(fails), func(t *testing.T) {
			address, answered := engineServer(t, fails)
			role := map[bool]string{false: "engine", true: "mortal"}[fails > 0]
			t.Setenv(engineRole, role)
			list := []config.OutsideEngine{
				{Name: "friend", Protocol: "nodots", Address: address, Within: config.Duration(time.Minute), Fallback: "beginner"},
				{Name: "own", Protocol: "ubgi", Command: os.Args[0], Within: config.Duration(time.Minute), Fallback: "beginner"},
			}
			if _, err := os.Stat(gnubg); err == nil && fails == 0 {
				home := t.TempDir()
				plies := []byte("set evaluation chequerplay evaluation plies 0\nset evaluation cubedecision evaluation plies 0\n")
				if err := os.WriteFile(filepath.Join(home, ".gnubgrc"), plies, 0o600); err != nil {
					t.Fatal(err)
				}
				t.Setenv("HOME", home)
				t.Setenv("LC_ALL", "C")
				list = append(list, config.OutsideEngine{Name: "gnubg", Protocol: "gnubg", Command: gnubg, Within: config.Duration(time.Minute), Fallback: "beginner"})
			}
			c := soak(t, archivetest.Mode{}, len(list), n, patience+time.Duration(n)*10*time.Second, &chaos.Options{Seed: 5, SparedLines: 60, ToClient: chaos.Faults{Split: 0.1, Merge: 0.1, CutEveryN: 300}},
				func(c *config.Config) {
					c.Engines = list
					for i := range c.Accounts {
						c.Accounts[i].Engine = list[i].Name
					}
				})
			theirs, ours := map[string]int{}, map[string]int{}
			for _, row := range rows(t, c) {
				f, o, silent := saidWho(t, filepath.Join(c.Archive.Dir, filepath.FromSlash(row.File)), row.Preset)
				theirs[row.Preset], ours[row.Preset] = theirs[row.Preset]+f, ours[row.Preset]+o
				if silent > 0 {
					t.Errorf("%s: %d plays do not say who made them", row.File, silent)
				}
			}
			for _, e := range list {
				if theirs[e.Name] == 0 || (ours[e.Name] > 0) != (fails > 0) {
					t.Errorf("%s: %d decisions of its own, %d of the built-in engine", e.Name, theirs[e.Name], ours[e.Name])
				}
			}
			t.Logf("decisions %v, of the built-in engine %v; %d over HTTP", theirs, ours, answered())
		})
	}
}

// gnubg is where Debian installs GNU Backgammon.
const gnubg = "/usr/games/gnubg"

// saidWho counts the decisions of a match file that the named engine and the built-in one made, and
// the plays, of several legal ones, that do not say.
func saidWho(t *testing.T, file, name string) (friend, own, silent int) {
	t.Helper()
	m, _, err := sgf.ReadFile(file)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for i := range m.Games {
		for turn := range m.Turns(&m.Games[i]) {
			comment := turn.Action.Comment
			switch {
			case turn.Player != int(sheet.Us):
			case strings.Contains(comment, "by the built-in engine for "+name):
				own++
			case strings.Contains(comment, "by "+name):
				friend++
			case turn.Action.Kind == record.Move && len(board.AppendPlays(nil, turn.Position, turn.Action.Dice)) > 1:
				silent++
			}
		}
	}
	return friend, own, silent
}

// TestOutside_smallEngines: the programs of docs/engines play a match each for a bot on the embedded
// server, and every decision is theirs.
func TestOutside_smallEngines(t *testing.T) {
	t.Parallel()
	for name, words := range map[string][]string{
		"py": {"python3", "../../docs/engines/random.py"}, "js": {"node", "../../docs/engines/random.mjs"}, "go": {"go", "run", "../../docs/engines/random"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name != "py" {
				testsize.Medium(t)
			}
			if _, err := exec.LookPath(words[0]); err != nil {
				t.Skipf("no %s", words[0])
			}
			_, addr := startServer(t, server.Options{Seed: 6})
			c := testConfig(t, addr, "robbie")
			c.Engines = []config.OutsideEngine{{Name: name, Protocol: "ubgi", Command: strings.Join(words, " "), Within: config.Duration(time.Minute)}}
			c.Accounts[0].Engine = name
			h := startHost(t, c, nil)
			h.ready(1)
			<-spar(t, addr, "human", "robbie", 3, 1, nil)
			h.stop()
			if err := h.wait(); err != nil {
				t.Fatal(err)
			}
			if e := h.Status().Accounts[0].Engines[name]; e.Answered == 0 || e.Failed > 0 {
				t.Errorf("%+v", e)
			}
			list := rows(t, c)
			if len(list) != 1 {
				t.Fatalf("%d matches", len(list))
			}
			theirs, ours, silent := saidWho(t, filepath.Join(c.Archive.Dir, filepath.FromSlash(list[0].File)), name)
			if theirs == 0 || ours > 0 || silent > 0 {
				t.Errorf("%d decisions of the engine, %d of the built-in one, %d that do not say", theirs, ours, silent)
			}
		})
	}
}

// TestOutside_drains: an engine that is not there, with on_failure drain: the account leaves
// after the match that the built-in engine finishes.
func TestOutside_drains(t *testing.T) {
	t.Parallel()
	_, addr := startServer(t, server.Options{Seed: 6})
	c := testConfig(t, addr, "robbie")
	c.Engines = []config.OutsideEngine{{Name: "friend", Protocol: "ubgi", Command: "/no/such/engine", OnFailure: "drain"}}
	c.Accounts[0].Engine = "friend"
	h := startHost(t, c, nil)
	h.ready(1)
	<-spar(t, addr, "human", "robbie", 1, 1, nil)
	if err := h.wait(); err != nil {
		t.Fatal(err)
	}
	if n := len(rows(t, c)); n != 1 {
		t.Errorf("%d matches", n)
	}
	if e := h.Status().Accounts[0].Engines["friend"]; e.Running || e.Failed == 0 || !strings.Contains(e.Fault, "/no/such/engine") {
		t.Errorf("%+v", e)
	}
}

// TestLogLines_bounded: an engine that says too much fills no log.
func TestLogLines_bounded(t *testing.T) {
	var got []string
	l := &logLines{log: func(line string) { got = append(got, line) }}
	fmt.Fprint(l, "one\n\ntw")
	fmt.Fprint(l, "o\x1b[2J\n"+strings.Repeat("x", 10*maxEngineLine)+"\n")
	if len(got) != 3 || got[0] != "one" || strings.Contains(got[1], "\x1b") || len(got[2]) != maxEngineLine {
		t.Errorf("%q", got)
	}
	for range 10 * maxEngineLines {
		fmt.Fprintln(l, "again")
	}
	if len(got) != maxEngineLines-1 {
		t.Errorf("%d lines", len(got))
	}
}
