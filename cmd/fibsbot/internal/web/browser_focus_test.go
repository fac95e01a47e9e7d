package web

import (
	"context"
	"fibsbot/internal/chromium"
	"net/http/httptest"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The page names a missing match in one sentence.
func TestBrowser_missingMatchSaysOneThing(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1280, 900, "light")
	b.navigate("/matches/nothing")
	b.until(`!document.querySelector("#gone").hidden`)
	b.until(`document.querySelectorAll("#preset option").length`) // everything has been asked for
	var said string
	b.eval(`[document.querySelector("main").innerText, document.querySelector("#report").shadowRoot.textContent, document.querySelector("#toast").innerText].join("|").replace(/\s+/g, " ")`, &said)
	if want := "Match The archive has no match nothing. It may have been deleted. All matches|Loading the review…|"; said != want {
		t.Errorf("the page says %q, want %q", said, want)
	}
}

// Lists that are drawn again keep the focus.
func TestBrowser_focusStays(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	importAnalysed(t, server.URL)
	b := open(t, browser, server, 1280, 900, "light")
	focused := func(want string) {
		t.Helper()
		b.until(`(document.activeElement.ariaLabel || document.activeElement.dataset.roll || document.activeElement.textContent).startsWith(` + quote(want) + `)`)
	}
	b.navigate("/openings")
	b.until(ready["/openings"])
	b.eval(`document.querySelector('[data-roll="31"]').focus()`, nil)
	b.run(chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector("#plays tbody tr") && location.search === "?roll=31"`)
	focused("31")
	b.run(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	b.until(`location.search === "?roll=32"`)
	focused("32")
	b.eval(`document.querySelector(".replies").focus()`, nil)
	b.run(chromedp.KeyEvent(kb.Enter))
	b.until(`location.search.includes("first=")`)
	b.navigate("/matches")
	b.until(`document.querySelectorAll("#list td.pick").length === 2`)
	for _, name := range []string{"Result", "PR"} {
		b.eval(`[...document.querySelectorAll("#list th button")].find((e) => e.textContent.startsWith(`+quote(name)+`)).focus()`, nil)
		for range 2 {
			b.run(chromedp.KeyEvent(kb.Enter))
			focused(name)
		}
	}
	b.eval(`document.querySelector("#list thead input").focus()`, nil)
	b.run(chromedp.KeyEvent(" "))
	b.until(`!document.querySelector("#chosen").hidden`)
	focused("Choose all")
	b.navigate("/quiz?source=set:openings")
	b.until(`document.querySelector('#actions [data-key="s"]')`)
	b.eval(`document.querySelector('#actions [data-key="s"]').focus()`, nil)
	var first string
	b.eval(`document.querySelector("#status").textContent`, &first)
	b.run(chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector("#status").textContent !== ` + quote(first) + ` && document.activeElement.id === "actions"`)
	b.clean()
}

// The page of a match without an analysis asks about one less and less often, and not at all
// where matches are not analysed by themselves.
func TestBrowser_watchesLessAndLess(t *testing.T) {
	browser := chromium.Shared(t)
	// Timers of a second and more are noted, and run at once.
	const clock = `window.waits = []; const later = setTimeout;
	window.setTimeout = (fn, ms, ...rest) => { if (!(ms >= 1000)) return later(fn, ms, ...rest); waits.push(ms); return waits.length < 12 ? later(fn, 1) : 0; };`
	note := func(b *tab, address string) {
		b.run(chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := cdppage.AddScriptToEvaluateOnNewDocument(clock).Do(ctx)
			return err
		}))
		b.navigate(address)
	}
	off := serve(t)
	b := open(t, browser, off, 1280, 900, "light")
	note(b, "/matches/"+firstMatch(t, off.URL))
	b.until(`performance.getEntriesByType("resource").some((e) => e.name.endsWith("/analysis") && e.responseEnd)`)
	b.until(inReview + `?.querySelector("#card svg")`)
	if !b.holds(`waits.length === 0`) {
		t.Error("it waits for an analysis that no one makes")
	}

	site := emptySite(t)
	on := httptest.NewServer(site)
	t.Cleanup(func() { on.CloseClientConnections(); on.Close() })
	id := (&asker{t: t, base: on.URL}).imported([]byte(blunders), "ann")
	get(site, "DELETE", "/api/v1/analysis", nil) // a person stops it
	b = open(t, browser, on, 1280, 900, "light")
	note(b, "/matches/"+id)
	b.until(`waits.length >= 12 || document.querySelector("#progress").textContent.startsWith("Analysed")`)
	var waits []float64
	b.eval(`waits`, &waits)
	for i := 1; i < len(waits); i++ {
		if waits[i] < waits[i-1] || waits[i] > 60000 {
			t.Errorf("waits %v ms", waits)
			break
		}
	}
	if len(waits) == 12 && waits[11] != 60000 {
		t.Errorf("waits %v ms", waits)
	}
}
