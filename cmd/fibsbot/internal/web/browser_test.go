package web

import (
	"context"
	"encoding/json"
	"fibsbot/internal/chromium"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tab is a page in a real browser.
type tab struct {
	t   *testing.T
	ctx context.Context
	url string

	mu    sync.Mutex
	wrong []string // errors of the console, requests to elsewhere
}

// patience bounds what a loaded machine may take.
const patience = chromium.Patience

func TestMain(m *testing.M) { os.Exit(chromium.Run(m)) }

// serve serves a site until the test ends, whatever streams a page still listens to.
func serve(t *testing.T) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(newSite(t, ""))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server
}

// open opens a tab of the site in a window of that size.
func open(t *testing.T, browser context.Context, s *httptest.Server, width, height int64, theme string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	if err := chromedp.Run(ctx); err != nil { // the tab lives as long as this context
		t.Fatal(err)
	}
	b := &tab{t: t, ctx: ctx, url: s.URL}
	own, _ := url.Parse(s.URL)
	chromedp.ListenTarget(ctx, func(ev any) {
		switch e := ev.(type) {
		case *cdpruntime.EventConsoleAPICalled:
			if e.Type == cdpruntime.APITypeError || e.Type == cdpruntime.APITypeWarning {
				b.note(fmt.Sprintf("console: %s", e.Args[0].Value))
			}
		case *cdpruntime.EventExceptionThrown:
			b.note("exception: " + e.ExceptionDetails.Error())
		case *network.EventRequestWillBeSent:
			if u, err := url.Parse(e.Request.URL); err != nil || u.Host != own.Host && u.Scheme != "data" && u.Scheme != "blob" {
				b.note("request to another host: " + e.Request.URL)
			}
		case *network.EventResponseReceived:
			late := e.Response.Status == http.StatusConflict && strings.HasSuffix(e.Response.URL, "/online/acts") // the line broke, or the page was loaded again
			if e.Response.Status >= 400 && !late {
				b.note(fmt.Sprintf("%s: %d", e.Response.URL, e.Response.Status))
			}
		}
	})
	b.run(network.Enable(), cdpruntime.Enable(), chromedp.EmulateViewport(width, height),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"}}))
	return b
}

func (b *tab) note(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wrong = append(b.wrong, text)
}

// clean fails the test for what the browser complained about.
func (b *tab) clean() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, text := range b.wrong {
		b.t.Error(text)
	}
	b.wrong = nil
}

func (b *tab) run(actions ...chromedp.Action) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// resize gives the window another size.
func (b *tab) resize(size [2]int64) {
	b.t.Helper()
	b.run(chromedp.EmulateViewport(size[0], size[1]))
}

// navigate opens an address of the site.
func (b *tab) navigate(path string) {
	b.t.Helper()
	b.run(chromedp.Navigate(b.url + path))
}

// eval runs an expression in the page.
func (b *tab) eval(expr string, to any) {
	b.t.Helper()
	b.run(chromedp.Evaluate(expr, to))
}

// until waits for an expression to be true.
func (b *tab) until(expr string) {
	b.t.Helper()
	for end := time.Now().Add(patience); ; {
		if b.soon(expr, time.Second) {
			return
		}
		if time.Now().After(end) {
			var text string
			b.eval("document.body.innerText", &text)
			b.mu.Lock()
			defer b.mu.Unlock()
			b.t.Fatalf("never true: %s\nthe browser complained: %q\nthe page says: %.2000s", expr, b.wrong, text)
		}
	}
}

// push clicks an element in one step: between finding and clicking it, the page may put a new one
// in its place.
func (b *tab) push(selector string) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.querySelector(%q)", selector))
	b.run(chromedp.Evaluate(fmt.Sprintf("document.querySelector(%q).click()", selector), nil))
}

// holds reports whether an expression is true; false while a page is being replaced or parsed,
// when its elements may be missing.
func (b *tab) holds(expr string) bool {
	b.t.Helper()
	return b.soon(expr, 0)
}

// gone are the errors for a page that is replaced while it is asked.
var gone = regexp.MustCompile("Inspected target navigated or closed|Execution context was destroyed|Promise was collected|Cannot find (default execution )?context")

// soon reports whether an expression becomes true within a time. The page looks itself: each
// question to it costs the browser more than ten looks.
func (b *tab) soon(expr string, within time.Duration) bool {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	var ok bool
	err := chromedp.Run(ctx, chromedp.Evaluate(fmt.Sprintf(`new Promise((answer, fail) => {
		const end = Date.now() + %d;
		(function look() {
			try {
				if (document.readyState !== "loading" && (%s)) answer(true);
				else if (Date.now() < end) setTimeout(look, 10);
				else answer(false);
			} catch (e) {
				fail(e);
			}
		})();
	})`, within.Milliseconds(), expr), &ok, awaited))
	if err == nil {
		return ok
	}
	if !gone.MatchString(err.Error()) {
		b.t.Fatal(err)
	}
	time.Sleep(10 * time.Millisecond) // the next page begins
	return false
}

// shoot saves a picture if FIBSBOT_SHOTS names a folder.
func (b *tab) shoot(name string) {
	b.t.Helper()
	dir := os.Getenv("FIBSBOT_SHOTS")
	if dir == "" {
		return
	}
	var png []byte
	b.run(chromedp.CaptureScreenshot(&png))
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// judged fails the test for what is hard to read or to use: texts of little contrast in both themes,
// and the serious faults that axe-core finds if FIBSBOT_AXE names its axe.min.js. It runs in one
// theme and leaves out colours, its longest rule: readable judges them, more strictly.
func (b *tab) judged(where string) {
	b.t.Helper()
	b.readableInBoth(where)
	b.axe(where)
}

// readableInBoth is readable in both themes.
func (b *tab) readableInBoth(where string) {
	b.t.Helper()
	var usual string
	b.eval(`document.documentElement.dataset.theme`, &usual)
	for _, theme := range []string{"light", "dark"} {
		b.eval(`document.documentElement.dataset.theme = `+quote(theme), nil)
		b.readable(where + ", " + theme)
	}
	b.eval(`document.documentElement.dataset.theme = `+quote(usual), nil)
}

// axe runs axe-core, if there is one.
func (b *tab) axe(where string) {
	b.t.Helper()
	file := os.Getenv("FIBSBOT_AXE")
	if file == "" {
		return
	}
	if !b.holds(`window.axe`) {
		code, err := os.ReadFile(file)
		if err != nil {
			b.t.Fatal(err)
		}
		b.run(chromedp.Evaluate(string(code), nil))
	}
	var found string
	b.run(chromedp.Evaluate(`axe.run(document, {rules: {"color-contrast": {enabled: false}}, iframes: false, resultTypes: ["violations"], selectors: false}).then((r) => JSON.stringify(r.violations.filter((v) => v.impact === "serious" || v.impact === "critical").map((v) => v.id + ": " + v.help + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | "))))`, &found, awaited))
	var list []string
	if err := json.Unmarshal([]byte(found), &list); err != nil {
		b.t.Fatal(err)
	}
	for _, v := range list {
		b.t.Errorf("%s: axe: %s", where, v)
	}
}

// ready are expressions that are true when a page has shown its data.
var ready = map[string]string{
	"/play":       `document.querySelector("#preview svg") && document.querySelectorAll("[name=preset] option").length`,
	"/online":     `!document.querySelector("#login").hidden`,
	"/positions":  `document.querySelector("#panel").children.length && document.querySelector("#panel").ariaBusy !== "true"`,
	"/matches":    `document.querySelector("#list tbody tr")`,
	"/statistics": `document.querySelector("#charts").children.length`,
	"/bots":       `document.querySelector("#accounts svg")`,
	"/met":        `document.querySelector("#table [aria-current]")`,
	"/openings":   `document.querySelector("#rolls [data-roll]")`,
	"/quiz":       `document.querySelector("#tally").textContent && document.querySelector("#quiz svg, #quiz .empty")`,
}

// cutOff lists what of a page can be seen in part alone: tables and charts wider than
// their place, choices longer than their box, boxes to tick whose text is below them.
const cutOff = `(() => {
  const out = [], say = (what, el) => out.push(what + ": " + el.textContent.trim().slice(0, 60));
  for (const el of document.querySelectorAll(".panel, .wide, .card")) if (el.checkVisibility() && el.scrollWidth > el.clientWidth + 1) say("wider than its place by " + (el.scrollWidth - el.clientWidth), el);
  for (const el of document.querySelectorAll(".tabs button")) if (el.checkVisibility() && el.getBoundingClientRect().right > innerWidth) say("tab outside the window", el);
  for (const el of document.querySelectorAll(".charts text")) if (el.getBBox().x < 0) say("text outside its chart", el);
  for (const el of document.querySelectorAll("label.check")) {
    const box = el.querySelector("input"), text = document.createRange();
    if (!box || !box.offsetWidth) continue;
    text.selectNodeContents(box.nextSibling);
    if (text.getBoundingClientRect().top > box.getBoundingClientRect().bottom) say("text below its box", el);
  }
  const pen = document.createElement("canvas").getContext("2d");
  for (const el of document.querySelectorAll("select:not(#language)")) {
    if (!el.offsetWidth || !el.selectedOptions.length || !el.checkVisibility({opacityProperty: true})) continue; // an icon may lie over a choice
    const css = getComputedStyle(el);
    pen.font = css.fontSize + " " + css.fontFamily;
    if (pen.measureText(el.selectedOptions[0].textContent).width > el.clientWidth - parseFloat(css.paddingLeft) - parseFloat(css.paddingRight) - 14) say("choice longer than its box", el.selectedOptions[0]);
  }
  return out;
})()`

// TestBrowser_rooms looks at every room on a phone and a desk: it fits the window, nothing is
// fetched from elsewhere, the console is silent, it is readable in both themes, and axe-core finds
// no serious fault.
func TestBrowser_rooms(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	game := matchAtFirstPlay(t, server.URL)
	type place struct{ name, path, ready string }
	list := []place{{"table", "/play?m=" + game, `document.querySelector(".bg-can")`}}
	for _, r := range rooms {
		list = append(list, place{strings.TrimPrefix(r.Path, "/"), r.Path, ready[r.Path]})
	}
	list = append(list, place{"positions-plays", "/positions?p=XGID%3D-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10#decision", ""})
	for _, name := range []string{"rolls", "scores", "counts", "rollout"} {
		list = append(list, place{"positions-" + name, "/positions?p=XGID%3D-a--BBC-B---dE---d-e----A-:0:0:1:00:0:0:0:7:10#" + name, ""})
	}
	themes := []string{"light"}
	if os.Getenv("FIBSBOT_SHOTS") != "" {
		themes = append(themes, "dark")
	}
	for _, theme := range themes {
		b := open(t, browser, server, 390, 844, theme)
		for _, size := range [][2]int64{{390, 844}, {1400, 900}} {
			b.resize(size)
			for _, p := range list {
				path, tabName, _ := strings.Cut(p.path, "#")
				b.run(chromedp.Navigate(server.URL + path))
				if tabName != "" {
					b.until(ready["/positions"])
					b.run(chromedp.Click("#tab-"+tabName, chromedp.ByQuery))
					b.until(`document.querySelector("#panel").children.length && document.querySelector("#panel").ariaBusy !== "true"`)
				} else {
					b.until(p.ready)
				}
				name := fmt.Sprintf("%s-%d-%s", p.name, size[0], theme)
				var wide bool
				b.eval(`document.documentElement.scrollWidth > innerWidth`, &wide)
				if wide {
					t.Errorf("%s is wider than its window", name)
				}
				var cut []string
				b.eval(cutOff, &cut)
				for _, what := range cut {
					t.Errorf("%s: %s", name, what)
				}
				if p.name == "table" { // with the hint, and its best play on the board
					b.run(chromedp.KeyEvent("h"))
					b.until(`document.querySelector("#advice .plays tbody tr")`)
					b.eval(`document.querySelector("#advice .plays tbody tr").click()`, nil)
					b.until(`document.querySelector(".bg-arrow")`)
				}
				b.shoot(name)
				if theme == "light" {
					b.judged(name)
				}
				b.clean()
			}
		}
	}
}

// matchAtFirstPlay makes a match against the engine in which it is the person's turn
// to play.
func matchAtFirstPlay(t *testing.T, base string) string {
	t.Helper()
	site := &asker{t: t, base: base}
	g := site.post("/games", map[string]any{"length": 5, "preset": "casual", "seed": 5, "name": "anna"})
	for g["phase"] != "move" || g["turn"] != 1.0 {
		path := "/acts"
		body := map[string]any{"version": g["version"], "kind": "roll"}
		if g["turn"] == 0.0 {
			path, body = "/think", map[string]any{"version": g["version"]}
		}
		g = site.post("/games/"+g["id"].(string)+path, body)
	}
	return g["id"].(string)
}

// lateMatch makes a match of one point in which the engine has played that many acts for both.
func lateMatch(t *testing.T, base string, acts int) string {
	t.Helper()
	site := &asker{t: t, base: base}
	g := site.post("/games", map[string]any{"length": 1, "preset": "beginner", "seed": 5})
	for n := 0; n < acts || g["turn"] != 1.0; n++ {
		g = site.post("/games/"+g["id"].(string)+"/think", map[string]any{"version": g["version"], "for_me": g["turn"] == 1.0})
	}
	return g["id"].(string)
}

// state is what a player sees: the keys of the buttons that can be pressed, and the
// points of the checkers that may move.
type state struct {
	Keys []string
	Can  []int
	Over bool
}

const look = `({
  Keys: [...document.querySelectorAll("#actions [data-key]")].filter((b) => !b.disabled).map((b) => b.dataset.key),
  Can: [...document.querySelectorAll(".bg-can")].map((g) => Number(g.dataset.at.split(" ")[1])),
  Over: [...document.querySelectorAll("#actions a")].some((a) => a.textContent === "Play again"),
})`

// hand plays with one of the ways there are to touch a page.
type hand interface {
	press(b *tab, key string)     // a button
	step(b *tab, point int) error // moves the checker of a point
}

// begin begins a match of one point in the lobby.
func (b *tab) begin() {
	b.t.Helper()
	b.navigate("/play")
	b.until(ready["/play"])
	b.eval(`const f = document.querySelector("#new"); f.elements.preset.value = "beginner"; f.querySelector("[name=length]").value = "1"; f.querySelector("button.primary").click()`, nil)
}

// playMatch plays the match on the page to its end.
func playMatch(t *testing.T, b *tab, with hand) {
	t.Helper()
	b.until(`!document.querySelector("#table").hidden`)
	b.eval(`document.querySelector("#opt-animate").checked = false`, nil)
	end := time.Now().Add(2 * patience)
	for n := 0; ; n++ {
		var s state
		if time.Now().After(end) {
			var text string
			b.eval(`document.querySelector("#table").innerText`, &text)
			b.shoot("stuck")
			t.Fatalf("the match does not end; after %d looks the page says: %.500s", n, text)
		}
		b.until(`document.querySelector("#actions a.primary, #actions [data-key]:not(:disabled)")`)
		b.eval(look, &s)
		switch has := func(k string) bool { return strings.Contains(" "+strings.Join(s.Keys, " ")+" ", " "+k+" ") }; {
		case s.Over:
			return
		case has("Enter"):
			with.press(b, "Enter")
		case len(s.Can) > 0:
			if err := with.step(b, s.Can[n%len(s.Can)]); err != nil {
				t.Fatal(err)
			}
		case has("r"):
			with.press(b, "r")
		case has("a"):
			with.press(b, "a")
		case has("t"):
			with.press(b, "t")
		case has("n"):
			with.press(b, "n")
		default:
			time.Sleep(20 * time.Millisecond) // the engine's turn
		}
	}
}

// middle is the centre of an element in the window, scrolled into view.
func (b *tab) middle(expr string) (x, y float64) {
	b.t.Helper()
	var at [2]float64
	b.eval(`(() => { const e = `+expr+`; if (!e) return [-1, -1]; e.scrollIntoView({block: "nearest"}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, &at)
	return at[0], at[1]
}

func buttonOf(key string) string {
	return fmt.Sprintf(`document.querySelector('#actions [data-key=%q]:not(:disabled)')`, key)
}

func checkerOn(point int) string {
	return fmt.Sprintf(`document.querySelector('.bg-can[data-at="me %d"]')`, point)
}

type mouse struct{ drags, missed int }

func (m *mouse) press(b *tab, key string) {
	if x, y := b.middle(buttonOf(key)); x >= 0 {
		b.run(chromedp.MouseClickXY(x, y))
	}
}

// step drags every other checker and clicks the rest.
func (m *mouse) step(b *tab, point int) error {
	x, y := b.middle(checkerOn(point))
	if x < 0 {
		return nil
	}
	m.drags++
	b.run(chromedp.MouseEvent(input.MousePressed, x, y, chromedp.ButtonLeft))
	if m.drags%2 == 0 {
		tx, ty := b.middle(`document.querySelector(".bg-target")`)
		if tx < 0 { // the board was just redrawn, or it shows no target at all
			if m.missed++; m.missed > 3 {
				return fmt.Errorf("no target is shown for point %d", point)
			}
			tx, ty = x, y
		} else {
			m.missed = 0
		}
		b.run(chromedp.MouseEvent(input.MouseMoved, (x+tx)/2, (y+ty)/2, chromedp.ButtonLeft), chromedp.MouseEvent(input.MouseMoved, tx, ty, chromedp.ButtonLeft))
		x, y = tx, ty
	}
	b.run(chromedp.MouseEvent(input.MouseReleased, x, y, chromedp.ButtonLeft))
	return nil
}

type touch struct{}

func (touch) press(b *tab, key string) {
	if x, y := b.middle(buttonOf(key)); x >= 0 {
		b.tap(x, y)
	}
}

func (touch) step(b *tab, point int) error {
	if x, y := b.middle(checkerOn(point)); x >= 0 {
		b.tap(x, y)
	}
	return nil
}

func (b *tab) tap(x, y float64) {
	b.t.Helper()
	b.run(input.DispatchTouchEvent(input.TouchStart, []*input.TouchPoint{{X: x, Y: y}}), input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}))
}

type keyboard struct{}

func (keyboard) press(b *tab, key string) {
	if key == "Enter" {
		key = kb.Enter
	}
	b.run(chromedp.KeyEvent(key))
}

// step walks to the checker by the arrows, takes it up, and walks to where it may go.
func (keyboard) step(b *tab, point int) error {
	b.eval(`document.querySelector('.bg-hit[tabindex="0"]').focus()`, nil)
	if err := walk(b, point); err != nil {
		return err
	}
	b.run(chromedp.KeyEvent(kb.Enter))
	var to int
	b.eval(`Number(document.querySelector(".bg-target")?.dataset.point ?? -1)`, &to)
	if to < 0 {
		return nil // there was one place to go, and it went
	}
	if err := walk(b, to); err != nil {
		return err
	}
	b.run(chromedp.KeyEvent(kb.Enter))
	return nil
}

// walk moves the focus on the board to a point.
func walk(b *tab, point int) error {
	column := map[bool]string{true: kb.ArrowUp, false: kb.ArrowDown}[point >= 13 && point <= 24]
	b.run(chromedp.KeyEvent(column))
	for _, key := range []string{kb.ArrowLeft, kb.ArrowRight} {
		for range 14 {
			var at int
			b.eval(`Number(document.activeElement.dataset.point)`, &at)
			if at == point {
				return nil
			}
			b.run(chromedp.KeyEvent(key))
		}
	}
	return fmt.Errorf("the arrows do not lead to point %d", point)
}

// A match is played by mouse from the lobby to its end, and the end of one by touch and by keys.
func TestBrowser_aMatchByMouseTouchAndKeys(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	for name, way := range map[string]struct {
		width, height int64
		with          hand
	}{"mouse": {1400, 900, &mouse{}}, "touch": {390, 844, touch{}}, "keyboard": {1400, 900, keyboard{}}} {
		t.Run(name, func(t *testing.T) {
			b := open(t, browser, server, way.width, way.height, "light")
			if name == "touch" {
				b.run(emulation.SetTouchEmulationEnabled(true))
			}
			if name == "mouse" {
				b.begin()
			} else {
				b.navigate("/play?m=" + lateMatch(t, server.URL, 60))
			}
			playMatch(t, b, way.with)
			b.shoot("over-" + name)
			var href string
			b.eval(`[...document.querySelectorAll("#actions a")].map((a) => a.getAttribute("href")).find((h) => h.startsWith("/matches/"))`, &href)
			b.run(chromedp.Navigate(server.URL + href))
			b.until(`document.querySelector("#progress").textContent.includes("nalysed")`)
			b.clean()
		})
	}
}

func TestBrowser_rolloutStopsAndGoesOn(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1400, 900, "light")
	b.run(chromedp.Navigate(server.URL + "/positions?p=4HPwATDgc%2FABMA"))
	b.until(ready["/positions"])
	b.run(chromedp.Click("#tab-rollout", chromedp.ByQuery))
	b.until(`document.querySelectorAll("#roll [name=by] option").length`)
	b.eval(`document.querySelector("#roll [name=trials]").value = "20736"`, nil)
	b.eval(`document.querySelector("#roll [name=truncate]").value = "7"`, nil)
	b.run(chromedp.Click("#roll .primary", chromedp.ByQuery))
	done := `Number(/(\d+) of/.exec(document.querySelector("#rollouts article .spread .dim")?.textContent ?? "0 of")[1])`
	button := func(text string) string {
		return fmt.Sprintf(`[...document.querySelectorAll("#rollouts article button")].find((x) => x.textContent === %q)`, text)
	}
	b.until(done + ` > 0`)
	b.until(`document.querySelectorAll("#rollouts tbody td.dim")[0].textContent.includes("±")`)
	b.shoot("rollout-live")
	b.eval(button("Stop")+".click()", nil)
	b.until(button("Continue"))
	var stopped int
	b.eval(done, &stopped)
	b.eval(button("Continue")+".click()", nil)
	b.until(fmt.Sprintf("%s > %d", done, stopped))
	b.until(button("Stop"))
	b.eval(button("Stop")+".click()", nil)
	b.until(button("Remove"))
	b.eval(button("Remove")+".click()", nil)
	b.until(`!document.querySelector("#rollouts article")`)
	b.clean()
}

// Bad input is reported beside its field, and a match can be played in two tabs.
func TestBrowser_badInputIsToldWhereOneLooks(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1400, 900, "light")
	b.run(chromedp.Navigate(server.URL + "/positions"))
	b.until(ready["/positions"])
	b.eval(`document.querySelector("#id").value = ""`, nil)
	b.run(chromedp.SendKeys("#id", "4HPwATDg", chromedp.ByQuery))
	b.until(`!document.querySelector("#id-error").hidden && document.querySelector("#id").getAttribute("aria-invalid") === "true"`)
	b.run(chromedp.SendKeys("#id", "c/ABMA", chromedp.ByQuery))
	b.until(`document.querySelector("#id-error").hidden`)
	b.run(chromedp.Click("#clear", chromedp.ByQuery))
	b.until(`!document.querySelector("#state-error").hidden || document.querySelector("#panel .empty")`)

	game := matchAtFirstPlay(t, server.URL)
	one := open(t, browser, server, 1400, 900, "light")
	two := open(t, browser, server, 1400, 900, "light")
	for _, x := range []*tab{one, two} {
		x.run(chromedp.Navigate(server.URL + "/play?m=" + game))
		x.until(`document.querySelector(".bg-can")`)
	}
	for range 4 {
		var s state
		one.eval(look, &s)
		if len(s.Can) > 0 {
			if err := (&mouse{}).step(one, s.Can[0]); err != nil {
				t.Fatal(err)
			}
		}
	}
	one.run(chromedp.KeyEvent(kb.Enter))
	one.until(`document.querySelectorAll("#log li").length > 1`)
	two.eval(`document.querySelector('[data-key="q"]').click()`, nil)
	two.eval(`document.querySelector('#ask-buttons [value="1"]')?.click()`, nil)
	two.until(`document.querySelector("#toast").textContent.includes("another window") && document.querySelectorAll("#log li").length > 1`)
	one.clean()
}

// An unfinished play survives a restart of the server, and the match continues.
func TestBrowser_serverGoneInMidGame(t *testing.T) {
	browser := chromium.Shared(t)
	site := newSite(t, "")
	var down atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() {
			panic(http.ErrAbortHandler) // the connection breaks
		}
		site.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	b := open(t, browser, server, 1400, 900, "light")
	b.navigate("/play?m=" + matchAtFirstPlay(t, server.URL))
	b.until(`document.querySelector(".bg-can")`)
	for range 4 {
		var s state
		b.eval(look, &s)
		if len(s.Can) > 0 {
			if err := (&mouse{}).step(b, s.Can[0]); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.until(buttonOf("Enter"))
	var before string
	b.eval(`document.querySelector(".bg").getAttribute("aria-label")`, &before)
	down.Store(true)
	b.run(chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector("#status").textContent.includes("does not answer")`)
	var after string
	b.eval(`document.querySelector(".bg").getAttribute("aria-label")`, &after)
	if before != after {
		t.Errorf("the board was\n%s\nand is\n%s", before, after)
	}
	b.shoot("server-gone")
	down.Store(false)
	b.until(`document.querySelector("#status").textContent.includes("Confirm the play")`)
	b.run(chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelectorAll("#log li").length > 1`)
	b.clean()
}

// The token is not a program argument, which every user of the machine could read.
func TestOpenBrowser_tokenIsNoArgument(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("another program opens browsers here")
	}
	dir := t.TempDir()
	script, told := filepath.Join(dir, "xdg-open"), filepath.Join(dir, "told")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nprintf '%s' \"$*\" > "+told+".new && mv "+told+".new "+told+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	arguments := func() string {
		for {
			if text, err := os.ReadFile(told); err == nil {
				os.Remove(told)
				return string(text)
			}
			time.Sleep(time.Millisecond)
		}
	}
	forget, err := OpenBrowser(t.Context(), "http://127.0.0.1:8080/", "")
	if err != nil || arguments() != "http://127.0.0.1:8080/" {
		t.Error("without a token", err)
	}
	forget()
	forget, err = OpenBrowser(t.Context(), "http://127.0.0.1:8080/?token=secret", filepath.Join(dir, "web.token"))
	if err != nil {
		t.Fatal(err)
	}
	page := arguments()
	if strings.Contains(page, "secret") {
		t.Errorf("arguments: %s", page)
	}
	if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), "?token=secret") {
		t.Errorf("%q, %v", text, err)
	}
	if st, err := os.Stat(page); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st, err)
	}
	forget()
	if _, err := os.Stat(page); !os.IsNotExist(err) {
		t.Errorf("the page is still there: %v", err)
	}
}

// The page of --open, or a link in a mail, opens the site and sets the cookie.
func TestBrowser_aPageOfElsewhereLeadsIn(t *testing.T) {
	browser := chromium.Shared(t)
	const token = "0123456789abcdefghij"
	server := httptest.NewServer(newSite(t, token))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	page := filepath.Join(t.TempDir(), "open.html")
	if err := os.WriteFile(page, fmt.Appendf(nil, openPage, server.URL+"/?token="+token), 0o600); err != nil {
		t.Fatal(err)
	}
	b := open(t, browser, server, 1000, 800, "light")
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	var at string
	if err := chromedp.Run(ctx, chromedp.Navigate("file://"+page), chromedp.WaitVisible(`a[href="/positions"]`), chromedp.Location(&at)); err != nil {
		t.Fatal(err)
	}
	if at != server.URL+"/play" {
		t.Errorf("led to %s", at)
	}
}
