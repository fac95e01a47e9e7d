package web

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"fibsbot/internal/chromium"
	"fibsbot/internal/texts"
)

// The rooms and the review fit a phone and a desk in German, whose words are long. With
// FIBSBOT_SHOTS, which keeps pictures, in the other languages too.
func TestBrowser_languagesFit(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	id := importAnalysed(t, server.URL)
	game := matchAtFirstPlay(t, server.URL)
	languages := []string{"de"}
	if os.Getenv("FIBSBOT_SHOTS") != "" {
		languages = texts.Languages()[1:]
	}
	for _, lang := range languages {
		b := open(t, browser, server, 390, 844, "light")
		b.run(network.SetExtraHTTPHeaders(network.Headers{"Accept-Language": lang}))
		for _, size := range [][2]int64{{390, 844}, {1280, 900}} {
			b.resize(size)
			look := func(name string) {
				t.Helper()
				var bad []string
				b.eval(cutOff, &bad)
				for _, what := range bad {
					t.Errorf("%s-%s-%d: %s", lang, name, size[0], what)
				}
				if b.holds(`document.documentElement.scrollWidth > innerWidth`) {
					t.Errorf("%s-%s-%d is wider than its window", lang, name, size[0])
				}
				b.shoot(fmt.Sprintf("%s-%s-%d", lang, name, size[0]))
			}
			for _, r := range rooms {
				b.navigate(r.Path)
				b.until(ready[r.Path])
				look(strings.TrimPrefix(r.Path, "/"))
				if b.holds(`[...document.querySelectorAll("option")].some((o) => /^(casual|worldclass|grandmaster|legend)$/.test(o.textContent))`) {
					t.Errorf("%s: a choice of presets in %s has English names", r.Path, lang)
				}
			}
			b.navigate("/play?m=" + game)
			b.until(`document.querySelector(".bg-can")`)
			if lang == "de" && !b.holds(`[...document.querySelectorAll(".seat .who")].some((e) => e.textContent === "Gelegenheitsspieler")`) {
				t.Error("the seats do not name the opponent in German")
			}
			b.run(chromedp.KeyEvent("h"))
			b.until(`document.querySelector("#advice .plays tbody tr")`)
			look("table")
			openReview(t, b, "/matches/"+id)
			for _, list := range []string{"sheet", "errors", "stats", "rolls"} {
				b.eval(inReview+`.querySelector('#tabs a[href="#`+list+`"]').click()`, nil)
				look("review-" + list)
			}
			b.clean()
		}
	}
}
