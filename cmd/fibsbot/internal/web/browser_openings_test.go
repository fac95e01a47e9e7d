package web

import (
	"fibsbot/internal/chromium"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A player looks up 3-1 at double match point, then the replies to 2-1 for money, goes back
// and opens the position for analysis.
func TestBrowser_openings(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1400, 900, "light")
	b.navigate("/openings")
	b.until(ready["/openings"])
	b.judged("openings")
	b.until(`document.querySelectorAll("#rolls [data-roll]").length === 15`)
	b.run(chromedp.Click(`[data-score="dmp"]`, chromedp.ByQuery))
	b.push(`[data-roll="31"]`)
	b.until(`!document.querySelector("#plays").hidden && document.querySelector("#plays tbody .move").textContent.startsWith("8/5 6/5")`)
	b.until(`location.search === "?score=dmp&roll=31" && document.querySelector(".bg-arrow")`)
	b.run(chromedp.Click(`[data-score="money"]`, chromedp.ByQuery))
	b.until(`location.search === "?roll=31" && document.querySelector("#plays tbody .n").textContent.includes("+0.")`)
	b.shoot("openings-plays")

	// Replies, with the browser's way back.
	b.push(`[data-roll="31"]`)
	b.push("#plays .replies")
	b.until(`document.querySelectorAll("#rolls [data-roll]").length === 21`)
	b.push(`[data-roll="66"]`)
	b.until(`document.querySelector("#plays tbody .move") && decodeURIComponent(location.search).includes("31+8/5+6/5")`)
	b.judged("replies")
	b.run(chromedp.NavigateBack())
	b.until(`document.querySelector("#plays").hidden`)
	b.run(chromedp.NavigateBack())
	b.until(`document.querySelectorAll("#rolls [data-roll]").length === 15`)
	b.push("#plays a")
	b.until(`location.pathname === "/positions"`)
	b.until(ready["/positions"])
	b.clean()

	// A wrong link says what is wrong and leads back.
	b.navigate("/openings?first=31+6/2&roll=11")
	b.until(`document.querySelector("#rolls .empty button")`)
	b.push("#rolls .empty button")
	b.until(`document.querySelectorAll("#rolls [data-roll]").length === 15`)
}

func TestOpenings_answers(t *testing.T) {
	s := newSite(t, "")
	for path, want := range map[string]string{
		"":               `"roll":"65"`,
		"?score=dmp":     `"score":"dmp"`,
		"?score=rubber":  `unknown score`,
		"?first=31 8/4":  `no replies to 31 8/4`,
		"?first=nothing": `no replies to nothing`,
	} {
		if body := get(s, "GET", "/api/v1/openings"+strings.ReplaceAll(path, " ", "+"), nil).Body.String(); !strings.Contains(body, want) {
			t.Errorf("%s: %.200s, want %s", path, body, want)
		}
	}
}
