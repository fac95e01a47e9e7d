package web

import (
	"testing"

	"fibsbot/internal/chromium"
)

// The head of a review is short on a phone, and its line about the judge is not squeezed beside the
// downloads on one held sideways.
func TestBrowser_reviewHead(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	id := importOn(t, server.URL, "Anna", "2026-11-01")
	for _, size := range [][2]int64{{390, 844}, {844, 390}} {
		b := open(t, browser, server, size[0], size[1], "light")
		b.navigate("/matches/" + id)
		b.until(`document.querySelectorAll("#practise .button").length > 2 && !document.querySelector("#practise").hidden`)
		b.eval(`document.querySelector("#progress").textContent = "Analysed by fibsbot 1.0, world class, mostly 2-ply, luck 1-ply, nets fibsbot-20, match equities Kazaross XG2 25 point MET, 2026-11-30."`, nil)
		b.shoot(map[bool]string{true: "review-head-390", false: "review-head-844"}[size[0] == 390])
		var top, wide float64
		b.eval(`document.querySelector("#report").getBoundingClientRect().top + scrollY`, &top)
		b.eval(`document.querySelector("#progress").offsetWidth`, &wide)
		if size[0] == 390 && top > 480 || wide < 360 {
			t.Errorf("%d: the review begins at %.0f, the judge has %.0f pixels", size[0], top, wide)
		}
		if b.holds(`document.documentElement.scrollWidth > innerWidth`) {
			t.Errorf("%d: too wide", size[0])
		}
		b.judged("review")
		b.clean()
	}
}
