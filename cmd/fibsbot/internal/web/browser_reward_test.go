package web

import (
	"fibsbot/internal/chromium"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// After a match the page names the level that it was played at, with the last matches, and the lobby
// has a puzzle from the player's own errors. Both are in sight, and stay away once turned off.
func TestBrowser_rewardAndPuzzleOfTheDay(t *testing.T) {
	browser := chromium.Shared(t)
	var later atomic.Int64 // how much later than now it is for the quiz
	server := httptest.NewServer(emptySite(t, func() time.Time { return time.Now().Add(time.Duration(later.Load())) }))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	b := open(t, browser, server, 1280, 650, "light")
	looked := func(name string, selectors ...string) {
		t.Helper()
		for _, size := range screens {
			b.run(chromedp.EmulateViewport(size[0], size[1]))
			var out []string
			b.eval(hidden+`("`+strings.Join(selectors, `", "`)+`")`, &out)
			for _, what := range out {
				t.Errorf("%v, %s: %s is out of sight", size, name, what)
			}
			b.eval(cutOff, &out)
			for _, what := range out {
				t.Errorf("%v, %s: %s", size, name, what)
			}
			b.shoot(fmt.Sprintf("%s-%d", name, size[0]))
		}
		b.judged(name)
	}
	play := func() {
		t.Helper()
		b.begin()
		b.until(buttonOf("h"))
		b.push("#do-hand")
		b.until(`/^[A-Z][a-z ]+, PR \d+\.\d×$/.test(document.querySelector("#reward .verdict")?.textContent)`)
	}
	for n := 1; n <= 2; n++ {
		play()
		if !b.holds(`[...document.querySelectorAll(".seat .score")].map((e) => e.textContent).sort().join() === "0 points,1 point"`) {
			t.Error("the seats do not say 0 points and 1 point")
		}
		if b.holds(`document.querySelector("#reward svg")`) != (n > 1) {
			t.Errorf("a trend after %d matches", n)
		}
	}
	b.until(`/^Your last 2 matches: \d+\.\d, [A-Z]/.test(document.querySelector("#reward svg").getAttribute("aria-label"))`)
	looked("reward", "#board svg", "#reward .verdict", "#reward svg")

	// Each of two days wants a question: a match by lucky dice may have no error that is asked.
	const questions = `(fetch("/api/v1/quiz?player=me").then((r) => r.json()).then((q) => { window.questions = q.tally.questions; }), window.questions >= 2)`
	for n := 0; n < 20 && !b.soon(questions, 2*time.Second); n++ {
		play()
	}
	b.navigate("/play")
	b.until(`document.querySelector("#daily a") && !document.querySelector("#daily").hidden`)
	looked("daily", "#new .primary")
	var asked string
	b.eval(`document.querySelector("#daily p").textContent`, &asked)
	b.push("#daily a")
	b.until(`location.pathname === "/quiz" && document.querySelector("#quiz svg") && document.querySelector("#status").textContent`)
	var status string
	b.eval(`document.querySelector("#status").textContent`, &status)
	if question, _, _ := strings.Cut(asked, " Against "); !strings.HasPrefix(status, question) {
		t.Errorf("the lobby asks %q, the quiz %q", asked, status)
	}
	b.answer()
	b.navigate("/play")
	b.until(`document.querySelector("#daily").textContent.includes("Solved for today") && !document.querySelector("#daily a")`)
	later.Store(int64(24 * time.Hour))
	b.navigate("/play")
	b.until(`document.querySelector("#daily a")`)
	b.push("#daily a")
	b.until(`location.pathname === "/quiz" && document.querySelector("#quiz svg") && document.querySelector("#status").textContent`)
	b.answer()
	b.navigate("/play")
	b.until(`document.querySelector("#daily").textContent.includes("2 days in a row")`)
	b.push("#daily button")
	b.until(`document.querySelector("#daily").hidden`)
	b.navigate("/play")
	b.until(ready["/play"] + ` && !document.querySelector("#opt-reward").checked`)
	if !b.holds(`document.querySelector("#daily").hidden`) {
		t.Error("what was turned off is there again")
	}
	b.clean()
}
