package web

import (
	"fibsbot/internal/chromium"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Any roll wins in this position, at 3-4 in a match to 5.
const lastRoll = "XGID=-B----------------------b-:1:-1:1:00:3:4:0:5:10"

// A link sets the position up; it is played over and over with a count of the results.
func TestBrowser_playFromHere(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1280, 800, "light")
	b.navigate("/positions?p=" + url.QueryEscape(lastRoll))
	b.until(`document.querySelector("#playhere") && !document.querySelector("#playhere").hidden && document.querySelector("#playhere").href.includes("position=")`)
	b.run(chromedp.Click("#playhere", chromedp.ByQuery))
	b.until(`document.querySelector("#from") && !document.querySelector("#from").hidden && document.querySelector("#preview .bg-checker")`)
	var says string
	b.eval(`document.querySelector("#from-text").textContent`, &says)
	if !strings.Contains(says, "3–4 in a match of 5 points") || !strings.Contains(says, "cube at 2") {
		t.Errorf("the form says %q", says)
	}
	b.shoot("from-lobby")
	b.judged("lobby with a position")
	b.eval(`document.querySelector("#new").elements.preset.value = "beginner"`, nil)
	b.run(chromedp.Click("#new button.primary", chromedp.ByQuery))
	b.until(buttonOf("r"))
	b.shoot("from-table")
	b.eval(`document.querySelector("#opt-forced").checked = document.querySelector("#opt-bearoff").checked = true`, nil)
	for n := 1; n <= 3; n++ {
		b.until(buttonOf("r"))
		b.run(chromedp.KeyEvent("r"))
		// The only way to bear both off is played automatically.
		b.until(buttonOf("a"))
		b.eval(`document.querySelector("#tally").textContent`, &says)
		if want := map[int]string{1: "1 game,", 2: "2 games", 3: "3 games"}[n]; !strings.Contains(says, want) || !strings.Contains(says, "+2.00") {
			t.Errorf("after game %d the count says %q", n, says)
		}
		if b.holds(buttonOf("n")) {
			t.Error("a next game is offered in a match that is decided")
		}
		b.shoot("from-tally")
		if n < 3 {
			b.run(chromedp.KeyEvent("a"))
		}
	}
	b.judged("tally")
	b.run(chromedp.KeyEvent("e"))
	b.until(`location.pathname.startsWith("/matches/")`)
	b.clean()
}

// A wrong address keeps what was asked and says what is wrong; the form still starts a game.
func TestBrowser_playFromAWrongPosition(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1280, 800, "light")
	b.navigate("/play?position=nonsense&length=7")
	b.until(`!document.querySelector("#from-error").hidden`)
	var kept string
	b.eval(`document.querySelector("#new").elements.position.value`, &kept)
	if kept != "nonsense" || !b.holds(`document.querySelector("#from").hidden`) {
		t.Errorf("the form keeps %q", kept)
	}
	b.mu.Lock()
	b.wrong = nil // the refusal of the server, which the page reports
	b.mu.Unlock()
	b.eval(`(() => { const p = document.querySelector("#new").elements.position; p.value = "4HPwATDgc/ABMA 31"; p.dispatchEvent(new Event("input", { bubbles: true })); })()`, nil)
	b.until(`!document.querySelector("#from").hidden && document.querySelector("#from-error").hidden`)
	b.eval(`document.querySelector("#new [name=as][value=opponent]").checked = true`, nil)
	b.eval(`document.querySelector("#new").elements.preset.value = "beginner"`, nil)
	b.run(chromedp.Click("#new button.primary", chromedp.ByQuery))
	// The engine plays the 31 for the player on roll.
	b.until(`document.querySelector("#log li.opp .d")?.textContent === "31"`)
	b.clean()
}

// Swapping sides, handing over to the engine and taking over again.
func TestBrowser_swapAndHandOver(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1280, 800, "light")
	game := matchAtFirstPlay(t, server.URL)
	b.navigate("/play?m=" + game)
	b.until(`document.querySelector(".bg-can")`)
	b.run(chromedp.Click("#do-swap", chromedp.ByQuery))
	b.until(`document.querySelectorAll("#log li.opp").length`)
	b.until(buttonOf("r"))
	b.run(chromedp.Click("#do-hand", chromedp.ByQuery))
	b.until(`document.querySelectorAll("#log li").length > 6`)
	b.shoot("handed")
	b.run(chromedp.KeyEvent("e"))
	b.until(`document.querySelector('#actions [data-key="r"]:not(:disabled), #actions [data-key="t"]:not(:disabled), .bg-can, #actions [data-key="n"]')`)
	b.clean()
}

// The play being made is there again after a reload.
func TestBrowser_reloadKeepsThePlay(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1280, 800, "light")
	b.navigate("/play?m=" + matchAtFirstPlay(t, server.URL))
	b.until(`document.querySelector(".bg-can")`)
	var s state
	b.eval(look, &s)
	if err := (&mouse{}).step(b, s.Can[0]); err != nil {
		t.Fatal(err)
	}
	const label = `document.querySelector("#board .bg").getAttribute("aria-label")`
	var before, after string
	b.until(buttonOf("Backspace"))
	b.eval(label, &before)
	b.run(chromedp.Reload())
	b.until(buttonOf("Backspace"))
	b.eval(label, &after)
	if before != after {
		t.Errorf("the board was\n%s\nand is\n%s", before, after)
	}
	b.run(chromedp.KeyEvent(kb.Backspace))
	b.until("!" + buttonOf("Backspace"))
	b.clean()
}

// A link to a deleted match says so until a match is begun, and the lobby is there.
func TestBrowser_linkToADeletedMatch(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1280, 800, "light")
	b.navigate("/play?m=20260102-030405-00000000")
	b.until(`!document.querySelector("#lost").hidden && document.querySelector("#lost").textContent.includes("finished or deleted") && !document.querySelector("#lobby").hidden`)
	if !b.holds(`location.search === ""`) {
		t.Error("a reload asks for the deleted match again")
	}
	b.run(chromedp.Click("#new button.primary", chromedp.ByQuery))
	b.until(`!document.querySelector("#table").hidden && document.querySelector("#lost").hidden`)
}
