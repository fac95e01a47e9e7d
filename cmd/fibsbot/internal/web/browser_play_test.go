package web

import (
	"fibsbot/internal/chromium"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// outside lists what a player needs at the table and cannot see without scrolling, and
// covered what lies over it.
const outside = `(() => {
  const out = [];
  for (const el of document.querySelectorAll("#board svg, #seat0, #seat1, #status, #actions button, #actions a")) {
    const r = el.getBoundingClientRect(), name = el.id || el.textContent.trim() || "board";
    if (r.top < 0 || r.left < 0 || r.bottom > innerHeight + 0.5 || r.right > innerWidth + 0.5) out.push(name + " is outside: " + [r.left, r.top, r.right, r.bottom].map(Math.round));
    const over = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
    if (over && !el.contains(over) && !over.contains(el)) out.push(name + " is covered by " + over.outerHTML.slice(0, 80));
  }
  return out;
})()`

// A phone on its side shows the board and all buttons at once, at the largest size that
// fits.
func TestBrowser_phoneOnItsSide(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	game := matchAtFirstPlay(t, server.URL)
	recorded := (&asker{t: t, base: server.URL}).post("/games", map[string]any{"length": 5, "two_players": true, "by_hand": true, "name": "anna", "opponent_name": "bob",
		"clock": map[string]any{"kind": "bronstein", "reserve": 600, "delay": 12}})["id"].(string)
	b := open(t, browser, server, 844, 390, "light")
	for _, size := range [][2]int64{{844, 390}, {667, 375}, {568, 320}} {
		b.resize(size)
		b.navigate("/play?m=" + game)
		b.until(`document.querySelector(".bg-can")`)
		check := func(when string) {
			t.Helper()
			var out []string
			b.eval(outside, &out)
			for _, text := range out {
				t.Errorf("%dx%d, %s: %s", size[0], size[1], when, text)
			}
		}
		check("at a play")
		var tall float64
		b.eval(`document.querySelector("#board svg").getBoundingClientRect().height / innerHeight`, &tall)
		if tall < 0.8 {
			t.Errorf("%dx%d: the board takes %.2f of the height", size[0], size[1], tall)
		}
		b.shoot(fmt.Sprintf("side-%d", size[0]))
		b.run(chromedp.KeyEvent("h"))
		b.until(`document.querySelector("#advice .plays tbody tr")`)
		check("with a hint")
		b.shoot(fmt.Sprintf("side-hint-%d", size[0]))
		b.navigate("/play?m=" + recorded)
		b.until(buttonOf("6"))
		check("recording")
		b.clean()
	}
}

// playWorst makes the play of the list that the engine ranks last, by the keys of the hint.
func playWorst(t *testing.T, b *tab) {
	t.Helper()
	var moved bool
	// The longest way to the back of the tree: a play far from the best is enough.
	b.eval(`(async () => {
	  const id = new URLSearchParams(location.search).get("m");
	  const hint = await (await fetch("/api/v1/games/" + id + "/hint?preset=beginner")).json();
	  const game = await (await fetch("/api/v1/games/" + id)).json();
	  window.worst = hint.plays.moves[hint.plays.moves.length - 1].move;
	  const walk = (n, path) => { const at = game.moves[n]; if (at.end && at.play === worst) return path;
	    for (const e of at.next ?? []) { const p = walk(e.node, [...path, e]); if (p) return p; } return null; };
	  window.worstPath = walk(0, []).map((e) => [e.from, e.to]);
	})(); true`, &moved)
	b.until(`window.worstPath`)
	var path [][2]int
	b.eval(`worstPath`, &path)
	for _, step := range path {
		x, y := b.middle(checkerOn(step[0]))
		tx, ty := b.middle(fmt.Sprintf(`document.querySelector('.bg-hit[data-point="%d"]')`, step[1]))
		b.run(chromedp.MouseEvent("mousePressed", x, y, chromedp.ButtonLeft), chromedp.MouseEvent("mouseMoved", (x+tx)/2, (y+ty)/2, chromedp.ButtonLeft),
			chromedp.MouseEvent("mouseMoved", tx, ty, chromedp.ButtonLeft), chromedp.MouseEvent("mouseReleased", tx, ty, chromedp.ButtonLeft))
	}
	b.until(buttonOf("Enter"))
}

// The tutor asks below the board, which stays visible; the keys answer.
func TestBrowser_tutorAsksBesideTheBoard(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1280, 800, "light")
	for _, size := range [][2]int64{{1280, 800}, {390, 844}, {667, 375}} {
		b.resize(size)
		b.navigate("/play?m=" + matchAtFirstPlay(t, server.URL))
		b.until(`document.querySelector(".bg-can")`)
		b.eval(`document.querySelector("#opt-tutor-play").checked = true; document.querySelector("#opt-bound").value = "0.04"`, nil)
		playWorst(t, b)
		b.run(chromedp.KeyEvent(kb.Enter))
		b.until(buttonOf("g"))
		var out []string
		b.eval(outside, &out)
		for _, text := range out {
			t.Errorf("%dx%d: %s", size[0], size[1], text)
		}
		var says string
		b.eval(`document.querySelector("#status").textContent`, &says)
		if !strings.Contains(says, "loses") {
			t.Errorf("the tutor says %q", says)
		}
		b.shoot(fmt.Sprintf("tutor-%d", size[0]))
		if size[0] != 667 {
			b.judged("tutor")
		}
		b.run(chromedp.KeyEvent("g"))
		b.until(`document.querySelectorAll("#log li").length > 1`)
		b.clean()
	}
}

// The words name the dice in the order of the picture, also after they were turned, and the
// marked places for a checker do not cover the dice.
func TestBrowser_diceInWordsAsInThePicture(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1280, 800, "light")
	b.navigate("/play?m=" + matchAtFirstPlay(t, server.URL))
	b.until(`document.querySelector(".bg-can")`)
	const dice = `[...document.querySelectorAll(".bg-die")].sort((a, b) => a.getBoundingClientRect().x - b.getBoundingClientRect().x).map((d) => d.querySelectorAll("circle").length).join("-")`
	for range 2 {
		var picture, words, label string
		b.eval(dice, &picture)
		b.eval(`document.querySelector("#status").textContent`, &words)
		b.eval(`document.querySelector("#board .bg").getAttribute("aria-label")`, &label)
		if !strings.Contains(strings.ReplaceAll(words, "\u2011", "-"), picture) {
			t.Errorf("the picture shows %s, the words %q", picture, words)
		}
		if !strings.Contains(label, strings.ReplaceAll(picture, "-", ", ")) {
			t.Errorf("the picture shows %s, its label %q", picture, label)
		}
		x, y := b.middle(`document.querySelector(".bg-die")`)
		b.run(chromedp.MouseClickXY(x, y))
	}
	var crossed bool
	b.eval(`(() => {
	  const die = [...document.querySelectorAll(".bg-die .bg-face")].map((d) => d.getBoundingClientRect());
	  for (const c of document.querySelectorAll(".bg-can")) {
	    const at = c.getBoundingClientRect(), p = { bubbles: true, pointerId: 1, clientX: at.x + at.width / 2, clientY: at.y + at.height / 2, button: 0 };
	    c.dispatchEvent(new PointerEvent("pointerdown", p));
	    for (const t of document.querySelectorAll(".bg-target")) {
	      const r = t.getBoundingClientRect();
	      if (die.some((d) => r.left < d.right && d.left < r.right && r.top < d.bottom && d.top < r.bottom)) return true;
	    }
	    document.querySelector("#board .bg").dispatchEvent(new PointerEvent("pointercancel", p));
	  }
	  return false;
	})()`, &crossed)
	if crossed {
		t.Error("a place where a checker may go covers a die")
	}
	b.clean()
}

// gammoned is a position in which a single game is too little to resign.
const gammoned = "XGID=-------------O----------b-:0:0:1:00:0:0:0:5:10"

// screens are the sizes at which the pages are looked at: a phone, on its side too, a small
// notebook and a large screen.
var screens = [][2]int64{{390, 844}, {844, 390}, {1280, 650}, {1920, 1080}}

// A resignation that is not accepted is told, and the game goes on. The IDs of the position wait
// behind a button.
func TestBrowser_refusedResignationIsTold(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 390, 844, "light")
	for _, size := range screens {
		b.resize(size)
		game := (&asker{t: t, base: server.URL}).post("/games", map[string]any{"position": gammoned, "preset": "expert"})
		b.navigate("/play?m=" + game["id"].(string))
		b.until(buttonOf("q"))
		if b.holds(`document.querySelector("#ids").checkVisibility()`) {
			t.Errorf("%v: IDs are shown to a player", size)
		}
		b.eval(`document.querySelector("#ids-box summary").click()`, nil)
		b.until(`document.querySelector("#ids").checkVisibility() && document.querySelector("#ids").textContent.includes("XGID=")`)
		b.run(chromedp.KeyEvent("q"))
		b.push(`#ask [value="1"]`)
		b.until(`document.querySelector("#toast").textContent.includes("does not accept your resignation")`)
		b.shoot(fmt.Sprintf("refused-%d", size[0]))
		if !b.holds(`(() => {
			const box = (el) => el.getBoundingClientRect(), r = box(document.querySelector("#toast"));
			const over = (q) => q.left < r.right && r.left < q.right && q.top < r.bottom && r.top < q.bottom;
			return r.top >= 0 && r.bottom <= innerHeight && r.left >= 0 && r.right <= innerWidth && ![...document.querySelectorAll("#actions button")].some((el) => over(box(el)));
		})()`) {
			t.Errorf("%v: the refusal is out of sight, or lies over the buttons", size)
		}
		b.until(buttonOf("r"))
		b.clean()
	}
}

// hidden lists of these elements those that a player cannot see without scrolling, the page or a box.
const hidden = `((...selectors) => selectors.filter((selector) => {
  const el = document.querySelector(selector);
  if (!el) return true;
  const r = el.getBoundingClientRect(), at = (x, y) => { const over = document.elementFromPoint(x, y); return over && (el.contains(over) || over.contains(el)); };
  return r.top < 0 || r.bottom > innerHeight + 0.5 || !at(r.left + r.width / 2, r.top + 2) || !at(r.left + r.width / 2, r.bottom - 2);
}))`

// A hint draws the best play on the board and has the chances of both under headings; the tutor
// also marks the play that was made, with the loss that it warned of. All is seen with the board,
// without scrolling.
func TestBrowser_hintShowsTheBestOnTheBoard(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 390, 844, "light")
	for _, size := range screens {
		b.resize(size)
		b.navigate("/play?m=" + matchAtFirstPlay(t, server.URL))
		b.until(`document.querySelector(".bg-can")`)
		b.eval(`document.querySelector("#opt-tutor-play").checked = true; document.querySelector("#opt-bound").value = "0.04"`, nil)
		seen := func(when string, selectors ...string) {
			t.Helper()
			var out []string
			b.eval(hidden+`("#board svg", "#advice .verdict", "#advice .odds", "`+strings.Join(selectors, `", "`)+`")`, &out)
			for _, what := range out {
				t.Errorf("%v, %s: %s is out of sight", size, when, what)
			}
			b.eval(cutOff, &out)
			for _, what := range out {
				t.Errorf("%v, %s: %s", size, when, what)
			}
		}
		b.run(chromedp.KeyEvent("h"))
		b.until(`document.querySelector("#board .bg-best .bg-arrow")`)
		var heads string
		b.eval(`document.querySelector("#advice .odds").innerText.replace(/\s+/g, " ")`, &heads)
		if !strings.Contains(heads, "Win Gammon Backgammon anna ") || !strings.Contains(heads, "% casual ") {
			t.Errorf("%v: the chances are %q", size, heads)
		}
		seen("hint", "#advice .plays tbody tr:nth-child(3)")
		b.shoot(fmt.Sprintf("hint-%d", size[0]))
		b.push(`#advice .verdict button`)
		b.until(`!document.querySelector("#board .bg-best")`)

		playWorst(t, b)
		b.run(chromedp.KeyEvent(kb.Enter))
		b.until(buttonOf("g"))
		b.run(chromedp.KeyEvent("h"))
		b.until(`document.querySelector("#board .bg-best .bg-arrow") && document.querySelector("#board .bg-own .bg-arrow")`)
		seen("tutor", "#advice .plays .own", "#status", "#actions button")
		b.shoot(fmt.Sprintf("best-%d", size[0]))
		var warned, listed string
		b.eval(`document.querySelector("#status").textContent.match(/loses ([\d.]+)/)[1]`, &warned)
		b.eval(`document.querySelector("#advice .own td:last-child small").textContent`, &listed)
		if listed != "−"+warned {
			t.Errorf("%v: the tutor warns of %s, its list says %s", size, warned, listed)
		}
		b.run(chromedp.KeyEvent("g"))
		b.until(`document.querySelectorAll("#log li").length > 1`)
		b.clean()
	}
}
