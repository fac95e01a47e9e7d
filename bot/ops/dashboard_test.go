package ops

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

var board0 = "4HPwATDgc/ABMA" // the position at the beginning of a game

func dashed(status func() Status, matches func() Matches) *Server {
	return &Server{Listen: "127.0.0.1:1", Dashboard: "127.0.0.1:1", Status: status, Matches: matches}
}

func TestDashboard_shows(t *testing.T) {
	st := sample
	st.Accounts = []Account{{Name: "Robo", State: "playing", Connected: true, Opponent: "bob", Match: "1-0 in 5 points",
		Board: board0, Rating: 1612.34, Preset: "expert"}, {Name: "Idle", State: "waiting", Board: "nonsense"}}
	at := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	s := dashed(func() Status { return st }, func() Matches {
		return Matches{
			Saved: []Saved{{Account: "Robo", Opponent: "carl", At: at}},
			Ended: []Ended{{At: at, Account: "Robo", Opponent: "dora", Length: 5, Result: "won", Score: [2]int{5, 3}, Rating: 1620},
				{At: at.Add(-time.Hour), Account: "Robo", Opponent: "emil", Result: "lost", Rating: 1600}},
		}
	})
	code, body := get(t, s, "/")
	for _, want := range []string{"playing: bob, 1-0 in 5 points, as expert", "Rating 1612.34", "carl", "2026-11-01 12:00:00 UTC", "dora", "won 5-3",
		"unlimited", "Pips: 167 here, 167 there", `points="40.0,92.0 295.0,8.0"`, "Rating over the last 2 matches"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q", want)
		}
	}
	if code != 200 || strings.Count(body, "<circle class=") != 30 || strings.Count(body, `class="bg-point-`) != 24 {
		t.Errorf("%d: %d checkers, %d points", code, strings.Count(body, "<circle class="), strings.Count(body, `class="bg-point-`))
	}
	for _, file := range []string{"/dashboard.css", "/dashboard.js"} {
		if code, body := get(t, s, file); code != 200 || len(body) < 100 {
			t.Errorf("%s: %d", file, code)
		}
	}
	if code, _ := get(t, &Server{Listen: "127.0.0.1:1", Status: func() Status { return st }}, "/"); code != 404 {
		t.Errorf("off, and yet %d", code)
	}
}

func TestDashboard_trustsNoName(t *testing.T) {
	bad := `"><script>alert(1)</script>`
	st := Status{Version: bad, Accounts: []Account{{Name: bad, State: bad, Opponent: bad, Match: bad, Preset: bad, Board: bad, Waiting: bad, Error: bad}}}
	s := dashed(func() Status { return st }, func() Matches {
		return Matches{Saved: []Saved{{Account: bad, Opponent: bad}}, Ended: []Ended{{Account: bad, Opponent: bad, Result: bad}}}
	})
	_, body := get(t, s, "/")
	if strings.Contains(body, "<script>alert") || strings.Contains(body, `"><s`) || !strings.Contains(body, "&lt;script&gt;") {
		t.Error("a name is markup")
	}
}

// TestDashboard_onlyReads: no method changes or runs anything, scripts come from
// the page's own file alone, and nobody makes the page more than once a second.
func TestDashboard_onlyReads(t *testing.T) {
	made := 0
	s := dashed(func() Status { made++; return sample }, nil)
	h := s.Handler()
	for _, path := range []string{"/", "/dashboard.js", "/dashboard.css"} {
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"} {
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, httptest.NewRequest(method, path, strings.NewReader("drain")))
			if rec.Code != 405 {
				t.Errorf("%s %s: %d", method, path, rec.Code)
			}
		}
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, httptest.NewRequest("GET", path, nil))
		csp := rec.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(csp, "default-src 'none'; script-src 'self';") || strings.Contains(csp, "unsafe") || rec.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %q", path, csp)
		}
		body, err := io.ReadAll(rec.Body)
		if err != nil || strings.Contains(string(body), "http://") || strings.Contains(string(body), "https://") {
			t.Errorf("%s reaches outside: %v", path, err)
		}
	}
	if made != 1 {
		t.Errorf("%d pages made", made)
	}
	now := time.Unix(1000, 0)
	d := s.page()
	d.now = func() time.Time { return now }
	made = 0
	for range 3 { // 0, 0.4 and 0.8 s, and then the next second
		if _, err := d.page(); err != nil {
			t.Fatal(err)
		}
		now = now.Add(400 * time.Millisecond)
	}
	if _, err := d.page(); err != nil || made != 2 {
		t.Errorf("%d pages in 1.2 s, %v", made, err)
	}
}
