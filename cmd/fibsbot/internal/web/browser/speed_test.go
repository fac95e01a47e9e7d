package browser

import (
	"fibsbot/internal/chromium"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// The times of docs/browser.md, in headless Chromium: FIBSBOT_SPEED=1 go test -run TestSpeed -v.
// They are those of the clock. TestSpeed_processor has the time of the processor, which other
// programs hardly change.
func TestSpeed(t *testing.T) {
	if os.Getenv("FIBSBOT_SPEED") == "" {
		t.Skip("set FIBSBOT_SPEED to measure")
	}
	s := host(t)
	chrome := chromium.Shared(t)
	b := open(t, chrome, s, "/positions")
	timed := func(script string) float64 {
		t.Helper()
		return js[float64](b, `(async () => { const ask = (path, q) => fibsbot.engine.fetch("/api/v1" + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(q) }).then((r) => r.json());
			const began = performance.now(); `+script+`; return performance.now() - began; })()`)
	}
	first := timed(`await ask("/eval", { position: "4HPwATDgc/ABMA" })`)
	ready := js[float64](b, `performance.now()`)
	t.Logf("first visit: an evaluation %.1f s after the page was opened, %.2f s of them in the engine", ready/1000, first/1000)
	b.run(chromedp.Reload())
	b.ready()
	timed(`await ask("/eval", { position: "4HPwATDgc/ABMA" })`)
	t.Logf("second visit: an evaluation after %.1f s", js[float64](b, `performance.now()`)/1000)
	sum, n := 0.0, 0
	for _, d := range [][2]int{{3, 1}, {6, 4}, {5, 2}, {2, 1}, {4, 3}, {1, 1}} {
		took := timed(fmt.Sprintf(`await ask("/plays", { position: "4HPwATDgc/ABMA", dice: [%d, %d], preset: "worldclass" })`, d[0], d[1]))
		sum, n = sum+took, n+1
	}
	t.Logf("a hint at 2 plies: %.2f s (mean of %d rolls)", sum/float64(n)/1000, n)
	const trials = 288
	job := func(trials int) string {
		return fmt.Sprintf(`const { id } = await ask("/rollouts", { position: "4HPwATDgc/ABMA", kind: "position", trials: %d }); await fibsbot.engine.fetch("/api/v1/jobs/" + id + "/events").then((r) => r.text())`, trials)
	}
	timed(job(36)) // starts the helpers
	took := timed(job(trials))
	here := &native{site: nativeSite(t)}
	began := time.Now()
	finished(t, here.ask, "/api/v1/rollouts", fmt.Sprintf(`{"position":"4HPwATDgc/ABMA","kind":"position","trials":%d}`, trials))
	t.Logf("rollout of %d trials: %.1f s on %.0f cores, native %.1f s", trials, took/1000, js[float64](b, `navigator.hardwareConcurrency`), time.Since(began).Seconds())
}

func TestSpeed_processor(t *testing.T) {
	if os.Getenv("FIBSBOT_SPEED") == "" {
		t.Skip("set FIBSBOT_SPEED to measure")
	}
	const position = `"position":"4HPwATDgc/ABMA"`
	used := func(requests ...string) time.Duration {
		n := startNode(t, 1)
		for i := 0; i < len(requests); i += 2 {
			if got := n.ask("POST", requests[i], requests[i+1]); !strings.HasPrefix(got, "200 ") {
				t.Fatal(got)
			}
		}
		return n.end()
	}
	eval := []string{"/api/v1/eval", `{` + position + `,"preset":"expert"}`}
	hints := eval
	rolls := [][2]int{{3, 1}, {6, 4}, {5, 2}, {2, 1}, {4, 3}, {1, 1}}
	for _, d := range rolls {
		hints = append(hints, "/api/v1/plays", fmt.Sprintf(`{%s,"dice":[%d,%d],"preset":"worldclass"}`, position, d[0], d[1]))
	}
	first := used(eval...)
	t.Logf("first evaluation: %.1f s of the processor", first.Seconds())
	t.Logf("a hint at 2 plies: %.2f s (mean of %d rolls)", (used(hints...)-first).Seconds()/float64(len(rolls)), len(rolls))
}
