package browser

import (
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"fibsbot/internal/chromium"
)

// A reader chooses a language: pages, review and loading are in it, also after a reload, and no other
// language is loaded.
func TestSite_languages(t *testing.T) {
	s := host(t)
	var mu sync.Mutex
	var loaded []string
	files := s.Config.Handler
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name := path.Base(r.URL.Path); strings.HasSuffix(name, ".json") {
			mu.Lock()
			loaded = append(loaded, name)
			mu.Unlock()
		}
		files.ServeHTTP(w, r)
	})
	b := open(t, chromium.Shared(t), s, "/play")
	b.enter("/matches")
	b.until(`one("#list tbody .empty")`)
	b.choose("#file", "match.xg", sample(t))
	b.press(`#imported a`)
	b.reviewed()
	b.idle()
	b.until(`d.documentElement.lang === "en" && one("#language").options.length === 6 && one("#language").closest("label").checkVisibility()`)
	js[bool](b, inRoom(`((el) => { el.value = "de"; return el.dispatchEvent(new w.Event("change", { bubbles: true })); })(one("#language"))`))
	b.until(`d.documentElement.lang === "de" && one("nav a").textContent === "Spielen" && one("#language").value === "de" && d.title.includes(" · fibsbot")`)
	b.enter("/matches")
	b.until(`one("h1").textContent === "Matches" && one("#filter [name=text]").placeholder === "Spieler, Turnier oder Schlagwort"`)
	b.press(`#list tbody a[href^="/matches/"]`)
	b.reviewed()
	b.until(`one("#report").shadowRoot.querySelector("#tabs").textContent.includes("Fehler")`)
	b.run(chromedp.Reload())
	b.ready()
	b.until(`one("nav a").textContent === "Spielen"`)
	b.wait(`document.documentElement.lang === "de" && document.getElementById("rescue").textContent === "Alles exportieren"`)
	mu.Lock()
	defer mu.Unlock()
	if len(loaded) == 0 || slices.ContainsFunc(loaded, func(name string) bool { return name != "de.json" && name != "manifest.json" }) {
		t.Errorf("loaded %q", loaded)
	}
	b.clean()
}
