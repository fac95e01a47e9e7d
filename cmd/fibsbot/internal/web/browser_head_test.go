package web

import (
	"fmt"
	"testing"

	"fibsbot/internal/chromium"
)

// A review begins with what happened, before what can be done with it; on a phone its worst decisions come
// before that, too. The line about the judge is not squeezed beside the downloads on one held sideways.
func TestBrowser_reviewHead(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	id := importOn(t, server.URL, "Anna", "2026-11-01")
	for _, size := range [][2]int64{{390, 844}, {844, 390}, {1280, 900}} {
		b := open(t, browser, server, size[0], size[1], "light")
		b.navigate("/matches/" + id)
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
			t.Errorf("%d: the result stands at %.0f, the worst decisions at %.0f, the tools at %.0f; the judge has %.0f pixels", size[0], cards, worst, tools, wide)
		}
		if b.holds(`document.documentElement.scrollWidth > innerWidth`) {
			t.Errorf("%d: too wide", size[0])
		}
		b.judged("review")
		b.clean()
	}
}
