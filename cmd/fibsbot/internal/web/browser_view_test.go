package web

import (
	"fibsbot/internal/chromium"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// corner is the place of a point's area in the picture, in parts of the board.
func corner(b *tab, board, point string) (x, y float64) {
	b.t.Helper()
	var at [2]float64
	b.eval(fmt.Sprintf(`(() => { const svg = document.querySelector("%s .bg").getBoundingClientRect(), r = document.querySelector('%s .bg-hit[data-point="%s"]').getBoundingClientRect();
	  return [(r.x + r.width / 2 - svg.x) / svg.width, (r.y + r.height / 2 - svg.y) / svg.height]; })()`, board, board, point), &at)
	return at[0], at[1]
}

// Turned and mirrored boards are so on every page and after a reload, and are played by
// mouse and keys as they are seen.
func TestBrowser_boardsAreSeenAsChosen(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1280, 800, "light")
	game := matchAtFirstPlay(t, server.URL)
	table := func() {
		b.navigate("/play?m=" + game)
		b.until(`document.querySelector(".bg-can")`)
	}
	quarter := func(board string) string {
		x, y := corner(b, board, "1")
		return map[bool]string{true: "left", false: "right"}[x < 0.5] + map[bool]string{true: " top", false: " bottom"}[y < 0.5]
	}
	table()
	if at := quarter("#board"); at != "right bottom" {
		t.Errorf("my ace point is at the %s", at)
	}
	b.run(chromedp.Click("#view", chromedp.ByQuery), chromedp.Click(`#viewbox [data-view="mirrored"]`, chromedp.ByQuery))
	if at := quarter("#board"); at != "left bottom" {
		t.Errorf("mirrored: my ace point is at the %s", at)
	}
	b.run(chromedp.Click(`#viewbox [data-view="turned"]`, chromedp.ByQuery))
	if at := quarter("#board"); at != "left top" {
		t.Errorf("mirrored and turned: my ace point is at the %s", at)
	}
	var name string
	b.eval(`document.querySelector("#seat1 .who").textContent`, &name)
	if name == "anna" {
		t.Error("turned: my name is below the board, my home above it")
	}
	b.shoot("view-turned")
	b.run(chromedp.KeyEvent(kb.Escape))

	table()
	if at := quarter("#board"); at != "left top" {
		t.Errorf("after a reload my ace point is at the %s", at)
	}
	// By the keys: up is where one looks up to.
	b.eval(`document.querySelector('.bg-hit[tabindex="0"]').focus()`, nil)
	for _, key := range []string{kb.ArrowUp, kb.ArrowLeft, kb.ArrowRight, kb.ArrowDown} {
		var before, after [2]float64
		const at = `(() => { const r = document.activeElement.getBoundingClientRect(); return [r.x, r.y]; })()`
		b.eval(at, &before)
		b.run(chromedp.KeyEvent(key))
		b.eval(at, &after)
		dx, dy := after[0]-before[0], after[1]-before[1]
		if key == kb.ArrowLeft && dx > 0 || key == kb.ArrowRight && dx < 0 || key == kb.ArrowUp && dy > 0 || key == kb.ArrowDown && dy < 0 {
			t.Errorf("%q moved the focus by %.0f, %.0f", key, dx, dy)
		}
	}
	for n := 0; n < 4 && !b.holds(buttonOf("Enter")); n++ {
		var s state
		b.eval(look, &s)
		if len(s.Can) == 0 {
			break
		}
		if err := (&mouse{drags: n}).step(b, s.Can[0]); err != nil {
			t.Fatal(err)
		}
	}
	b.until(buttonOf("Enter"))
	b.shoot("view-played")

	b.navigate("/positions")
	b.until(ready["/positions"])
	if at := quarter("#board"); at != "left top" {
		t.Errorf("in Positions my ace point is at the %s", at)
	}
	b.clean()
}

// My colour, the colours of the board and the numbers are as chosen, in light and dark.
func TestBrowser_coloursAndNumbersAreChosen(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	game := matchAtFirstPlay(t, server.URL)
	for _, theme := range []string{"light", "dark"} {
		b := open(t, browser, server, 1280, 800, theme)
		b.navigate("/play?m=" + game)
		b.until(`document.querySelector(".bg-can")`)
		// brightness of the middle of an element's fill colour.
		bright := func(selector, property string) float64 {
			var v float64
			b.eval(fmt.Sprintf(`(() => { const c = getComputedStyle(document.querySelector(%q))[%q].match(/\d+/g).map(Number); return (c[0] + c[1] + c[2]) / 765; })()`, selector, property), &v)
			return v
		}
		if bright("#board .bg-die.bg-me .bg-face", "fill") < 0.7 || bright(".seat .chip.me", "backgroundColor") < 0.7 {
			t.Errorf("%s: my checkers are not light", theme)
		}
		b.run(chromedp.Click("#view", chromedp.ByQuery))
		b.eval(`(() => { for (const [key, value] of [["mine", "dark"], ["numbers", "none"]]) { const s = document.querySelector('#viewbox select[data-view="' + key + '"]'); s.value = value; s.dispatchEvent(new Event("change")); } })()`, nil)
		if bright("#board .bg-die.bg-me .bg-face", "fill") > 0.4 || bright(".seat .chip.me", "backgroundColor") > 0.4 || bright(".seat .chip.opp", "backgroundColor") < 0.7 {
			t.Errorf("%s: my checkers are not dark", theme)
		}
		var numbers string
		b.eval(`[...document.querySelectorAll("#board .bg-number")].map((n) => n.textContent).join("")`, &numbers)
		if numbers != "" {
			t.Errorf("numbers %q", numbers)
		}
		felts := map[float64]bool{}
		for _, colours := range []string{"felt", "wood", "blue", "grey", "contrast"} {
			b.eval(fmt.Sprintf(`(() => { const s = document.querySelector('#viewbox select[data-view="colours"]'); s.value = %q; s.dispatchEvent(new Event("change")); })()`, colours), nil)
			felts[bright("#board .bg-felt", "fill")] = true
			b.shoot("colours-" + colours + "-" + theme)
			b.readable("colours " + colours + ", " + theme)
		}
		if theme == "light" {
			b.axe("the table of most contrast")
		}
		if len(felts) != 5 {
			t.Errorf("%d colours of the felt", len(felts))
		}
		b.eval(`localStorage.clear()`, nil)
		b.clean()
	}
}
