package web

import (
	"fmt"
	"strings"
	"testing"

	"fibsbot/internal/chromium"
)

// The page of match equities has the figures of `fibsbot met`, marks the score of the match that
// a reader comes from, and fits every window.
func TestBrowser_matchEquities(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	id := importAnalysed(t, server.URL)
	game := matchAtFirstPlay(t, server.URL)
	marked := `[...document.querySelectorAll("#table [aria-current]")].map((c) => c.title + " " + c.textContent).join()`
	b := open(t, browser, server, 390, 844, "light")
	for i, size := range screens {
		b.resize(size)
		look := func(where, mark string) {
			t.Helper()
			var got string
			var bad []string
			b.until(`document.querySelector("#score table")`)
			b.eval(marked, &got)
			b.eval(cutOff, &bad)
			if got != mark || len(bad) > 0 || b.holds(`document.documentElement.scrollWidth > innerWidth`) {
				t.Errorf("%s at %d: marked %q, want %q; cut off: %q", where, size[0], got, mark, bad)
			}
			b.shoot(fmt.Sprintf("met-%s-%d", strings.Fields(where)[0], size[0]))
		}
		b.navigate("/met?length=7&score=3-2&gammons=25")
		look("chance", "3–2 57.7")
		for kind, mark := range map[string]string{"take": "3–2 22.7", "gammon": "3–2 0.65"} {
			b.push(`[data-kind="` + kind + `"]`)
			look(kind, mark)
		}
		b.navigate("/met?length=7&score=6-2")
		look("after the Crawford game", "6–2 81.0")
		b.push(`[name=crawford]`)
		b.until(`document.querySelector("#score p").textContent.includes(" 84.")`)
		look("before it", "6–2 84.2")
		b.push(`#table td[title="5–5"]`)
		b.until(`document.querySelector("#score h2").textContent === "2-away, 2-away"`)
		look("level", "5–5 50.0")
		if i%2 == 0 {
			b.judged("match equities")
		}
		b.clean()
	}

	b.navigate("/play?m=" + game)
	b.until(`document.querySelector("a.score")`)
	var from string
	b.eval(`document.querySelector("a.score").getAttribute("href")`, &from)
	if from != "/met?length=5&score=0-0" {
		t.Errorf("the score of a match leads to %s", from)
	}
	openReview(t, b, "/matches/"+id+"#d30")
	b.eval(`document.querySelector("#met").click()`, nil)
	b.until(`location.pathname === "/met"`)
	b.until(`document.querySelector("#table [aria-current]")`)
	b.clean()
	b.navigate("/met?length=7&score=7-0")
	b.until(`document.querySelector("#wrong").textContent.includes("7-0")`)
}
