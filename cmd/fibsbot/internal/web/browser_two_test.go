package web

import (
	"fibsbot/internal/chromium"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// write enters a line as a person who records a match does.
func (b *tab) write(line string) {
	b.t.Helper()
	b.eval(`document.querySelector("#line [name=text]").value = ""`, nil)
	b.run(chromedp.SendKeys(`#line [name=text]`, line+kb.Enter, chromedp.ByQuery))
}

// lastRow is the last line of the moves.
const lastRow = `(document.querySelector("#log li:last-child")?.textContent ?? "")`

// A match on a real board is recorded: dice by keys, plays by clicks on either side and as
// text, an illegal play, a correction, a reload; it ends in the archive with a review.
func TestBrowser_recordAMatchOfTwoPeople(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1280, 900, "light")
	b.navigate("/play")
	b.until(ready["/play"])
	b.eval(`(() => { const f = document.querySelector("#new");
	  for (const [name, value] of [["preset", "two"], ["name", "anna"], ["opponent", "bob"], ["event", "Club night"], ["dice", "hand"], ["length", "1"]]) f.querySelector("[name=" + name + "]").value = value;
	  f.dispatchEvent(new Event("change")); })()`, nil)
	b.shoot("two-lobby")
	b.judged("lobby of two people")
	b.run(chromedp.Click("#new button.primary", chromedp.ByQuery))
	b.until(`document.querySelector("#status").textContent.includes("the die of anna, then that of bob")`)
	b.run(chromedp.KeyEvent("3"), chromedp.KeyEvent("1"))
	b.until(`document.querySelector("#status").textContent.includes("anna: play 3")`)
	b.write("8/5 6/5")
	b.until(`document.querySelector("#status").textContent.includes("bob: enter the dice")`)
	// By the buttons, then on the board: bob plays from the top.
	for _, n := range []string{"6", "4"} {
		x, y := b.middle(buttonOf(n))
		b.run(chromedp.MouseClickXY(x, y))
	}
	b.until(`document.querySelector(".bg-can")`)
	var dark bool
	b.eval(`document.querySelector("#board .bg").classList.contains("bg-other")`, &dark)
	if !dark {
		t.Error("bob moves the checkers of anna")
	}
	b.shoot("two-bob")
	for n := 0; n < 4 && !b.holds(buttonOf("Enter")); n++ {
		x, y := b.middle(checkerOn(24))
		if n > 0 {
			x, y = b.middle(`document.querySelector(".bg-can")`)
		}
		b.run(chromedp.MouseClickXY(x, y))
	}
	b.run(chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelectorAll("#log li.opp").length === 1 && document.querySelector("#status").textContent.includes("anna: enter the dice")`)
	// An illegal play: refused, then recorded with its mark.
	b.write("65: 24/18 8/4")
	b.until(`!document.querySelector("#line-error").hidden && !document.querySelector("#illegal").hidden`)
	b.run(chromedp.Click("#illegal", chromedp.ByQuery))
	b.until(lastRow + `.includes("(illegal)")`)
	b.shoot("two-illegal")
	b.judged("recording")
	b.mu.Lock()
	b.wrong = nil
	b.mu.Unlock()
	// It was a slip of the pen.
	b.run(chromedp.Click("#log li:last-child button", chromedp.ByQuery))
	b.until(`document.querySelector("#fix").open`)
	b.shoot("two-fix")
	b.judged("a correction")
	b.eval(`document.querySelector("#fix [name=play]").value = "24/18 13/8"`, nil)
	b.run(chromedp.Click(`#fix [value=save]`, chromedp.ByQuery))
	b.until(lastRow + `.includes("24/18 13/8") && !` + lastRow + `.includes("(illegal)")`)
	var rows string
	b.eval(`document.querySelector("#log").innerText`, &rows)
	b.run(chromedp.Reload())
	b.until(`document.querySelectorAll("#log li").length === 3 && document.querySelector("#status").textContent.includes("bob")`)
	var again string
	b.eval(`document.querySelector("#log").innerText`, &again)
	if rows != again {
		t.Errorf("the moves were\n%s\nand are\n%s", rows, again)
	}
	b.write("resign 1")
	b.until(`document.querySelector("#status").textContent.includes("anna: accept?")`)
	b.run(chromedp.KeyEvent("a"))
	b.eval(`document.activeElement.blur()`, nil)
	b.run(chromedp.KeyEvent("a"))
	b.until(`document.querySelector("#status").textContent.includes("anna wins 1 point")`)
	var href string
	b.eval(`[...document.querySelectorAll("#actions a")].map((a) => a.getAttribute("href")).find((h) => h.startsWith("/matches/"))`, &href)
	b.navigate(href)
	b.until(`document.querySelector("main").innerText.includes("bob")`)
	b.clean()
}

// Two people play with a clock; who lets it run out loses the match.
func TestBrowser_clockDecides(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	site := &asker{t: t, base: server.URL}
	g := site.post("/games", map[string]any{"length": 3, "two_players": true, "name": "anna", "opponent_name": "bob", "seed": 4,
		"clock": map[string]any{"kind": "bronstein", "reserve": 2, "delay": 0, "loses": true}})
	b := open(t, browser, server, 1280, 800, "light")
	b.navigate("/play?m=" + g["id"].(string))
	b.until(`document.querySelectorAll(".clock").length === 2`)
	b.until(`document.querySelector("#status").textContent.includes("on time")`)
	var text string
	b.eval(`document.querySelector("#status").textContent`, &text)
	if !strings.Contains(text, "3 points") || !strings.Contains(text, "The match is over") {
		t.Errorf("%q", text)
	}
	b.shoot("clock")
	b.judged("clock")
	b.clean()
}

// The last play is drawn until the next is begun; without animation for those who want no
// motion; sounds are silent until chosen.
func TestBrowser_lastPlayAndMotion(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	site := &asker{t: t, base: server.URL}
	g := site.post("/games", map[string]any{"length": 3, "preset": "beginner", "position": "4HPwATDgc/ABMA", "dice": []int{3, 1}, "play_as": "opponent"})
	b := open(t, browser, server, 1280, 800, "light")
	b.eval(`window.AudioContext = class { constructor() { window.sounded = true; } }`, nil)
	b.navigate("/play?m=" + g["id"].(string))
	b.until(`document.querySelectorAll(".bg-last .bg-trace").length`)
	b.shoot("last-play")
	b.judged("last play")
	if b.holds(`document.querySelector("#opt-animate").checked`) {
		t.Error("animation where motion is not wanted")
	}
	b.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "no-preference"}}))
	b.eval(`localStorage.setItem("opt-last", "0")`, nil)
	b.run(chromedp.Reload())
	b.until(buttonOf("r"))
	if b.holds(`document.querySelector(".bg-last")`) || !b.holds(`document.querySelector("#opt-animate").checked`) {
		t.Error("the choice is not kept, or there is no animation")
	}
	for _, speed := range []string{"2", "0.45"} {
		b.eval(fmt.Sprintf(`(() => { const s = document.querySelector("#opt-speed"); s.value = %q; s.dispatchEvent(new Event("change")); })()`, speed), nil)
	}
	b.run(chromedp.Reload())
	b.until(buttonOf("r"))
	if !b.holds(`document.querySelector("#opt-speed").value === "0.45"`) {
		t.Error("the speed is not kept")
	}
	b.clean()
}

// A switch makes sounds, which the browser synthesises.
func TestBrowser_soundsBySwitch(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1280, 800, "light")
	b.navigate("/play?m=" + matchAtFirstPlay(t, server.URL))
	b.until(`document.querySelector(".bg-can")`)
	b.eval(`window.made = 0; window.AudioContext = class { constructor() { this.currentTime = 0; this.sampleRate = 8000; this.destination = {}; } resume() {}
	  createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} }; }
	  createOscillator() { window.made++; return { frequency: {}, connect() {}, start() {}, stop() {} }; }
	  createBuffer(_c, n) { return { getChannelData: () => new Float32Array(n) }; }
	  createBufferSource() { window.made++; return { connect() {}, start() {}, stop() {} }; } }`, nil)
	step := func() {
		var s state
		b.eval(look, &s)
		if err := (&mouse{}).step(b, s.Can[0]); err != nil {
			t.Fatal(err)
		}
		b.until(buttonOf("Backspace"))
	}
	step()
	if b.holds(`window.made`) {
		t.Error("a sound without the switch")
	}
	b.run(chromedp.KeyEvent(kb.Backspace))
	b.eval(`document.querySelector("#opt-sound").click()`, nil)
	step()
	b.until(`window.made > 0`)
	b.clean()
}

// Cube actions of a recorded match are corrected: a forgotten double, an answer, a double that
// no one made.
func TestBrowser_correctTheCube(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	site := &asker{t: t, base: server.URL}
	g := site.post("/games", map[string]any{"length": 5, "two_players": true, "by_hand": true, "name": "anna", "opponent_name": "bob"})
	id := g["id"].(string)
	for _, act := range []map[string]any{{"kind": "roll", "dice": []int{3, 1}}, {"kind": "move", "play": "8/5 6/5"}, {"kind": "roll", "dice": []int{6, 4}}, {"kind": "move", "play": "24/14"},
		{"kind": "roll", "dice": []int{2, 1}}, {"kind": "move", "play": "6/3"}} {
		act["version"] = g["version"]
		g = site.post("/games/"+id+"/acts", act)
	}
	b := open(t, browser, server, 1280, 900, "light")
	b.navigate("/play?m=" + id)
	b.until(`document.querySelectorAll("#log li").length === 3`)
	correct := func(row int, field string) {
		t.Helper()
		b.eval(fmt.Sprintf(`document.querySelectorAll("#log li")[%d].querySelector("button").click()`, row), nil)
		b.until(`document.querySelector("#fix").open`)
		b.until(fmt.Sprintf(`document.querySelector('#fix [name=%s]').checkVisibility()`, field))
	}
	save := func(rows ...string) {
		t.Helper()
		b.run(chromedp.Click(`#fix [value=save]`, chromedp.ByQuery))
		want := quote(strings.Join(rows, "|"))
		b.until(`[...document.querySelectorAll("#log li")].map((li) => li.textContent.replace(/^\d*(anna|bob): /, "")).join("|") === ` + want)
	}
	correct(2, "doubled")
	b.shoot("two-fix-double")
	b.judged("a correction of the cube")
	b.run(chromedp.Click(`#fix [name=doubled]`, chromedp.ByQuery))
	save("8/5 6/5", "24/14", "doubles to 2", "takes", "6/3")
	correct(3, "kind")
	b.eval(`document.querySelector("#fix [name=kind]").value = "drop"`, nil)
	b.run(chromedp.Click(`#fix [value=save]`, chromedp.ByQuery))
	b.until(`document.querySelector("#ask").open`) // the play after it must go
	b.eval(`document.querySelector('#ask [value=yes]').click()`, nil)
	b.until(`document.querySelector("#status").textContent.includes("anna wins 1 point")`)
	b.mu.Lock()
	b.wrong = nil // the correction was refused before it was confirmed
	b.mu.Unlock()
	correct(2, "remove")
	b.run(chromedp.Click(`#fix [name=remove]`, chromedp.ByQuery))
	save("8/5 6/5", "24/14")
	b.clean()
}
