package web

import (
	"fibsbot/internal/chromium"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The review and the table use one word for one thing, and the legend explains every mark.
func TestBrowser_wordsAndMarks(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1280, 900, "dark")
	openReview(t, b, "/matches/"+importAnalysed(t, server.URL))
	var tabs, heads, unexplained []string
	b.eval(`[...`+inReview+`.querySelectorAll("#tabs a")].map((e) => e.textContent.trim())`, &tabs)
	if got := strings.Join(tabs, ", "); got != "Games, Errors, Statistics, Luck" {
		t.Errorf("the lists are %s", got)
	}
	// The user comes first in the title, in the heads and below the board.
	b.eval(`(() => { const R = `+inReview+`; return [document.querySelector("#title").textContent.split(" against ").join(), [...R.querySelectorAll(".card h2")].slice(0, 2).map((e) => e.childNodes[1].textContent.trim()).join()]; })()`, &heads)
	if len(heads) != 2 || heads[0] != "Bob,Alice" || heads[1] != heads[0] {
		t.Errorf("title and heads name %q", heads)
	}
	b.eval(`(() => {
	  const R = `+inReview+`, used = new Set();
	  for (const list of ["sheet", "errors", "rolls"]) for (const m of R.querySelector("#" + list).textContent.matchAll(/[◇◆▲▼△▽●○★]|\?\?|\?!|(?<![?!])\?(?![?!])/g)) used.add(m[0]);
	  const legend = R.querySelector(".marks").textContent;
	  return [...used].filter((m) => !legend.includes(m)).concat(used.size < 4 ? ["only " + [...used]] : []);
	})()`, &unexplained)
	for _, mark := range unexplained {
		t.Errorf("the legend lacks %s", mark)
	}
	if b.holds(inReview + `.querySelector(".main").textContent.match(/\b(drop|drops|dropped)\b/i)`) {
		t.Error("the review says drop")
	}
	// Chips of the players are seen on dark ground.
	var faint []string
	b.eval(`(() => {
	  const light = (c) => { const [r, g, b] = c.match(/[\d.]+/g).slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	  const ratio = (x, y) => { const [a, b] = [light(x), light(y)].sort((p, q) => q - p); return (a + 0.05) / (b + 0.05); };
	  const out = [];
	  for (const i of `+inReview+`.querySelectorAll(".card h2 i")) {
	    const css = getComputedStyle(i), ground = getComputedStyle(i.closest(".card")).backgroundColor;
	    const best = Math.max(ratio(css.backgroundColor, ground), ratio(css.borderTopColor, ground));
	    if (best < 3) out.push(best.toFixed(2));
	  }
	  return out;
	})()`, &faint)
	for _, r := range faint {
		t.Errorf("a chip has a contrast of %s:1", r)
	}

	site := &asker{t: t, base: server.URL}
	g := site.post("/games", map[string]any{"length": 5, "two_players": true, "by_hand": true, "name": "anna", "opponent_name": "bob"})
	id := g["id"].(string)
	for _, act := range []map[string]any{{"kind": "roll", "dice": []int{3, 1}}, {"kind": "move", "play": "8/5 6/5"}, {"kind": "double"}} {
		act["version"] = g["version"]
		g = site.post("/games/"+id+"/acts", act)
	}
	b.navigate("/play?m=" + id)
	b.until(`document.querySelector("#status").textContent.includes("take or pass") && [...document.querySelectorAll("#actions button")].some((e) => e.textContent === "Pass")`)
	b.judged("a double")
	b.run(chromedp.KeyEvent("p"))
	b.until(`document.querySelector("#status").textContent.includes("(double passed)") && document.querySelector("#log").textContent.includes("passes")`)
	b.judged("a pass")
	b.clean()
}
