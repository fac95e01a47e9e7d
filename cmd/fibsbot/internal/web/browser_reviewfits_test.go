package web

import (
	"fmt"
	"testing"

	"fibsbot/internal/chromium"
)

// The review fits every window: it begins with what happened, is part of the page, and keeps its
// steps in sight.
func TestBrowser_reviewFits(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	id := importOn(t, server.URL, "Anna", "2026-11-01")
	b := open(t, browser, server, 390, 844, "light")
	for _, size := range screens {
		b.resize(size)
		openReview(t, b, "/matches/"+id)
		b.reviewBegins(size)
		b.reviewIsPartOfThePage(size)
		b.reviewStepsStay(size)
		b.clean()
	}
}

// reviewBegins checks that a review begins with what happened, before what can be done with it; on a
// phone its worst decisions come before that, too. The line about the judge is not squeezed beside
// the downloads on one held sideways.
func (b *tab) reviewBegins(size [2]int64) {
	b.t.Helper()
	b.until(`document.querySelectorAll("#practise .button").length > 2 && document.querySelector("#report").shadowRoot.querySelector("#worst")`)
	b.eval(`document.querySelector("#progress").textContent = "Analysed by fibsbot 1.0, world class, mostly 2-ply, luck 1-ply, nets fibsbot-20, match equities Kazaross XG2 25 point MET, 2026-11-30."`, nil)
	b.shoot(fmt.Sprintf("review-head-%d", size[0]))
	part := func(name string) (top float64) {
		b.eval(`((d) => d.querySelector("`+name+`") ?? d.querySelector("#report").shadowRoot.querySelector("`+name+`"))(document).getBoundingClientRect().top + scrollY`, &top)
		return top
	}
	var wide float64
	b.eval(`document.querySelector("#progress").offsetWidth`, &wide)
	cards, worst, tools := part(".cards"), part("#worst"), part("#match")
	if cards > 200 || cards > tools || size[0] < 1000 && worst > tools || wide < 360 {
		b.t.Errorf("%d: the result stands at %.0f, the worst decisions at %.0f, the tools at %.0f; the judge has %.0f pixels", size[0], cards, worst, tools, wide)
	}
}

// reviewIsPartOfThePage checks that nothing scrolls but the page, and that the board fits the window.
func (b *tab) reviewIsPartOfThePage(size [2]int64) {
	b.t.Helper()
	for _, list := range []string{"sheet", "errors", "stats", "rolls"} {
		b.eval(inReview+`.querySelector('#tabs a[href="#`+list+`"]').click()`, nil)
		var boxes []string
		b.eval(`(() => {
		  const out = [], all = (root) => [...root.querySelectorAll("*")].flatMap((e) => e.shadowRoot ? [e, ...all(e.shadowRoot)] : [e]);
		  for (const e of all(document.querySelector("main"))) {
		    const y = getComputedStyle(e).overflowY;
		    if (e.tagName === "IFRAME" || (y === "auto" || y === "scroll") && e.scrollHeight > e.clientHeight + 1 && e.tagName !== "TEXTAREA") out.push(e.tagName + "." + e.className + "#" + e.id + " " + e.clientHeight + " of " + e.scrollHeight);
		  }
		  if (document.documentElement.scrollWidth > innerWidth) out.push("wider than the window");
		  const board = `+inReview+`.querySelector(".bgb").getBoundingClientRect();
		  if (board.left < 0 || board.right > innerWidth || board.height > innerHeight || board.width < Math.min(270, innerWidth - 60)) out.push("board from " + board.left + " to " + board.right);
		  return out;
		})()`, &boxes)
		for _, what := range boxes {
			b.t.Errorf("%dx%d, %s: %s", size[0], size[1], list, what)
		}
		if size == screens[0] && list == "sheet" || size == screens[2] && list == "rolls" {
			b.judged("review, " + list)
		}
	}
	b.shoot(fmt.Sprintf("review-%dx%d", size[0], size[1]))
}

// reviewStepsStay checks that the row of steps stays in sight below the header while the reader
// scrolls the decision.
func (b *tab) reviewStepsStay(size [2]int64) {
	b.t.Helper()
	if size[0] >= 1024 { // past the opening the board is whole beside the list, also at a late play in a low window
		b.eval(inReview+`.querySelector('#tabs a[href="#sheet"]').click()`, nil)
		whole := `((tree) => { const r = tree.querySelector("#card svg").getBoundingClientRect(); return r.top >= tree.querySelector(".bar").getBoundingClientRect().bottom - 1 && r.bottom <= innerHeight; })(` + inReview + `)`
		b.eval(`for (let i = 0; i < 40; i++) `+inReview+`.getElementById("nx").click()`, nil)
		b.until(whole)
		b.eval(`scrollTo(0, 1e6), [...`+inReview+`.querySelectorAll(".sheet a[href^='#d']")].at(-1).click()`, nil)
		b.until(whole)
	}
	for _, down := range []int{0, 60, 240} {
		var wrong string
		b.eval(fmt.Sprintf(`(() => {
		  const tree = %s;
		  tree.querySelector("#view").scrollIntoView();
		  scrollBy(0, %d);
		  return ["pv", "nx", "ne"].filter((name) => {
		    const box = tree.getElementById(name).getBoundingClientRect();
		    return tree.elementFromPoint(box.x + box.width / 2, box.y + 3)?.closest("button")?.id !== name;
		  }).join();
		})()`, inReview, down), &wrong)
		if wrong != "" {
			b.t.Errorf("%dx%d, %d px below the top of the decision: %s covered", size[0], size[1], down, wrong)
		}
	}
	b.shoot(fmt.Sprintf("review-steps-%dx%d", size[0], size[1]))
}
