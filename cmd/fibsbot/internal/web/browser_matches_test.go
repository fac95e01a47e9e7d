package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/web/internal/api"
	"fibsbot/engine/record/formats"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/chromium"
)

// folderOf makes a folder with a match of gnubg's as .sgf, another in a subfolder as .mat, and
// a file that is not a match.
func folderOf(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "season")
	if err := os.MkdirAll(filepath.Join(dir, "final"), 0o755); err != nil {
		t.Fatal(err)
	}
	from := "../../../../engine/analyse/testdata/gnubg/"
	data, err := os.ReadFile(from + "match7.sgf")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "seven.sgf"), data, 0o644)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("bring the cube\n"), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := sgf.ReadFile(from + "match5.sgf")
	if err != nil {
		t.Fatal(err)
	}
	m.Players[0].Name = "Alicia"
	mat, err := formats.Find(formats.Written, "mat", "")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := mat.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "final", "five.mat"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// dropped drops a file or a folder on the page.
func (b *tab) dropped(path string) {
	b.t.Helper()
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: []string{path}, DragOperationsMask: 1}
	for _, kind := range []input.DispatchDragEventType{input.DragEnter, input.DragOver, input.Drop} {
		b.run(input.DispatchDragEvent(kind, 400, 400, data))
	}
}

// A folder is dropped, and each file has a result; the matches are tagged, searched, listed by
// a saved filter, swapped, deleted and restored, and two names of an opponent become one.
func TestBrowser_archiveByHand(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1280, 900, "light")
	b.navigate("/matches")
	b.until(ready["/matches"])
	b.dropped(folderOf(t))
	b.until(`document.querySelector("#importing").textContent.startsWith("3 files: 2 new matches") && document.querySelectorAll("#list tbody tr").length === 3`)
	var results []string
	b.eval(`[...document.querySelectorAll("#imported tr")].map((tr) => [...tr.children].map((td) => td.textContent).join(": "))`, &results)
	text := strings.Join(results, "\n")
	for _, want := range []string{"season/seven.sgf: 1 new match", "season/final/five.mat: 1 new match", "season/notes.txt: "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if len(results) != 3 || !strings.HasPrefix(results[0], "season/notes.txt") {
		t.Errorf("the error is not first:\n%s", text)
	}
	var told string
	b.eval(`document.querySelector("#importing").textContent`, &told)
	if !strings.HasPrefix(told, "3 files: 2 new matches, filed under Bob. Not read: season/notes.txt: not a match file") {
		t.Errorf("the import says %q", told)
	}
	b.shoot("matches-imported")
	b.judged("matches, imported")
	b.mu.Lock()
	b.wrong = nil // the file that is not a match was refused
	b.mu.Unlock()
	b.dropped(filepath.Join(folderOf(t), "seven.sgf"))
	b.until(`document.querySelector("#imported").textContent.includes("already in the archive")`)
	b.eval(`document.querySelector("#imports-close").click()`, nil)

	rows := func(n int) string {
		return fmt.Sprintf(`document.querySelectorAll("#list tbody td.pick").length === %d`, n)
	}
	set := func(name, value string) {
		b.eval(fmt.Sprintf(`(() => { const f = document.querySelector("#filter").elements[%q]; f.value = %q; f.dispatchEvent(new Event("input", {bubbles: true})); })()`, name, value), nil)
	}
	// An event is found in its field, by its button and as a part of it.
	var event string
	b.run(chromedp.Evaluate(`fetch("/api/v1/matches?length=7").then((r) => r.json()).then((v) => fetch("/api/v1/matches/" + v.matches[0].id, {method: "PATCH", headers: {"Content-Type": "application/json"}, body: '{"event": "Club night"}'})).then((r) => r.statusText)`, &event, awaited))
	set("event", "club*")
	b.until(rows(1) + ` && document.querySelector("#list .tags .event").textContent === "Club night"`)
	set("event", "")
	b.until(rows(3))
	b.eval(`document.querySelector("#list .tags .event").click()`, nil)
	b.until(rows(1) + ` && location.search === "?event=Club+night"`)
	set("event", "")
	set("text", "b nig")
	b.until(rows(1))
	set("text", "ALIC")
	b.until(rows(2))
	// Both are chosen and tagged; the tag is searched, and the filter kept.
	b.run(chromedp.Click("#list thead input", chromedp.ByQuery))
	b.until(`document.querySelector("#chosen-count").textContent.startsWith("2 ")`)
	b.run(chromedp.SendKeys("#chosen-tag input", "season\r", chromedp.ByQuery))
	b.until(`document.querySelectorAll("#list .tags .tag").length === 2`)
	set("text", "")
	set("tag", "season")
	b.until(rows(2) + ` && location.search === "?tag=season"`)
	b.run(chromedp.SendKeys("#saved input", "My season\r", chromedp.ByQuery))
	b.until(`document.querySelector("#saved .row button")?.textContent === "My season"`)
	b.shoot("matches-filter")
	b.navigate("/matches")
	b.until(rows(3))
	b.eval(`document.querySelector("#saved .row button").click()`, nil)
	b.until(rows(2) + ` && document.querySelector("#filter").elements.tag.value === "season"`)

	// One person under two names.
	b.eval(`document.querySelector("#merge").open = true`, nil)
	opponents := `[...document.querySelectorAll("#list td.name a")].map((a) => a.textContent).sort().join()`
	var before string
	b.eval(opponents, &before)
	names := strings.Split(before, ",")
	b.eval(fmt.Sprintf(`(() => { const f = document.querySelector("#rename").elements; f.from.value = %q; f.to.value = "One Name"; document.querySelector("#rename button").click(); })()`, names[0]), nil)
	b.until(opponents + `.includes("One Name") && document.querySelector("#toast").textContent.includes("changed")`)

	b.eval(`document.querySelector("#list tbody input").click()`, nil)
	b.eval(`document.querySelector("#chosen-swap").click()`, nil)
	b.until(`document.querySelector("#toast").textContent.includes("swapped")`)
	b.eval(`document.querySelector("#chosen-delete").click()`, nil)
	b.until(rows(1) + ` && !document.querySelector("#trash").hidden`)
	b.eval(`document.querySelector("#trash").open = true, document.querySelector("#deleted button").click()`, nil)
	b.until(rows(2) + ` && document.querySelector("#trash").hidden`)
	b.eval(`document.querySelector("#list tbody input").click()`, nil)
	b.eval(`document.querySelector("#chosen-edit").click()`, nil)
	b.until(`document.querySelector("#edit")?.open && document.querySelector("#head").elements.tags.value === "season"`)
	b.clean()
}

// Without a configuration the page of the bots says one thing; statistics have no holes, and
// headings that sort look like buttons.
func TestBrowser_roomsSayOneThing(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1280, 900, "light")
	importAnalysed(t, server.URL)
	b.navigate("/statistics")
	b.until(`document.querySelectorAll("#charts svg").length`)
	var hole float64
	b.eval(`(() => { // between cards one above the other
	  let most = 0;
	  const boxes = [...document.querySelectorAll("#charts .card")].map((c) => c.getBoundingClientRect());
	  for (const c of boxes) {
	    const next = boxes.filter((o) => o.left === c.left && o.top >= c.bottom).map((o) => o.top - c.bottom);
	    if (next.length) most = Math.max(most, Math.min(...next));
	  }
	  for (const c of document.querySelectorAll("#charts .card")) most = Math.max(most, c.getBoundingClientRect().bottom - c.lastElementChild.getBoundingClientRect().bottom);
	  return most;
	})()`, &hole)
	if hole > 40 {
		t.Errorf("a hole of %.0f pixels", hole)
	}
	var borders []string
	b.navigate("/matches")
	b.until(ready["/matches"])
	b.eval(`[...document.querySelectorAll("#list th button")].filter((e) => parseFloat(getComputedStyle(e).borderTopWidth) < 1 || !/[↕↑↓]/.test(e.textContent)).map((e) => e.textContent)`, &borders)
	if len(borders) > 0 {
		t.Errorf("headings that sort and do not look so: %q", borders)
	}
	b.clean()

	e, err := testEngine()
	if err != nil {
		t.Fatal(err)
	}
	site, err := New(Options{Version: "test", API: api.Options{Engine: e, Matches: play.NewStore(t.TempDir(), nil)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(site.Close)
	bare := httptest.NewServer(site)
	t.Cleanup(func() { bare.CloseClientConnections(); bare.Close() })
	b = open(t, browser, bare, 1280, 900, "light")
	b.navigate("/bots")
	b.until(`document.querySelector("#accounts .empty")`)
	var said string
	b.eval(`document.querySelector("main").innerText`, &said)
	if lines := strings.Fields(strings.ReplaceAll(said, " ", "")); len(lines) != 2 || !strings.Contains(said, "No bot configured") {
		t.Errorf("the page of no bot says %q", said)
	}
	b.clean()
}

// The charts of PR mark whom the analysis judges that searched as deep, and say why; the opponent
// and luck have no mark.
func TestBrowser_chartsMarkAShallowJudge(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	text, err := os.ReadFile("../../../../engine/analyse/testdata/gnubg/match7.sgf")
	if err != nil {
		t.Fatal(err)
	}
	body := strings.Replace(string(text), "PW[", "XJ[gnubg][][][][][same depth B]PW[", 1)
	r, err := http.Post(server.URL+"/api/v1/matches?account=Bob", "application/octet-stream", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	b := open(t, browser, server, 1280, 900, "light")
	b.navigate("/statistics")
	b.until(`document.querySelectorAll("#charts svg").length`)
	var marked, noted []string
	b.eval(`[...document.querySelectorAll("#charts .legend abbr")].map((e) => e.textContent)`, &marked)
	if got := strings.Join(marked, " "); !strings.Contains(got, "* checker play* cube* ") || strings.Contains(got, "opponents") {
		t.Errorf("marked lines: %q", marked)
	}
	b.eval(`[...document.querySelectorAll("#charts .card")].filter((e) => e.querySelector("p.dim")).map((e) => e.querySelector("h2").textContent + ": " + [...e.querySelectorAll("svg text")].filter((q) => q.textContent.endsWith("*")).length)`, &noted)
	if got := strings.Join(noted, "; "); !strings.Contains(got, "PR by phase: 4") || strings.Contains(got, "Luck") || strings.Contains(got, "Rating:") {
		t.Errorf("cards with a note and their marked bars: %q", noted)
	}
	b.clean()
}
