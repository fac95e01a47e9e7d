package web

import (
	"encoding/json"
	"fibsbot/internal/chromium"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// blunders is a match in which both players err.
const blunders = ` 3 point match

 Game 1
 ann : 0                             bob : 0
  1) 31: 13/10 6/5                    41: 24/20 24/23
  2) 62: 24/16                        Doubles => 2
  3)  Drops
      Wins 1 point
`

// withErrors gives a site a match with errors and waits for its analysis.
func withErrors(t *testing.T, url string) {
	t.Helper()
	post := func(path, kind, body string, out any) {
		r, err := http.Post(url+"/api/v1"+path, kind, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		data, _ := io.ReadAll(r.Body)
		if r.StatusCode >= 300 {
			t.Fatalf("%s: %d %s", path, r.StatusCode, data)
		}
		if err := json.Unmarshal(data, out); err != nil {
			t.Fatal(err)
		}
	}
	var in struct{ Matches []string }
	post("/matches", "application/octet-stream", blunders, &in)
	var job struct{ ID string }
	post("/matches/"+in.Matches[0]+"/analyse", "application/json", `{"preset":"expert"}`, &job)
	r, err := http.Get(url + "/api/v1/jobs/" + job.ID + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if _, err := io.Copy(io.Discard, r.Body); err != nil { // until the job ends
		t.Fatal(err)
	}
}

// A player practises the worst themes, then openings by multiple choice, skips a question
// and takes the cards along.
func TestBrowser_quiz(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	withErrors(t, server.URL)
	b := open(t, browser, server, 1400, 900, "light")
	b.navigate("/quiz?player=*")
	b.until(ready["/quiz"] + ` && document.querySelector("#themes button")`)
	b.judged("quiz")
	b.run(chromedp.Click("#worst", chromedp.ByQuery))
	b.until(`location.search.includes("worst=3") && document.querySelector("#what").textContent.includes("worst")`)

	// Ready set by multiple choice.
	b.run(chromedp.Click("#choose summary", chromedp.ByQuery), chromedp.SetValue("#filter [name=mode]", "choice", chromedp.ByQuery), chromedp.SetValue("#filter [name=source]", "set:openings", chromedp.ByQuery))
	b.eval(`document.querySelector("#filter [name=source]").dispatchEvent(new Event("input", {bubbles: true}))`, nil)
	b.until(`document.querySelectorAll("#actions .option").length > 1`)
	b.judged("quiz choices")
	b.shoot("quiz-choices")
	var first, second string
	b.eval(`document.querySelector("#status").textContent + document.querySelector("#actions").textContent`, &first)
	b.run(chromedp.KeyEvent("s")) // skip
	b.until(`document.querySelector("#status").textContent + document.querySelector("#actions").textContent !== ` + quoted(first) + ` && document.querySelectorAll("#actions .option").length > 1`)
	b.run(chromedp.KeyEvent("1"))
	b.until(`!document.querySelector("#verdict").hidden && document.querySelector("#verdict .right") && document.querySelector("#verdict tr.given") && document.querySelector(".bg-arrow")`)
	b.judged("quiz verdict")
	b.shoot("quiz-verdict")
	b.until(`document.querySelector("#progress").textContent.includes("of 1 correct")`)
	b.eval(`document.querySelector("#apkg").href`, &second)
	if !strings.Contains(second, "source=set%3Aopenings") || !strings.Contains(second, "format=apkg") {
		t.Errorf("the cards are of %s", second)
	}
	b.run(chromedp.KeyEvent("n"))
	b.until(`document.querySelector("#verdict").hidden`)

	// Reload keeps the choice; a plan without a question leads on.
	b.navigate("/quiz?source=set:bearoffs&plan=blitz")
	b.until(`document.querySelector("#quiz .empty button")`)
	b.eval(`[...document.querySelectorAll("#quiz .empty button")][0].click()`, nil)
	b.until(`document.querySelector("#quiz svg") && location.search.includes("bearoffs") && !location.search.includes("plan")`)
	b.clean()
}

// Imports a match with errors, answers a quiz on the worst themes on the board, and downloads
// the cards.
func TestBrowser_practiseWorstThemes(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	withErrors(t, server.URL)
	b := open(t, browser, server, 390, 844, "dark")
	b.navigate("/quiz?player=*")
	b.until(`document.querySelector("#themes button")`)
	b.run(chromedp.Click("#worst", chromedp.ByQuery))
	b.until(`document.querySelector("#quiz svg") && document.querySelector("#actions [data-key=s]")`)
	b.shoot("quiz-phone")
	var wide bool
	b.eval(`document.documentElement.scrollWidth > innerWidth`, &wide)
	if wide {
		t.Error("the page is wider than the phone")
	}
	for range 6 { // until no question is due
		if b.holds(`document.querySelector("#quiz .empty")`) {
			break
		}
		b.answer()
		b.run(chromedp.KeyEvent("n"))
		b.until(`document.querySelector("#verdict").hidden && (document.querySelector("#quiz .empty") || document.querySelector("#actions [data-key=s]"))`)
	}
	b.until(`document.querySelector("#quiz .empty")`)
	var cards string
	b.eval(`document.querySelector("#apkg").href`, &cards)
	r, err := http.Get(cards)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	head := make([]byte, 2)
	if _, err := io.ReadFull(r.Body, head); err != nil || string(head) != "PK" || !strings.Contains(r.Header.Get("Content-Disposition"), "worst-themes.apkg") {
		t.Errorf("%s: %q %v %v", cards, head, r.Header, err)
	}
	b.clean()
}

// On a phone on its side the board and the answers are in the window.
func TestBrowser_quizFitsAPhoneOnItsSide(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 844, 390, "light")
	for _, size := range [][2]int64{{844, 390}, {667, 375}, {1400, 900}, {1280, 800}} {
		b.resize(size)
		b.navigate("/quiz?source=set:openings")
		b.until(`document.querySelector("#quiz svg") && document.querySelector("#actions button")`)
		var below []string
		b.eval(`["#quiz svg", "#actions button"].map((q) => [q, document.querySelector(q).getBoundingClientRect()]).filter(([, r]) => r.bottom > innerHeight + 1 || r.right > innerWidth + 1).map(([q, r]) => q + " ends at " + r.right + " " + r.bottom)`, &below)
		for _, what := range below {
			t.Errorf("%v: %s", size, what)
		}
		b.shoot(fmt.Sprintf("quiz-%d", size[0]))
	}
}

// In Openings and Positions too the board is in the window of a phone on its side.
func TestBrowser_boardsFitAPhoneOnItsSide(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 844, 390, "light")
	for _, size := range [][2]int64{{844, 390}, {667, 375}} {
		b.resize(size)
		for _, path := range []string{"/openings?roll=31", "/positions"} {
			b.navigate(path)
			b.until(ready[strings.Split(path, "?")[0]])
			var at []float64
			b.eval(`(() => { const r = document.querySelector("#board svg").getBoundingClientRect(); return [r.top, r.bottom / innerHeight, r.height / innerHeight, document.documentElement.scrollWidth / innerWidth]; })()`, &at)
			if at[0] < 0 || at[1] > 1.001 || at[2] < 0.5 || at[3] > 1 {
				t.Errorf("%v, %s: the board is at %.2f", size, path, at)
			}
			b.shoot(fmt.Sprintf("side%s-%d", strings.ReplaceAll(strings.Split(path, "?")[0], "/", "-"), size[0]))
		}
		b.clean()
	}
}

// quoted is a text as a JavaScript string.
func quoted(text string) string {
	out, _ := json.Marshal(text)
	return string(out)
}

// awaited waits for the promise that an expression returns.
func awaited(p *cdpruntime.EvaluateParams) *cdpruntime.EvaluateParams {
	return p.WithAwaitPromise(true)
}
