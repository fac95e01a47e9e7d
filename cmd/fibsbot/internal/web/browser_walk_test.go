package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"fibsbot/bot/archive/index"
	"fibsbot/cmd/fibsbot/internal/collection"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/quiz"
	"fibsbot/cmd/fibsbot/internal/web/internal/api"
	"fibsbot/internal/chromium"
)

// season are two matches of ann with errors of several themes.
var season = []string{` 3 point match

 Game 1
 bob : 0                        ann : 0
  1) 16: 13/7 7/6                46: 8/2 24/20
  2) 41: 24/20 6/5*              46: 25/21 24/18
  3)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 bob : 1                        ann : 0
  1) 13: 24/21 24/23             62: 13/7 7/5
  2) 31: 23/20* 21/20            12: 25/24 8/6
  3) 44: 8/4 8/4 6/2 6/2         53: 6/1 13/10
  4) 44: 13/9 13/9 9/5 9/5       36: 10/4 6/3
  5) 23: 8/5 20/18               25: 24/22 22/17
  6) 14: 18/14 4/3               53: 6/1 17/14
`, ` 3 point match

 Game 1
 carl : 0                       ann : 0
  1)                             64: 24/18 24/20
  2) 25: 8/3 3/1                 42: 20/16 18/16
  3) 53: 24/21 21/16             24: 13/9* 8/6
  4) 25: 25/23 8/3                Doubles => 2
  5)  Takes                      35: 13/8 6/3
  6) 33: 13/10 13/10 6/3 6/3     31: 6/3 9/8
  7) 25: 10/5 10/8               11: 8/7 8/7 6/5 6/5
  8) 65: 13/7 8/3                51: 7/2* 2/1*
  9) 63:                         53: 6/1 16/13
 10) 66: 25/19* 25/19 19/13 7/1  64: 25/21 13/7
 11) 42: 8/4* 6/4                35: 25/20* 20/17
 12) 55:                         12: 8/6* 7/6
 13) 26: 25/23                   25: 7/2* 13/11
`}

// emptySite has an archive without a match, which analyses new matches in the background.
func emptySite(t *testing.T, now ...func() time.Time) *Site {
	t.Helper()
	e, err := testEngine()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	db, err := index.Open(context.Background(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	clock := append(now, nil)[0]
	deck, err := quiz.Open(db, filepath.Join(dir, "quiz.json"), clock)
	if err != nil {
		t.Fatal(err)
	}
	deck.Collections = collection.Open(filepath.Join(dir, "collections.json"))
	s, err := New(Options{Version: "0.1.0", API: api.Options{Engine: e, Archive: db, Analyse: true, Quiz: deck, Matches: play.NewStore(filepath.Join(dir, "play"), db)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(); db.Close() })
	return s
}

// A tournament player drops match files, says who he is, reads the review, practises the worst
// themes and takes the cards along.
func TestBrowser_walkOfAPlayer(t *testing.T) {
	browser := chromium.Shared(t)
	server := httptest.NewServer(emptySite(t))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	dir := filepath.Join(t.TempDir(), "season")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for i, text := range season {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("round%d.mat", i+1)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b := open(t, browser, server, 1280, 900, "light")
	study(b, dir, len(season), func(name string) {
		b.shoot("walk-" + name)
		if name == "themes" || name == "question" { // other tests judge the other stops
			b.judged("walk, " + name)
		}
	})
	b.clean()
}

// study does what docs/walk.md says with a folder of n match files of one player, and calls
// shot at each stop.
func study(b *tab, dir string, n int, shot func(name string)) {
	b.t.Helper()
	press := func(selector string) {
		b.t.Helper()
		b.until(fmt.Sprintf(`document.querySelector(%q)?.checkVisibility()`, selector))
		b.run(chromedp.Click(selector, chromedp.ByQuery))
	}
	b.navigate("/matches")
	b.until(`document.querySelector("#list .empty")`)
	b.dropped(dir)
	b.until(fmt.Sprintf(`document.querySelector("#importing").textContent.startsWith("%d files: %d new matches") && document.querySelectorAll("#list td.pick").length === %d`, n, n, n))
	shot("import")
	press("#mine button")
	b.until(`document.querySelector("#mine").hidden && document.querySelector("#who").textContent !== "not set"`)
	// The analysis runs in the background.
	b.until(`!document.querySelector("#all").hidden && [...document.querySelectorAll("#list tbody tr")].every((r) => /\d/.test(r.cells[7].textContent))`)
	shot("analysed")
	press("#list td.name a")
	b.until(inReview + `?.querySelector("#card svg") && !document.querySelector("#practise").hidden`)
	shot("review")
	b.run(chromedp.KeyEvent("e"))
	b.eval(`document.querySelector('nav a[href="/statistics"]').click()`, nil)
	b.until(`document.querySelectorAll("#theme-links a").length === 4`)
	shot("themes")
	press("#theme-links a")
	b.until(`location.pathname === "/quiz" && document.querySelector("#quiz svg") && document.querySelector("#actions [data-key=s]")`)
	shot("question")
	b.answer()
	shot("answer")
	b.run(chromedp.KeyEvent("n"))
	press("#choose summary")
	b.until(`document.querySelector("#apkg").checkVisibility()`)
	shot("cards")
	var cards string
	b.eval(`document.querySelector("#apkg").href`, &cards)
	r, err := http.Get(cards)
	if err != nil {
		b.t.Fatal(err)
	}
	defer r.Body.Close()
	head := make([]byte, 2)
	if _, err := io.ReadFull(r.Body, head); err != nil || string(head) != "PK" || !strings.Contains(r.Header.Get("Content-Disposition"), "worst-themes.apkg") {
		b.t.Errorf("%s: %q %v %v", cards, head, r.Header, err)
	}
}

// answer answers a question of the quiz: by the first checkers that may move, or the first cube action.
func (b *tab) answer() {
	b.t.Helper()
	b.eval(`(() => { const done = document.querySelector('#actions [data-key=Enter]');
		if (!done) return document.querySelector("#actions button").click();
		for (let i = 0; i < 4 && document.querySelector('#actions [data-key=Enter]').disabled; i++) {
			const at = document.querySelector(".bg-can"); if (!at) break;
			const box = at.getBoundingClientRect(), point = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true, pointerId: 1, button: 0 };
			at.dispatchEvent(new PointerEvent("pointerdown", point)); document.querySelector("#quiz svg").dispatchEvent(new PointerEvent("pointerup", point));
		}
		document.querySelector('#actions [data-key=Enter]').click(); })()`, nil)
	b.until(`!document.querySelector("#verdict").hidden`)
}
