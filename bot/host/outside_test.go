package host

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/bot/sheet"
	"fibsbot/config"
	"fibsbot/engine/board"
	"fibsbot/engine/external"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/fibs/server"
)

// outsideMatches is how many matches TestOutside plays in each of its runs; the heavy tests set
// more.
func outsideMatches(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("FIBSBOT_ENGINES"))
	if err != nil || n < 1 {
		return 2
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

// TestOutside: another engine plays for the account. Each of its decisions is in the archive with
// who made it; no match is lost where it fails.
func TestOutside(t *testing.T) {
	for _, fails := range []float64{0, 0.4} {
		t.Run(fmt.Sprint(fails), func(t *testing.T) {
			t.Parallel()
			matches := outsideMatches(t)
			address, answered := engineServer(t, fails)
			_, addr := startServer(t, server.Options{Seed: 5})
			c := testConfig(t, addr, "robbie")
			c.Engines = []config.OutsideEngine{{Name: "friend", Protocol: "nodots", Address: address, Within: config.Duration(time.Minute), Fallback: "beginner"}}
			c.Accounts[0].Engine = "friend"
			h := startHost(t, c, func(o *Options) { o.MaxMatches = matches })
			h.ready(1)
			<-spar(t, addr, "human", "robbie", 3, matches, nil)
			if err := h.wait(); err != nil {
				t.Fatal(err)
			}
			friend, own := 0, 0
			for _, row := range rows(t, c) {
				if row.Preset != "friend" || row.Result == 0 {
					t.Errorf("%s: played by %q, result %d", row.File, row.Preset, row.Result)
				}
				f, o, silent := saidWho(t, filepath.Join(c.Archive.Dir, filepath.FromSlash(row.File)))
				friend, own = friend+f, own+o
				if silent > 0 {
					t.Errorf("%s: %d decisions do not say who made them", row.File, silent)
				}
			}
			if n := len(rows(t, c)); n != matches {
				t.Errorf("%d matches are filed, not %d", n, matches)
			}
			health := h.Status().Accounts[0].Engines["friend"]
			if friend == 0 || (own > 0) != (fails > 0) || (health.Failed > 0) != (fails > 0) || int(health.Answered) != answered() {
				t.Errorf("%d decisions of the engine, which answered %d; %d of the built-in one; %+v", friend, answered(), own, health)
			}
		})
	}
}

// saidWho counts the plays of a match file that another engine and the built-in one made, and
// those of several legal plays that do not say.
func saidWho(t *testing.T, file string) (friend, own, silent int) {
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
			case strings.Contains(comment, "by friend"):
				friend++
			case strings.Contains(comment, "by the built-in engine for friend"):
				own++
			case turn.Action.Kind == record.Move && len(board.AppendPlays(nil, turn.Position, turn.Action.Dice)) > 1:
				silent++
			}
		}
	}
	return friend, own, silent
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
