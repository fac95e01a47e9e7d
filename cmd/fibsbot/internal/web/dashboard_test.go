package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"fibsbot/bot/ops"
	"fibsbot/internal/chromium"
	"fibsbot/internal/figure"
)

// busy is a view with a match on the board and strangers who write markup.
func busy() ops.Status {
	s := playing("<b>bot</b>", `"><script>alert(1)</script>`, time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC))
	s.Version, s.IndexError = "<script>", "the disk is full"+`"><script>alert(1)</script>`
	return s
}

// playing is the status of a bot in a match, with markup behind what others wrote.
func playing(name, markup string, at time.Time) ops.Status {
	start := [25]int{5: 5, 7: 3, 12: 5, 23: 2}
	chances := [5]float64{0.53, 0.15, 0.01, 0.13, 0.01}
	return ops.Status{
		Started: at,
		Saved:   []ops.Saved{{Account: name, Opponent: "carl", At: at}},
		Ended: []ops.Ended{{At: at, Account: name, Opponent: "dora" + markup, Length: 5, Result: "won", Score: [2]int{5, 3}, Rating: 1620},
			{At: at.Add(-time.Hour), Account: name, Opponent: "emil", Result: "lost", Rating: 1600}},
		Accounts: []ops.Account{{
			Name: name, Server: "fibs.example:4321", State: "playing", Connected: true, LastLine: at, Opponent: "bob", Match: "1-0 in 5 points",
			Rating: 1612.5, Preset: "expert", Finished: 3, Won: 2, Queue: 1,
			Live: &ops.Live{
				Table: &ops.Table{Opponent: "bob" + markup, Rating: 1700, Experience: 412, Length: 5, Game: 2, Score: [2]int{1, 0}, Turn: "me", Dice: []int{3, 1}, Cube: 2, Owner: "me",
					Board: &[2][25]int{start, start}, Pips: [2]int{167, 167}, Chances: &chances, Course: []float64{0.5, 0.48, 0.55, 0.61, 0.44, 0.52}, Starts: []int{0, 4},
					Moves: []ops.Moved{{Side: "opponent", What: "plays", Dice: []int{5, 3}, Play: "8/3 6/3"}, {Side: "me", What: "rolls", Dice: []int{3, 1}}}},
				Invitations: []ops.Invitation{{At: at, From: "carl" + markup, Rating: 1500, Length: 9, Rule: "invitations.lengths", Said: "At most 7 points" + markup},
					{At: at, From: "bob", Length: 5, Accepted: true, Rule: "invitations.accept"}},
				Waiting: []string{"dora"}, Said: []ops.Said{{At: at, From: "bob", To: "", How: "kibitzes", Text: "nice" + markup}, {At: at, From: name, To: "bob", How: "says", Text: "Hi bob, good luck!"}},
				Troubles: []ops.Trouble{{At: at, Text: "reset" + markup, Times: 2}}, Ratings: []float64{1600, 1612, 1607, 1620},
				Record: &ops.Record{All: ops.Tally{Matches: 412, Won: 230, Lost: 170, Unfinished: 12, WinRate: 0.575, Interval: &figure.Interval{0.526, 0.623}},
					Daily:     []ops.Tally{{Name: time.Now().UTC().AddDate(0, 0, -2).Format(time.DateOnly), Matches: 9}, {Name: time.Now().UTC().Format(time.DateOnly), Matches: 6}},
					Opponents: []ops.Tally{{Name: "carl" + markup, Matches: 31, Won: 20, Lost: 10, Unfinished: 1}, {Name: "dora", Matches: 7, Won: 3, Lost: 4}},
					Accepted:  17, Refused: []ops.Count{{Name: "invitations.lengths", N: 21}}, Lost: []ops.Count{{Name: "lost", N: 3}, {Name: "flood", N: 1}}},
			},
		}, {Name: "Idle", Server: "fibs.example:4321", State: "waiting", Waiting: "the server closed; next try at 12:01:00", Live: &ops.Live{
			Record: &ops.Record{All: ops.Tally{Matches: 2, WinRate: figure.Unknown}, Daily: []ops.Tally{{Name: time.Now().UTC().Format(time.DateOnly), Matches: 2}},
				Opponents: []ops.Tally{}, Refused: []ops.Count{}, Lost: []ops.Count{}}}}},
	}
}

func botsPage(t *testing.T) http.Handler {
	return BotsPage(t.Context(), func(context.Context) (ops.Status, error) { return busy(), nil }, "test")
}

// The page of the bots is read-only and loads nothing from elsewhere.
func TestBotsPage_onlyReads(t *testing.T) {
	h := botsPage(t)
	page := httptest.NewRecorder()
	h.ServeHTTP(page, httptest.NewRequest("GET", "/", nil))
	files := regexp.MustCompile(`/assets/[0-9a-f]+/[a-z]+\.(js|css|svg)`).FindAllString(page.Body.String(), -1)
	if len(files) < 4 {
		t.Fatalf("the page names %q", files)
	}
	for _, path := range append(files, "/", "/api/v1/bots") {
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, httptest.NewRequest(method, path, strings.NewReader("drain")))
			if rec.Code != http.StatusMethodNotAllowed {
				t.Errorf("%s %s: %d", method, path, rec.Code)
			}
		}
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, httptest.NewRequest("GET", path, nil))
		csp := rec.Header().Get("Content-Security-Policy")
		if rec.Code != 200 || !strings.HasPrefix(csp, "default-src 'none'; script-src 'self';") || strings.Contains(csp, "unsafe") || rec.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %q", path, rec.Code, csp)
		}
		body, err := io.ReadAll(rec.Body)
		if text := strings.ReplaceAll(string(body), "http://www.w3.org/", ""); err != nil || strings.Contains(text, "http://") || strings.Contains(text, "https://") {
			t.Errorf("%s reaches outside: %v", path, err)
		}
	}
	for _, path := range []string{"/play", "/api/v1/games", "/api/v1/eval", "/matches"} {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, httptest.NewRequest("GET", path, nil))
		if rec.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, rec.Code)
		}
	}
	from := httptest.NewRequest("GET", "/api/v1/bots", nil)
	from.Header.Set("Origin", "https://evil.example")
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, from)
	if rec.Code != http.StatusForbidden {
		t.Errorf("asked from another site: %d", rec.Code)
	}
}

// A browser without scripts sees a table, in which names are not markup.
func TestBotsPage_withoutScripts(t *testing.T) {
	rec := httptest.NewRecorder()
	botsPage(t).ServeHTTP(rec, httptest.NewRequest("GET", "/", nil))
	body := rec.Body.String()
	for _, want := range []string{"&lt;b&gt;bot&lt;/b&gt;", "playing", "1-0 in 5 points", "Idle", "next try at 12:01:00"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(body, "<b>bot") || strings.Contains(body, "<script>alert") {
		t.Error("a name is markup")
	}
}

// The page of dashboard.listen, live, in a real browser.
func TestBrowser_botsAsTheProcessOfTheBotsShowsThem(t *testing.T) {
	browser := chromium.Shared(t)
	server := httptest.NewServer(botsPage(t))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	b := open(t, browser, server, 390, 844, "light")
	for _, size := range [][2]int64{{390, 844}, {1400, 900}} {
		b.resize(size)
		b.navigate("/")
		b.until(`document.querySelectorAll("#accounts svg.bg").length === 1 && document.querySelectorAll("#matches tbody tr").length === 3`)
		var text string
		b.eval(`document.querySelector("main").innerText + [...document.querySelectorAll("main details:not([open])")].map((d) => d.textContent).join()`, &text)
		for _, want := range []string{"<b>bot</b>", `bob"><script>alert(1)</script>`, "1700, exp. 412", "167 pips", "1 of 5", "8/3 6/3", "53.0%", "refused by invitations.lengths", "accepted by invitations.accept",
			"waiting for answers: dora", "Hi bob, good luck!", "reset", "× 2", "Rating over 4 matches", "Match winning chance: 52.0%", "57.5% (53% – 62%)", "17 accepted in 30 days", "Matches today: 2", "Matches a day in 30 days: 0.5, at most 9", "the connection broke", "flood", `carl"><script>alert(1)</script>`, "1 command", "No match in progress."} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in %.3000s", want, text)
			}
		}
		var wide bool
		b.eval(`document.documentElement.scrollWidth > innerWidth`, &wide)
		if wide {
			t.Errorf("at %d it is wider than its window", size[0])
		}
		b.shoot(fmt.Sprintf("dashboard-%d", size[0]))
		b.judged("dashboard")
		b.clean()
	}
}
