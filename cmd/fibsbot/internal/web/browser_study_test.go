package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"fibsbot/internal/chromium"
)

// inEach opens a path in each of screens, waits for it, and checks that it is no wider than it.
func inEach(t *testing.T, browser context.Context, s *httptest.Server, name, path, ready string, do func(b *tab, width int64)) {
	t.Helper()
	b := open(t, browser, s, 390, 844, "light")
	for _, size := range screens {
		b.resize(size)
		b.navigate(path)
		b.until(ready)
		do(b, size[0])
		if b.holds(`document.documentElement.scrollWidth > innerWidth`) {
			t.Errorf("%s is wider than a window of %d", name, size[0])
		}
		b.shoot(fmt.Sprintf("%s-%d", name, size[0]))
		b.clean()
	}
}

// importOn files an analysed match against an opponent, without a day if it is empty.
func importOn(t *testing.T, url, opponent, day string) (id string) {
	t.Helper()
	data, err := os.ReadFile("../../../../engine/analyse/testdata/gnubg/match7.sgf")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), "PW[Alice]", "PW["+opponent+"]")
	text = regexp.MustCompile(`DT\[[^]]*\]`).ReplaceAllString(text, map[bool]string{true: "DT[" + day + "]"}[day != ""])
	r, err := http.Post(url+"/api/v1/matches?account=Bob", "application/octet-stream", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var v struct {
		New, Undated int
		Matches      []string
	}
	if err := json.NewDecoder(r.Body).Decode(&v); err != nil || v.New != 1 || (v.Undated == 1) != (day == "") {
		t.Fatalf("%s: %+v %v", opponent, v, err)
	}
	return v.Matches[0]
}

// Statistics begin with a headline in sight; charts without data are one card that says truly what
// is missing.
func TestBrowser_statisticsHeadline(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	for i := range 2 {
		importOn(t, server.URL, fmt.Sprint("Undated", i), "")
	}
	read := func(b *tab, selector string) (text string) {
		b.eval(`document.querySelector(`+quote(selector)+`).innerText`, &text)
		return strings.Join(strings.Fields(text), " ")
	}
	shown := `document.querySelector("#headline a")`
	inEach(t, browser, server, "statistics-undated", "/statistics", shown, func(b *tab, width int64) {
		if got := read(b, "#headline"); !regexp.MustCompile(`^PR of all accounts \d+\.\d .*Trend – needs 6 .*Luck [+−]\d.*Matches 3 2 analysed Worst theme .+ errors?, −`).MatchString(got) {
			t.Errorf("%d: headline %q", width, got)
		}
		if got := read(b, "#missing"); !strings.Contains(got, "2 of 2 analysed matches have no date") || strings.Contains(got, "Needs two") {
			t.Errorf("%d: without data: %q", width, got)
		}
		if b.holds(`document.querySelector("#charts .empty") || document.querySelectorAll("#missing").length !== 1`) {
			t.Errorf("%d: empty boxes among the charts", width)
		}
		if b.holds(`document.querySelector("#headline dd").getBoundingClientRect().bottom > innerHeight`) {
			t.Errorf("%d: the PR is below the window", width)
		}
	})
	for i := range 6 {
		importOn(t, server.URL, fmt.Sprint("Dated", i), fmt.Sprintf("2026-11-%02d", 3*i+1))
	}
	inEach(t, browser, server, "statistics", "/statistics", shown, func(b *tab, width int64) {
		if got := read(b, "#headline"); !regexp.MustCompile(`Trend → \d+\.\d unchanged: the last 3 matches, before them \d.*Matches 9 8 analysed`).MatchString(got) {
			t.Errorf("%d: headline %q", width, got)
		}
		if width == screens[0][0] {
			b.eval(`fetch("/api/v1/me", {method: "PUT", headers: {"Content-Type": "application/json"}, body: '{"names": ["Bob"]}'}).then(() => document.querySelector("#filter").dispatchEvent(new Event("input")))`, nil)
			b.until(`/^My PR/.test(document.querySelector("#headline").innerText)`)
			b.eval(`fetch("/api/v1/me", {method: "PUT", headers: {"Content-Type": "application/json"}, body: '{"names": []}'}).then(() => 1)`, nil)
		}
		if got := read(b, "#charts"); strings.Contains(got, "have no date") || !strings.Contains(got, "Performance rating") {
			t.Errorf("%d: charts %q", width, got)
		}
	})
}

// The matches of an evening are chosen in Matches, summed up as one with their worst errors, and all
// errors in them are rolled out.
func TestBrowser_chosenMatches(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	ids := []string{importOn(t, server.URL, "Anna", "2026-11-01"), importOn(t, server.URL, "Carl", "2026-11-02")}
	address := "/statistics?id=" + strings.Join(ids, "&id=")
	read := func(b *tab, selector string) (text string) {
		b.eval(`document.querySelector(`+quote(selector)+`).innerText`, &text)
		return strings.Join(strings.Fields(text), " ")
	}
	inEach(t, browser, server, "statistics-chosen", address, `document.querySelector("#worst li")`, func(b *tab, width int64) {
		if got := read(b, "#headline"); !regexp.MustCompile(`^Result \d–\d points \d+–\d+ My PR \d+\.\d .*Luck [+−]\d.*Matches 2 2 analysed$`).MatchString(got) {
			t.Errorf("%d: headline %q", width, got)
		}
		if got := read(b, "#of"); got != "2 matches chosen All matches" {
			t.Errorf("%d: %q", width, got)
		}
		var href string
		if b.eval(`document.querySelector("#worst a").getAttribute("href")`, &href); !strings.Contains(href, ids[0]) && !strings.Contains(href, ids[1]) {
			t.Errorf("%d: the worst error is at %s", width, href)
		}
	})
	phone := open(t, browser, server, 390, 844, "light")
	phone.navigate("/matches")
	phone.push("#list tbody td.pick input")
	phone.until(`!document.querySelector("#chosen").hidden`)
	phone.shoot("matches-chosen-390")
	if phone.holds(`document.querySelector("#all").getBoundingClientRect().top > document.querySelector("#count").getBoundingClientRect().bottom`) {
		t.Error("on a phone the number of matches and the button beside it have rows of their own")
	}
	var tall float64
	if phone.eval(`document.querySelector("#chosen").offsetHeight`, &tall); tall > 120 {
		t.Errorf("on a phone the row of chosen matches is %.0f pixels high", tall)
	}
	phone.push("#chosen-more summary")
	phone.until(`document.querySelector("#chosen-delete").checkVisibility()`)
	phone.clean()
	b := open(t, browser, server, 1280, 650, "light")
	b.navigate("/matches")
	b.until(`document.querySelectorAll("#list tbody td.pick input").length === 3`)
	b.eval(`for (const a of document.querySelectorAll("#list td.name a")) if (/`+ids[0]+`|`+ids[1]+`/.test(a.href)) a.closest("tr").querySelector("input").click()`, nil)
	b.until(`document.querySelector("#chosen-sum").getAttribute("href").split("id=").length === 3`)
	b.judged("chosen matches")
	b.until(`document.querySelector("#chosen-roll [name=preset]").length > 2`)
	b.eval(`document.querySelector("#chosen-roll [name=preset]").value = "beginner", document.querySelector("#chosen-roll [name=trials]").options[1].textContent = "1"`, nil)
	b.push("#chosen-roll button")
	b.until(`/^Stop \(1 of \d+ rolled out\)$/.test(document.querySelector("#chosen-roll button").textContent)`)
	b.shoot("matches-chosen")
	b.push("#chosen-roll button")
	b.until(`document.querySelector("#chosen-roll button").textContent === "Roll out all my errors"`)
	b.push("#chosen-sum")
	b.until(`location.pathname === "/statistics" && document.querySelector("#worst li")`)
	b.clean()
}

// Boards that are found can be read, with their text beside them or on a phone below, over the
// whole width; errors are those from a doubtful one on, and all decisions are found by verdict.
func TestBrowser_searchResults(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	importOn(t, server.URL, "Alice", "2026-11-01")
	search := func(b *tab, in, verdict string) []string {
		b.until(`document.querySelectorAll("#search [name=verdict] option").length > 3`)
		b.run(chromedp.SetValue("#search [name=in]", in, chromedp.ByQuery), chromedp.SetValue("#search [name=verdict]", verdict, chromedp.ByQuery))
		b.eval(`document.querySelector("#found").replaceChildren(), document.querySelector("#search").requestSubmit()`, nil)
		b.until(`document.querySelector("#found .small-board svg")`)
		var texts []string
		b.eval(`[...document.querySelectorAll("#found li")].map((e) => e.innerText)`, &texts)
		return texts
	}
	inEach(t, browser, server, "search", "/positions", ready["/positions"], func(b *tab, width int64) {
		b.push("#tab-search")
		b.until(`document.querySelector("#search [name=in]")`)
		if b.holds(`(() => { const s = document.querySelector("#search [name=in]"), c = document.createElement("canvas").getContext("2d");
		  c.font = getComputedStyle(s).font; return c.measureText(s.options[0].text).width + 36 > s.clientWidth; })()`) {
			t.Errorf("%d: where to search is cut off", width)
		}
		if double := search(b, "decisions", "No redouble, take"); len(double) == 0 || strings.Count(strings.Join(double, " "), "No redouble, take") != len(double) {
			t.Errorf("%d: of %d positions some have another verdict", width, len(double))
		}
		for _, text := range search(b, "errors", "") {
			if regexp.MustCompile(`−0\.0[0-3]`).MatchString(text) {
				t.Errorf("%d: an error of less than 0.04: %q", width, text)
			}
		}
		var at struct{ Board, Beside, Row, Free float64 }
		b.eval(`(() => {
		  const li = document.querySelector("#found li"), r = (e) => e.getBoundingClientRect();
		  const board = r(li.querySelector("svg")), text = r(li.lastElementChild);
		  const row = [...document.querySelectorAll("#found li")].filter((e) => r(e).top === r(li).top).at(-1);
		  return {Board: board.width, Beside: text.left - board.right, Row: r(row).right, Free: r(document.querySelector("main")).right - r(row).right};
		})()`, &at)
		if b.holds(`document.querySelector("#found li").getBoundingClientRect().top > innerHeight`) {
			t.Errorf("%d: the results are below the window", width)
		}
		if at.Board < 280 || (at.Beside > 0) != (width > 500) || at.Free > 60 {
			t.Errorf("%d: %+v", width, at)
		}
	})
}

// "Practise these errors" of a match asks the account's errors, and those of the opponent only where
// the review lists them.
func TestBrowser_practiseMine(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	id := importAnalysed(t, server.URL)
	b := open(t, browser, server, 1280, 650, "light")
	b.navigate("/matches/" + id)
	b.until(`document.querySelector("#practise a") && !document.querySelector("#practise").hidden`)
	var player string
	whose := `new URL(document.querySelector("#practise a").href).searchParams.get("player")`
	b.eval(whose, &player)
	if player != "Bob" {
		t.Errorf("the errors of %q are practised", player)
	}
	b.push("#practise a")
	b.until(`document.querySelector("#quiz svg") && document.querySelector("#filter [name=player]").value === "Bob"`)
	// Without names of mine the quiz asks for the errors of the account of each match.
	var mine, all struct{ Errors int }
	for player, to := range map[string]any{"me": &mine, "*": &all} {
		r, err := http.Get(server.URL + "/api/v1/quiz/sources?player=" + player)
		if err != nil {
			t.Fatal(err)
		}
		err = json.NewDecoder(r.Body).Decode(to)
		r.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
	}
	if mine.Errors == 0 || mine.Errors >= all.Errors {
		t.Errorf("%d errors of mine, %d of anyone", mine.Errors, all.Errors)
	}
	b.clean()
}
