package web

import (
	"encoding/json"
	"fibsbot/internal/chromium"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A player copies a position in every form, keeps it in a collection with a tag, finds it by
// its structure, finds an error by its loss, and is asked about the collection.
func TestBrowser_collectAndFind(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	withErrors(t, server.URL)
	b := open(t, browser, server, 1400, 1100, "light")
	b.navigate("/positions?p=XGID%3D-b----E-C---eE---c-e----B-:0:0:1:64:0:0:0:7:10")
	b.until(ready["/positions"])
	b.eval(`navigator.clipboard.writeText = async (text) => { window.copied = text }`, nil)
	for form, want := range map[string][]string{
		"id": {"XGID=-b----E-C---eE---c-e----B-:0:0:1:64:0:0:0:7:10"}, "link": {"http://", "/positions?position=XGID%3D"}, "text": {"+13-14-15", "24/18 13/9"},
		"markdown": {"```\n", "1\\. ", "](http"}, "forum": {"[code]", "[url=http"},
	} {
		b.eval(`window.copied = ""`, nil)
		b.run(chromedp.Click(`[data-copy="`+form+`"]`, chromedp.ByQuery))
		b.until(`window.copied`)
		var text string
		b.eval(`window.copied`, &text)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s has no %q: %s", form, w, text)
			}
		}
	}
	var svg, png string
	b.run(chromedp.Evaluate(`fetch(document.querySelector("#svg").href).then((r) => r.headers.get("content-type"))`, &svg, awaited))
	b.eval(`((make) => { URL.createObjectURL = (blob) => ((window.kept = blob.type), make(blob)); })(URL.createObjectURL)`, nil)
	b.run(chromedp.Click("#png", chromedp.ByQuery))
	b.until(`window.kept`)
	b.eval(`window.kept`, &png)
	if !strings.HasPrefix(svg, "image/svg") || png != "image/png" {
		t.Errorf("pictures are %s and %s", svg, png)
	}

	b.run(chromedp.Click("#tab-collections", chromedp.ByQuery))
	b.until(`document.querySelector("#collect") && document.querySelector("#collections").textContent`)
	b.run(chromedp.SendKeys("#collect [name=collection]", "My openings", chromedp.ByQuery), chromedp.SendKeys("#collect [name=name]", "Six-four", chromedp.ByQuery),
		chromedp.SendKeys("#collect [name=tags]", "running, opening", chromedp.ByQuery), chromedp.Click("#collect button.primary", chromedp.ByQuery))
	b.until(`document.querySelector("#collections .positions li") && document.querySelectorAll("#collections .tag").length === 2`)
	b.judged("collections")
	b.shoot("positions-collections")

	b.run(chromedp.Click("#tab-search", chromedp.ByQuery))
	b.until(`document.querySelectorAll("#search [name=plan] option").length > 3`)
	b.run(chromedp.SendKeys("#search [name=made]", "6 8 13", chromedp.ByQuery), chromedp.SendKeys("#search [name=lead]", "0", chromedp.ByQuery), chromedp.SendKeys("#search [name=text]", "running", chromedp.ByQuery), chromedp.Click("#search button.primary", chromedp.ByQuery))
	b.until(`document.querySelectorAll("#found li").length === 1 && document.querySelector("#found li").textContent.includes("Six-four")`)
	b.run(chromedp.Click("#start", chromedp.ByQuery), chromedp.Click("#found li button", chromedp.ByQuery))
	b.until(`document.querySelector("#id").value.includes(":64:")`)
	b.eval(`document.querySelector("#search").reset()`, nil)
	b.run(chromedp.SendKeys("#search [name=min_loss]", "0.1", chromedp.ByQuery), chromedp.SetValue("#search [name=in]", "errors", chromedp.ByQuery), chromedp.Click("#search button.primary", chromedp.ByQuery))
	b.until(`document.querySelector("#found li a") && document.querySelector("#found li").textContent.includes("ann")`)
	b.until(`document.querySelector("#found .small-board svg .bg-arrow")`)
	b.judged("search")
	b.shoot("positions-search")
	b.until(`/#g\d+m\d+$/.test(document.querySelector("#found li a").href)`)
	var reviews string
	b.eval(`document.querySelector("#found li a").getAttribute("href")`, &reviews)
	b.run(chromedp.SendKeys("#search [name=their_bar]", "2-", chromedp.ByQuery), chromedp.Click("#search button.primary", chromedp.ByQuery))
	b.until(`document.querySelector("#found .empty") && !document.querySelector("#found li")`)
	b.clean()
	b.run(chromedp.SendKeys("#search [name=back]", "x", chromedp.ByQuery), chromedp.Click("#search button.primary", chromedp.ByQuery))
	b.until(`!document.querySelector("#search-error").hidden`)

	// The decision of the link, in the review.
	openReview(t, b, reviews)
	b.until(`location.pathname + location.hash === ` + quote(reviews) + ` && !` + inReview + `.querySelector(".lost")`)
	// What was found is practised.
	for range 2 {
		b.navigate("/positions")
		b.until(ready["/positions"])
		b.push("#tab-search")
		b.until(`document.querySelectorAll("#search [name=plan] option").length > 3`)
		b.run(chromedp.SendKeys("#search [name=min_loss]", "0.1", chromedp.ByQuery), chromedp.SetValue("#search [name=in]", "errors", chromedp.ByQuery), chromedp.Click("#search button.primary", chromedp.ByQuery))
		b.until(`document.querySelector("#found li")`)
		var found int
		b.eval(`document.querySelectorAll("#found li").length`, &found)
		b.push("#found .row button")
		b.until(fmt.Sprintf(`location.pathname === "/quiz" && document.querySelector("#quiz svg") && document.querySelector("#what").textContent === "Search results (%d)"`, found))
	}

	b.navigate("/positions")
	b.until(ready["/positions"])
	b.run(chromedp.Click("#tab-collections", chromedp.ByQuery))
	b.until(`document.querySelector("#collections a.button")`)
	b.eval(`(() => { const s = document.querySelector("#collections select"); s.value = "My openings"; s.dispatchEvent(new Event("change")); })()`, nil)
	b.until(`document.querySelector("#collections a.button").href.includes("openings")`)
	b.run(chromedp.Click("#collections a.button", chromedp.ByQuery))
	b.until(`location.pathname === "/quiz" && document.querySelector("#quiz svg") && document.querySelector("#what").textContent.includes("My openings")`)
}

// The price of a pass, which an ID cannot say, is a field of the page, of its address and of
// what is kept in a collection.
func TestBrowser_dropsByPosition(t *testing.T) {
	server := serve(t)
	b := open(t, chromium.Shared(t), server, 1400, 1100, "light")
	const drops = `document.querySelector("#state [name=drops]")`
	price := func(text string) {
		t.Helper()
		b.until(`document.querySelector("#panel").textContent.includes(` + quote(text) + `)`)
	}
	b.navigate("/positions?p=XGID%3D-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10&drops=position")
	b.until(ready["/positions"])
	price("+3.1")
	b.shoot("positions-drops")
	b.run(chromedp.Click("#tab-collections", chromedp.ByQuery))
	b.until(`document.querySelector("#collect") && document.querySelector("#collections").textContent`)
	b.run(chromedp.SendKeys("#collect [name=collection]", "Passes", chromedp.ByQuery), chromedp.Click("#collect button.primary", chromedp.ByQuery))
	b.until(`document.querySelector("#collections .positions li")`)
	b.run(chromedp.Click("#state [name=drops]", chromedp.ByQuery))
	b.until(`!location.search.includes("drops")`)
	b.run(chromedp.Click("#tab-decision", chromedp.ByQuery))
	price("+1.000")
	b.run(chromedp.Click("#tab-collections", chromedp.ByQuery))
	b.until(`document.querySelector("#collections .positions li button")`)
	b.run(chromedp.Click("#collections .positions li button", chromedp.ByQuery))
	b.until(drops + `.checked && location.search.includes("drops=position")`)
	// A review passes it on.
	r, err := http.Post(server.URL+"/api/v1/matches", "application/octet-stream", strings.NewReader("; [Drops \"ByPosition\"]\n"+season[0]))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var in struct{ Matches []string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.Matches) != 1 {
		t.Fatal(in, err)
	}
	openReview(t, b, "/matches/"+in.Matches[0])
	b.push("#look")
	b.until(`location.pathname === "/positions" && ` + drops + `.checked`)
	b.clean()
}

// TestBrowser_positionsAddress: a position has one name in an address, those of older links are
// read too, and what the page does not know is told.
func TestBrowser_positionsAddress(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1280, 650, "light")
	for _, name := range []string{"position", "p", "id"} {
		b.navigate("/positions?" + name + "=4HPwATDgc%2FABMA%2031")
		b.until(`/^[?]position=XGID.*:31:/.test(decodeURIComponent(location.search))`)
	}
	b.navigate("/positions?xgid=4HPwATDgc%2FABMA")
	b.until(`document.querySelector("#toast").textContent.endsWith("does not know: xgid")`)
}
