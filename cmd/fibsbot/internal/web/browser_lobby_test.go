package web

import (
	"fibsbot/internal/chromium"
	"net/http"
	"strings"
	"testing"
	"time"

	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A newcomer's first minute: how strong the opponents are, which matches wait, and a board
// that is painted whole after the lobby, whose own one is hidden then.
func TestBrowser_lobbyThenTable(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	r, err := http.Post(server.URL+"/api/v1/games", "application/json", strings.NewReader(`{"length":3,"variation":"hypergammon2","egyptian":true,"preset":"expert"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	b := open(t, browser, server, 1400, 900, "light")
	b.navigate("/play")
	b.until(`document.querySelector("#games").textContent.includes("hypergammon (2 checkers), Egyptian rule")`)
	first := `(document.querySelector("[name=preset] option")?.textContent ?? "")` // filled when the server has told
	b.until(`/^plays like a beginner · \d+$/.test(` + first + `)`)
	strongest := strings.Replace(first, " option", " option[value=legend]", 1)
	var usual string
	b.eval(strongest, &usual)
	choose := func(name, value string) {
		b.eval(`(() => { const s = document.querySelector("[name=`+name+`]"); s.value = "`+value+`"; s.dispatchEvent(new Event("change", {bubbles: true})); })()`, nil)
	}
	choose("length", "1")
	b.until(strongest + ` !== "` + usual + `"`) // a measured rating is for a length
	choose("variation", "nackgammon")
	b.until(first + ` === "plays like a beginner"`)
	choose("variation", "")
	choose("preset", "expert")
	b.shoot("lobby")
	b.run(chromedp.Click("#new .primary", chromedp.ByQuery))
	b.until(`document.querySelector("#what").textContent.includes("expert: about 1900 on FIBS")`)
	b.until(`document.querySelector("#board .bg-disc")`)
	var hidden bool
	b.eval(`(() => { for (let el = document.getElementById("bg-light-fill"); el; el = el.parentElement) if (getComputedStyle(el).display === "none") return true; return false; })()`, &hidden)
	if hidden {
		t.Error("checkers are painted by what is hidden with the lobby: they are hollow")
	}
	// A long game makes the list of moves scroll and not the page.
	var high, wide bool
	b.eval(`(() => {
		for (let i = 0; i < 120; i++) {
			const li = document.createElement("li"), span = document.createElement("span");
			span.className = "hidden";
			span.textContent = "you: ";
			li.append(span, "13/11");
			document.getElementById("log").append(li);
		}
		return document.documentElement.scrollHeight > 1500;
	})()`, &high)
	if high {
		t.Error("moves that are scrolled out of sight make the page longer")
	}
	b.run(chromedp.Evaluate(`import(document.querySelector("script[src*='play.js']").src.replace("play.js", "tables.js")).then((m) => {
		const box = document.getElementById("advice");
		box.hidden = false;
		box.replaceChildren(m.cubeTable({probs: [.69, .2, .01, .1, .01], cube: {no_double: -0.787, double_take: -0.774, double_pass: 1, mwc: [.6974, .6940, .7508]}, plies: 2, cubeless_equity: 0.646, class: "contact"}));
		return box.scrollWidth > box.clientWidth || document.documentElement.scrollWidth > innerWidth;
	})`, &wide, func(p *cdpruntime.EvaluateParams) *cdpruntime.EvaluateParams { return p.WithAwaitPromise(true) }))
	if wide {
		t.Error("a cube decision of a match is wider than its card")
	}
	// A beaver has a row of its own, and counts as the answer; a held cube is redoubled.
	var rows string
	b.run(chromedp.Evaluate(`import(document.querySelector("script[src*='play.js']").src.replace("play.js", "tables.js")).then((m) => {
		const rows = (c) => [...m.cubeTable({probs: [.5, .1, 0, .1, 0], cube: c, plies: 2, cubeless_equity: 0, class: "contact"}).querySelectorAll("tbody tr")].map((r) => [...r.cells].map((d) => d.textContent).join(" ")).join("; ");
		return rows({no_double: -0.1, double_take: -0.25, double_beaver: -0.5, double_pass: 1, words: "No double, beaver"}) + " | " + rows({no_double: 0.7, double_take: 0.8, double_pass: 1, words: "Redouble, take"});
	})`, &rows, func(p *cdpruntime.EvaluateParams) *cdpruntime.EvaluateParams { return p.WithAwaitPromise(true) }))
	if want := "No double −0.100 ; Double, take −0.250 −0.150; Double, beaver −0.500 −0.400; Double, pass +1.000 +1.100 | No redouble +0.700 −0.100; Redouble, take +0.800 ; Redouble, pass +1.000 +0.200"; rows != want {
		t.Errorf("cube tables: %s\nwant %s", rows, want)
	}
	b.clean()
}

// TestBrowser_lobbyFitsAScreen: what most people choose, and Play, are in sight without
// scrolling; the rest is folded. The tutor is an option of the match that begins. A match opens
// at its top, however far the lobby was scrolled.
func TestBrowser_lobbyFitsAScreen(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 390, 844, "light")
	for _, size := range screens {
		b.resize(size)
		b.navigate("/play")
		b.until(`document.querySelector("[name=preset] option[value=expert]")`)
		if !b.holds(`document.querySelector("#new").elements.preset.value === "casual"`) {
			t.Errorf("%v: a newcomer does not meet a casual player", size)
		}
		var low float64
		b.eval(`document.querySelector("#new .primary").getBoundingClientRect().bottom`, &low)
		if low > float64(size[1]) {
			t.Errorf("%v: Play ends at %.0f", size, low)
		}
		var fields int
		if b.eval(`[...document.querySelectorAll("#new :is(select, input, textarea)")].filter((el) => el.checkVisibility()).length`, &fields); fields != 3 {
			t.Errorf("%v: the lobby asks %d things before Play, want opponent, length and tutor", size, fields)
		}
		var cut []string
		b.eval(cutOff, &cut)
		for _, what := range cut {
			t.Errorf("%v: %s", size, what)
		}
		b.eval(`document.querySelector("#more").open = true; scrollTo(0, 182); const tutor = document.querySelector("#new [name=tutor]"); if (!tutor.checked) tutor.click()`, nil)
		b.eval(`document.querySelector("#new .primary").click()`, nil)
		b.until(`document.querySelector("#board .bg-disc")`)
		var top float64
		if b.eval(`scrollY`, &top); top != 0 {
			t.Errorf("%v: the match opens scrolled by %.0f", size, top)
		}
		b.until(`document.querySelector("#opt-tutor-play").checked && document.querySelector("#opt-tutor-cube").checked`)
	}
}

// TestBrowser_firstMove: from the lobby a checker has moved after three clicks at most: Play, the
// roll if the engine began, a checker.
func TestBrowser_firstMove(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 390, 844, "light")
	for _, size := range screens[:3] {
		b.resize(size)
		b.navigate("/play")
		b.until(ready["/play"])
		began, clicks := time.Now(), 0
		click := func(expr string) {
			x, y := b.middle(expr)
			b.run(chromedp.MouseClickXY(x, y))
			clicks++
		}
		click(`document.querySelector("#new .primary")`)
		roll, mine := `document.querySelector("#actions [data-key=r]:not(:disabled)")`, `document.querySelector('.bg-can[data-at^="me "]')`
		b.until(roll + ` || ` + mine)
		if b.holds(roll) {
			click(roll)
			b.until(mine)
		}
		click(mine)
		b.until(`document.querySelector("#actions [data-key=Backspace]:not(:disabled)")`) // a step can be undone
		t.Logf("%dx%d: the first checker moved after %d clicks and %v", size[0], size[1], clicks, time.Since(began).Round(10*time.Millisecond))
		if clicks > 3 {
			t.Errorf("%dx%d: %d clicks", size[0], size[1], clicks)
		}
		b.clean()
	}
}
