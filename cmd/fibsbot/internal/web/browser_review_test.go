package web

import (
	"encoding/json"
	"fibsbot/internal/chromium"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// importAnalysed imports an analysed match of Alice and Bob, who is its account, and returns
// its ID.
func importAnalysed(t *testing.T, base string) string {
	t.Helper()
	f, err := os.Open("../../../../engine/analyse/testdata/gnubg/match7.sgf")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := http.Post(base+"/api/v1/matches?account=Bob", "application/octet-stream", f)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var v struct{ Matches []string }
	if err := json.NewDecoder(r.Body).Decode(&v); err != nil || len(v.Matches) != 1 {
		t.Fatalf("%v: %+v", err, v)
	}
	return v.Matches[0]
}

// openReview opens the review of a match and waits until it shows a decision.
func openReview(t *testing.T, b *tab, address string) {
	t.Helper()
	b.navigate(address)
	b.until(inReview + `?.querySelector("#card svg") && !document.querySelector("#decision").hidden`)
}

// Each decision and filter has an address; back and forward lead through the jumps.
func TestBrowser_reviewAddress(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	id := importAnalysed(t, server.URL)
	b := open(t, browser, server, 1280, 900, "light")
	openReview(t, b, "/matches/"+id+"#g2m9&tab=errors&player=me&kind=checker&size=0.08")
	number := inReview + `.querySelector("#card h3 small").textContent`
	b.until(number + `.startsWith("2.9 ")`)
	var players, sizes []string
	b.eval(`[...`+inReview+`.querySelectorAll("#errors tbody tr:not([hidden])")].map((r) => r.dataset.name)`, &players)
	b.eval(`[...`+inReview+`.querySelectorAll("#errors tbody tr:not([hidden])")].map((r) => r.dataset.kind + (r.dataset.size >= 0.08))`, &sizes)
	if len(players) == 0 {
		t.Error("no errors are listed")
	}
	for i := range players {
		if players[i] != "Bob" || sizes[i] != "checkertrue" {
			t.Errorf("an error of %s, %s", players[i], sizes[i])
		}
	}
	at := func() (hash string) {
		t.Helper()
		b.eval(`location.hash`, &hash)
		return hash
	}
	first := at()
	b.run(chromedp.KeyEvent("e"))
	b.until(`location.hash !== ` + quote(first))
	second := at()
	var who string
	b.eval(inReview+`.querySelector("#card h3").textContent`, &who)
	if len(who) < 3 || who[:3] != "Bob" {
		t.Errorf("the next of my errors is %q", who)
	}
	b.run(chromedp.KeyEvent("e"))
	b.until(`location.hash !== ` + quote(second))
	b.eval(`history.back()`, nil)
	b.until(`location.hash === ` + quote(second))
	b.eval(`history.back()`, nil)
	b.until(`location.hash === ` + quote(first) + ` && ` + number + `.startsWith("2.9 ")`)
	b.eval(`history.forward()`, nil)
	b.until(`location.hash === ` + quote(second) + ` && !` + number + `.startsWith("2.9 ")`)
	b.eval(`location.hash = "#g1m3"`, nil)
	b.until(number + `.startsWith("1.3 ")`)
	b.eval(`location.hash = "#g77m1"`, nil)
	b.until(inReview + `.querySelector(".lost").textContent.includes("no decision g77m1")`)
	b.clean()
}

// While a play of the list is pointed at or touched, the board shows its result.
func TestBrowser_reviewShowsResults(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	id := importAnalysed(t, server.URL)
	b := open(t, browser, server, 1280, 900, "light")
	checkers := `[...` + inReview + `.querySelectorAll("#card polyline")].map((p) => p.getAttribute("class") + p.getAttribute("points").split(" ").sort()).sort().join(";")`
	compared := 0
	openReview(t, b, "/matches/"+id+"#g1m1")
	// The result of the play made is the position of the next decision, unless the dice dance.
	b.eval(`(() => {
	  const R = `+inReview+`, out = [];
	  let n = 0, before = null;
	  for (let k = 0; k < 200; k++) {
	    const now = `+checkers+`, game = R.querySelector("#card h3 small").textContent.split(".")[0];
	    if (before && before.game === game && before.result !== now) out.push(location.hash + " " + before.result + " is " + now);
	    if (before) n++;
	    const row = R.querySelector("#card tr.me[data-to]");
	    before = null;
	    if (row) {
	      row.dispatchEvent(new PointerEvent("pointerenter", {pointerType: "mouse"}));
	      before = {game, result: `+checkers+`};
	      row.dispatchEvent(new PointerEvent("pointerleave", {pointerType: "mouse"}));
	      if (`+checkers+` !== now) out.push(location.hash + " is not as it was");
	    }
	    document.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"}));
	  }
	  window.wrong = out;
	  window.compared = n;
	})()`, nil)
	var wrong []string
	b.eval(`window.wrong.slice(0, 3)`, &wrong)
	for _, what := range wrong {
		t.Error(what)
	}
	b.eval(`window.compared`, &compared)
	if compared < 50 {
		t.Errorf("%d results compared", compared)
	}
	b.clean()
}

// A comment and a mark of the user's own are kept in the match; a second window does not
// overwrite them.
func TestBrowser_commentsInTwoWindows(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	address := "/matches/" + importAnalysed(t, server.URL) + "#g1m3"
	one, two := open(t, browser, server, 1280, 900, "light"), open(t, browser, server, 1280, 900, "light")
	for _, b := range []*tab{one, two} {
		openReview(t, b, address)
		b.eval(`document.querySelector("#note").open = true`, nil)
		b.until(`!document.querySelector("#note form").hidden`)
	}
	write := func(b *tab, mark, text string) {
		t.Helper()
		b.eval(`document.querySelector("#note [name=mark]").value = `+quote(mark), nil)
		b.eval(`document.querySelector("#note textarea").value = `+quote(text), nil)
		b.eval(`document.querySelector("#note .primary").click()`, nil) // the window may be behind the other
	}
	write(one, "!?", "Worth a <try>.\nReally.")
	one.until(inReview + `.querySelector("#card blockquote")?.textContent.includes("Worth a <try>.")`)
	one.until(inReview + `.querySelector(".sheet .my").textContent === "!?" && document.querySelector("#note-mark").textContent === "!?"`)
	write(two, "", "Too late")
	two.until(`document.querySelector("#note-error").textContent.includes("another window") && document.querySelector("#note textarea").value === "Too late"`)
	two.eval(`document.querySelector("#note-again").click()`, nil)
	two.until(`document.querySelector("#note textarea").value.startsWith("Worth a <try>.") && document.querySelector("#note [name=mark]").value === "!?"`)
	// The file has it as a comment of the move.
	var file string
	one.eval(`fetch(document.querySelector("#files [href$='=sgf']").href).then((r) => r.text()).then((text) => { window.file = text; })`, nil)
	one.until(`window.file`)
	one.eval(`window.file`, &file)
	if !strings.Contains(file, "C[!? Worth a <try>.") {
		t.Error("the .sgf lacks the comment")
	}
	one.clean()
}

// The boards of the review follow the setting of all boards.
func TestBrowser_reviewFollowsTheView(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1280, 900, "light")
	openReview(t, b, "/matches/"+importAnalysed(t, server.URL)+"#g1m3")
	look := `(() => {
	  const svg = ` + inReview + `.querySelector("#card .bgb"), at = (e) => e.getBoundingClientRect();
	  const text = (want) => [...svg.querySelectorAll("text")].find((e) => e.textContent === want);
	  const cube = svg.querySelector('use[href="#bgk"]'), dice = [...svg.querySelectorAll('use[href^="#bgl"], use[href^="#bgd"]')].map((d) => [at(d).left, d.getAttribute("href").slice(-1)]).sort((p, q) => p[0] - q[0]).map((d) => d[1]).join("");
	  const middle = at(svg).left + at(svg).width / 2, row = svg.querySelector("polyline.bgl").points;
	  return [at(text("Bob")).top > at(text("Alice")).top ? "Bob below" : "Bob above", at(cube).left < middle ? "home right" : "home left", dice, row.length, getComputedStyle(` + inReview + `.querySelector(".card h2 i")).backgroundColor].join(", ");
	})()`
	var usual, now string
	b.eval(look, &usual)
	if !strings.HasPrefix(usual, "Bob below, home right, 65, 15, ") {
		t.Errorf("usually: %s", usual)
	}
	b.eval(`for (const key of ["turned", "mirrored"]) document.querySelector("#viewbox [data-view=" + key + "]").click()`, nil)
	b.until(look + `.startsWith("Bob above, home left, 65, 15, ")`)
	b.eval(`(() => { const s = document.querySelector("#viewbox [data-view=mine]"); s.value = "dark"; s.dispatchEvent(new Event("change")); })()`, nil)
	if b.eval(look, &now); strings.HasSuffix(now, strings.SplitN(usual, "15, ", 2)[1]) {
		t.Errorf("my checkers keep their colour: %s", now)
	}
	b.shoot("review-view")
	b.clean()
}

// Every match is played on and looked up from any decision, and its files are at hand.
func TestBrowser_reviewLeadsOn(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	id := importAnalysed(t, server.URL)
	b := open(t, browser, server, 1280, 900, "light")
	openReview(t, b, "/matches/"+id+"#g1m3")
	var onward, xgid string
	b.eval(`new URL(document.querySelector("#onward").href).searchParams.get("position")`, &onward)
	b.eval(`[...`+inReview+`.querySelectorAll(".cp")].map((e) => e.title).find((t) => t.startsWith("XGID"))`, &xgid)
	if onward != xgid || xgid == "" {
		t.Errorf("played on from %q, the decision is %q", onward, xgid)
	}
	other := open(t, browser, server, 1280, 900, "light")
	var path string
	b.eval(`document.querySelector("#onward").getAttribute("href")`, &path)
	other.navigate(path)
	other.until(`document.querySelector("#new").elements.position.value === ` + quote(xgid) + ` && !document.querySelector("#from").hidden`)
	other.clean()
	b.eval(`document.querySelector("#look").getAttribute("href")`, &path)
	other.navigate(path)
	other.until(ready["/positions"] + ` && document.querySelector("#id").value.includes(` + quote(strings.TrimPrefix(xgid, "XGID=")[:26]) + `)`)
	other.clean()
	var kinds []string
	b.eval(`Promise.all([...document.querySelectorAll("#files a")].map((a) => fetch(a.href).then((r) => r.status + " " + r.headers.get("content-type").split(";")[0]))).then((l) => { window.kinds = l; })`, nil)
	b.until(`window.kinds`)
	b.eval(`window.kinds`, &kinds)
	got := strings.Join(kinds, ", ")
	if !strings.HasPrefix(got, "200 text/html, 200 application/pdf, 200 text/plain, 200 application/x-go-sgf") || strings.Count(got, "200 ") != len(kinds) || len(kinds) < 10 {
		t.Errorf("files: %s", got)
	}
	b.clean()
	b.navigate("/matches/none")
	b.until(`document.querySelector("#gone p").textContent.includes("no match none") && document.querySelector("#gone a").getAttribute("href") === "/matches"`)
}
