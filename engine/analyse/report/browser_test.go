package report

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
	"fibsbot/internal/chromium"

	"github.com/chromedp/cdproto/emulation"
	cdpage "github.com/chromedp/cdproto/page"
	cdruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestMain(m *testing.M) { os.Exit(chromium.Run(m)) }

// review writes the page of a match and returns its address.
func review(t *testing.T, match string) string {
	t.Helper()
	m, s := analysed(t, match)
	m.Players[0].Name = `<b>Al&ice</b>` // markup in a name stays text
	m.Games[0].Actions[1].Comment = "A <i>comment</i>\nin two lines"
	var b bytes.Buffer
	if err := HTML(&b, m, s, PageOptions{}); err != nil {
		t.Fatal(err)
	}
	return stored(t, b.Bytes())
}

// stored keeps a page in a file and returns its address.
func stored(t *testing.T, page []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, page, 0o644); err != nil {
		t.Fatal(err)
	}
	return "file://" + file
}

// do runs actions in the browser.
func do(t *testing.T, ctx context.Context, actions ...chromedp.Action) {
	t.Helper()
	if err := chromedp.Run(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// inPage returns the value of an expression in the page, as text.
func inPage(t *testing.T, ctx context.Context, expression string) string {
	t.Helper()
	var out any
	do(t, ctx, chromedp.Evaluate(expression, &out))
	return fmt.Sprint(out)
}

// window sets size and colour scheme; a phone has a finger.
func window(width, height int64, dark bool) chromedp.Action {
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	return chromedp.Tasks{
		emulation.SetDeviceMetricsOverride(width, height, 1, width < 600),
		emulation.SetTouchEmulationEnabled(width < 600),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
	}
}

// shot keeps a picture where FIBSBOT_SHOTS names a folder.
func shot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	dir := os.Getenv("FIBSBOT_SHOTS")
	if dir == "" {
		return
	}
	var png []byte
	do(t, ctx, chromedp.CaptureScreenshot(&png))
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		t.Fatal(err)
	}
}

const where = `document.getElementById('where').textContent`

func TestPage_keyboard(t *testing.T) {
	ctx := chromium.Shared(t)
	do(t, ctx, window(1400, 1000, false), chromedp.Navigate(review(t, "match7.sgf")), chromedp.WaitVisible("#card article", chromedp.ByQuery))
	shot(t, ctx, "desk-light")
	if got := inPage(t, ctx, `document.title + document.querySelector('.card h2').textContent`); !strings.Contains(got, "<b>Al&ice</b>") {
		t.Errorf("the name reads %q", got)
	}
	press := func(key string) string {
		do(t, ctx, chromedp.KeyEvent(key))
		return inPage(t, ctx, where)
	}
	n := inPage(t, ctx, `document.getElementById('all').textContent.split('<article id=d').length-1`)
	if got := press(kb.Home); got != "1 of "+n {
		t.Errorf("Home leads to %q", got)
	}
	if got := press(kb.ArrowRight); got != "2 of "+n {
		t.Errorf("the arrow leads to %q", got)
	}
	if got := press(kb.ArrowLeft); got != "1 of "+n {
		t.Errorf("the arrow back leads to %q", got)
	}
	if got := press(kb.End); got != n+" of "+n {
		t.Errorf("End leads to %q", got)
	}
	press(kb.Home)
	seen := map[string]bool{}
	for range 5 {
		if at := press("e"); seen[at] {
			t.Fatalf("the next error after %s is itself", at)
		} else {
			seen[at] = true
		}
		if c := inPage(t, ctx, `document.querySelector('#card article').className`); c != "bad" && c != "very_bad" && c != "doubtful" {
			t.Errorf("the next error is %q", c)
		}
	}
	press("b")
	if c := inPage(t, ctx, `document.querySelector('#card article').className`); c != "very_bad" {
		t.Errorf("the next blunder is %q", c)
	}
	if h := inPage(t, ctx, `location.hash + ' ' + document.querySelectorAll('.sheet a.on').length`); !strings.HasPrefix(h, "#g") || !strings.HasSuffix(h, " 1") {
		t.Errorf("address and place in the sheet: %q", h)
	}
	// The board of each step holds both sides' checkers, and nothing depends on the order.
	if c := inPage(t, ctx, `document.querySelectorAll('#card polyline.bgl, #card polyline.bgd').length`); c != "2" {
		t.Errorf("%s rows of checkers", c)
	}
	do(t, ctx, chromedp.Evaluate(`(c => { const r = c.getBoundingClientRect(); c.dispatchEvent(new MouseEvent("click", {clientX: r.left + r.width/2, clientY: r.top + 5, bubbles: true})) })(document.querySelector(".curve"))`, nil))
	if got := inPage(t, ctx, where); !strings.HasSuffix(got, " of "+n) || got == "1 of "+n {
		t.Errorf("a click on the curve leads to %q", got)
	}
	do(t, ctx, chromedp.Click(`#tabs a[href="#errors"]`, chromedp.ByQuery))
	all := inPage(t, ctx, `document.querySelectorAll('.errors tbody tr:not([hidden])').length`)
	if got := inPage(t, ctx, `document.querySelector('#filter output').textContent`); !strings.HasPrefix(got, all+" of ") {
		t.Errorf("%s errors are shown, the list says %q", all, got)
	}
	do(t, ctx, chromedp.SetValue(`#filter [name=kind]`, "cube", chromedp.ByQuery), chromedp.Evaluate(`document.getElementById('filter').onchange()`, nil))
	cubes := inPage(t, ctx, `[...document.querySelectorAll('.errors tbody tr:not([hidden])')].map(r => r.dataset.kind).join()`)
	if strings.Contains(cubes, "checker") || all == "0" {
		t.Errorf("%s errors, filtered %q", all, cubes)
	}
	do(t, ctx, chromedp.SetValue(`#filter [name=kind]`, "", chromedp.ByQuery), chromedp.Evaluate(`document.getElementById('filter').onchange()`, nil), chromedp.Click(`.errors th[data-by=size]`, chromedp.ByQuery))
	if got := inPage(t, ctx, `(l => l.length > 3 && l.every((v, i) => !i || l[i-1] >= v))([...document.querySelectorAll('.errors tbody tr:not([hidden])')].map(r => +r.dataset.size))`); got != "true" {
		t.Error("the list is not sorted by size")
	}
	shot(t, ctx, "desk-errors")
	do(t, ctx, chromedp.Click(`#tabs a[href="#stats"]`, chromedp.ByQuery))
	shot(t, ctx, "desk-stats")
	do(t, ctx, chromedp.Click(`#tabs a[href="#rolls"]`, chromedp.ByQuery))
	shot(t, ctx, "desk-rolls")
	do(t, ctx, window(1400, 1000, true))
	if bg := inPage(t, ctx, `getComputedStyle(document.body).backgroundColor`); bg != "rgb(25, 24, 22)" {
		t.Errorf("the page in the dark is %s", bg)
	}
	shot(t, ctx, "desk-dark")
}

// Each button of a card copies what is behind it: what a reader pastes into eXtreme Gammon
// or GNU Backgammon. A page from a file has no clipboard of its own in some browsers, so
// the older way is driven, too.
func TestPage_copies(t *testing.T) {
	ctx := chromium.Shared(t)
	do(t, ctx, window(1400, 1000, false), chromedp.Navigate(review(t, "match7.sgf")), chromedp.WaitVisible("#card .cp", chromedp.ByQuery))
	for _, old := range []bool{false, true} {
		// What the page hands to either way is caught: a browser without a screen has
		// no clipboard that could be relied on.
		do(t, ctx, chromedp.Evaluate(fmt.Sprintf(`(old => {
			window.got = [];
			Object.defineProperty(navigator, 'clipboard', {configurable: true, value: old ? undefined : {writeText: async v => { got.push(v) }}});
			document.execCommand = what => { got.push(what + ' ' + document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)); return true };
		})(%v)`, old), nil))
		do(t, ctx, chromedp.Evaluate(`document.querySelectorAll('#card .cp').forEach(b => b.click())`, nil))
		want := inPage(t, ctx, `[...document.querySelectorAll('#card .cp')].map(b => b.title).join()`)
		got := inPage(t, ctx, `got.join()`)
		if old {
			got = strings.ReplaceAll(got, "copy ", "")
		}
		if got != want || !strings.Contains(want, "XGID=") || !strings.Contains(want, "OGID=") && strings.Count(want, ",") != 2 {
			t.Errorf("old way %v: copied %q, want %q", old, got, want)
		}
	}
	if n := inPage(t, ctx, `document.querySelectorAll('#card .cp.ok').length`); n != "3" {
		t.Errorf("%s buttons say that they have copied", n)
	}
}

func TestPage_phone(t *testing.T) {
	ctx := chromium.Shared(t)
	do(t, ctx, window(390, 844, false), chromedp.Navigate(review(t, "match7.sgf")), chromedp.WaitVisible("#card article", chromedp.ByQuery))
	shot(t, ctx, "phone-top")
	fits := func(what string) {
		t.Helper()
		if w := inPage(t, ctx, `document.documentElement.scrollWidth`); w != "390" {
			t.Errorf("%s: the page is %s wide", what, w)
		}
	}
	fits("first step")
	do(t, ctx, chromedp.Evaluate(`document.getElementById('view').scrollIntoView()`, nil))
	shot(t, ctx, "phone-view")
	for range 12 {
		do(t, ctx, chromedp.KeyEvent("e"))
		fits(inPage(t, ctx, where))
	}
	// Nor does anything reach out of the card, whatever the decision: cube tables of a match
	// have the most columns.
	if out := inPage(t, ctx, `(() => { const card = document.getElementById('card'), out = [];
		dispatchEvent(new KeyboardEvent('keydown')); document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Home'}));
		for (let last = ''; last !== document.getElementById('where').textContent; document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}))) {
			last = document.getElementById('where').textContent;
			if (!card.querySelector('.cube') && !/^(1|\d{3}) /.test(last)) continue; // the widest: to lay out each takes long
			const right = card.getBoundingClientRect().right;
			for (const e of document.querySelectorAll('#card table, #card p, #card h3, .bar *')) if (e.getBoundingClientRect().right > right + 0.5) { out.push(last + ' ' + e.className); break }
		}
		document.dispatchEvent(new KeyboardEvent("keydown", {key: "Home"}));
		return out.join() })()`); out != "" {
		t.Errorf("out of the card: %s", out)
	}
	before := inPage(t, ctx, where)
	swipe := `(d => { const c = document.getElementById('card'), at = x => new Touch({identifier: 1, target: c, clientX: x, clientY: 300});
		c.dispatchEvent(new TouchEvent('touchstart', {touches: [at(200)], changedTouches: [at(200)], bubbles: true}));
		c.dispatchEvent(new TouchEvent('touchend', {touches: [], changedTouches: [at(200 + d)], bubbles: true})); })`
	do(t, ctx, chromedp.Evaluate(swipe+`(-120)`, nil))
	if inPage(t, ctx, where) == before {
		t.Error("a finger does not turn the page")
	}
	do(t, ctx, chromedp.Evaluate(swipe+`(120)`, nil))
	if got := inPage(t, ctx, where); got != before {
		t.Errorf("the finger back leads to %s, not %s", got, before)
	}
	for _, tab := range []string{"errors", "stats", "rolls", "sheet"} {
		do(t, ctx, chromedp.Click(`#tabs a[href="#`+tab+`"]`, chromedp.ByQuery), chromedp.Evaluate(`document.getElementById('tabs').scrollIntoView()`, nil))
		fits(tab)
		shot(t, ctx, "phone-"+tab)
	}
	do(t, ctx, window(390, 844, true), chromedp.Evaluate(`document.getElementById('view').scrollIntoView()`, nil))
	shot(t, ctx, "phone-dark")
}

func TestPage_withoutScripts(t *testing.T) {
	ctx := chromium.Shared(t)
	do(t, ctx, window(390, 844, false), emulation.SetScriptExecutionDisabled(true), chromedp.Navigate(review(t, "match5.sgf")))
	_, s := analysed(t, "match5.sgf")
	moves := s.Players[0].Moves + s.Players[1].Moves
	var articles int
	do(t, ctx, chromedp.Evaluate(`document.querySelectorAll('article .bgb').length`, &articles))
	if articles < moves {
		t.Errorf("%d boards of %d rolls", articles, moves)
	}
	for _, id := range []string{"sheet", "errors", "stats", "rolls"} {
		if h := inPage(t, ctx, `document.getElementById('`+id+`').offsetHeight > 50`); h != "true" {
			t.Errorf("%s is not shown", id)
		}
	}
	if got := inPage(t, ctx, `document.getElementById('view').offsetHeight + ' ' + document.documentElement.scrollWidth`); got != "0 390" {
		t.Errorf("the part that needs scripts, and the width: %s", got)
	}
	if got := inPage(t, ctx, `[...document.querySelectorAll('a[href^="#d"]')].filter(a => !document.getElementById(a.getAttribute('href').slice(1))).length`); got != "0" {
		t.Errorf("%s links lead nowhere", got)
	}
	if got := inPage(t, ctx, `document.querySelector('article blockquote').textContent`); got != "A <i>comment</i>in two lines" {
		t.Errorf("the comment reads %q", got)
	}
	shot(t, ctx, "noscript")
}

func TestPage_print(t *testing.T) {
	ctx := chromium.Shared(t)
	do(t, ctx, window(1000, 800, true), chromedp.Navigate(review(t, "match5.sgf")), chromedp.WaitVisible("#card article", chromedp.ByQuery))
	var pdf []byte
	do(t, ctx, chromedp.ActionFunc(func(ctx context.Context) (err error) {
		pdf, _, err = cdpage.PrintToPDF().WithPrintBackground(true).Do(ctx)
		return err
	}))
	if pages := bytes.Count(pdf, []byte("/Type /Page\n")); pages < 3 || pages > 60 {
		t.Errorf("%d pages", pages)
	}
	if dir := os.Getenv("FIBSBOT_SHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, "print.pdf"), pdf, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	do(t, ctx, emulation.SetEmulatedMedia().WithMedia("print"), chromedp.Evaluate(`dispatchEvent(new Event('beforeprint'))`, nil))
	shot(t, ctx, "print")
	if got := inPage(t, ctx, `getComputedStyle(document.body).backgroundColor + document.getElementById('tabs').offsetHeight`); got != "rgb(255, 255, 255)0" {
		t.Errorf("on paper: %s", got)
	}
	_, s := analysed(t, "match5.sgf")
	want := 0
	for p := range 2 {
		mk := MarkedOf(s, p)
		want += mk.VeryBad + mk.Bad + mk.Doubtful
	}
	if got := inPage(t, ctx, `document.querySelectorAll('#print article').length`); got != fmt.Sprint(want) {
		t.Errorf("%s errors on paper, want %d", got, want)
	}
}

// TestPage_longSessionOpensAtOnce: what a session of 25 games asks of the browser before
// it is shown is bounded by its elements, however fast the machine is. The time is logged.
func TestPage_longSessionOpensAtOnce(t *testing.T) {
	ctx := chromium.Shared(t)
	m := session(t)
	var b bytes.Buffer
	if err := HTML(&b, m, analyse.Summarise(m, nil, analyse.DefaultLimits), PageOptions{}); err != nil {
		t.Fatal(err)
	}
	do(t, ctx, window(1400, 1000, false), chromedp.Navigate(stored(t, b.Bytes())), chromedp.WaitVisible("#card article", chromedp.ByQuery))
	var n, ms, shift float64
	do(t, ctx, chromedp.Evaluate(`document.querySelectorAll('*').length`, &n),
		chromedp.Evaluate(`(t => t.loadEventEnd - t.startTime)(performance.getEntriesByType('navigation')[0])`, &ms),
		chromedp.Evaluate(`new Promise(done => { let sum = 0; new PerformanceObserver(l => { for (const e of l.getEntries()) sum += e.value }).observe({type: 'layout-shift', buffered: true}); setTimeout(() => done(sum), 100) })`, &shift,
			func(p *cdruntime.EvaluateParams) *cdruntime.EvaluateParams { return p.WithAwaitPromise(true) }))
	t.Logf("%d bytes, %.0f elements, open after %.0f ms, layout shift %.4f", b.Len(), n, ms, shift)
	if n > 12000 {
		t.Errorf("%.0f elements are made before the page is shown", n)
	}
	if shift > 0.01 {
		t.Errorf("the layout shifts by %.3f", shift)
	}
}

// TestPage_gamesWaitUnseen: the sheets of games out of sight are not laid out before they
// are looked at. Their heights are known beforehand, so that the bar at the side is right;
// a search finds their plays, stepping leads to them, paper and a reader without scripts get
// all of them.
func TestPage_gamesWaitUnseen(t *testing.T) {
	ctx := chromium.Shared(t)
	m := session(t)
	var b bytes.Buffer
	if err := HTML(&b, m, analyse.Summarise(m, nil, analyse.DefaultLimits), PageOptions{}); err != nil {
		t.Fatal(err)
	}
	at := stored(t, b.Bytes())
	// Browsers remember how high a game was that they have shown: those are left out.
	heights := `(() => { const out = [];
		for (const g of document.querySelectorAll('.game')) {
			const r = g.getBoundingClientRect(); if (r.top < innerHeight + 3000) continue;
			const known = g.offsetHeight; g.style.contentVisibility = 'visible'; g.style.display = 'flow-root';
			if (Math.abs(known - g.offsetHeight) > 0.13 * g.offsetHeight + 16) out.push(known + ' for ' + g.offsetHeight);
		}
		return out.join() + ' of ' + document.querySelectorAll('.game').length })()`
	want := fmt.Sprintf(" of %d", len(m.Games))
	for _, width := range []int64{1400, 390} {
		do(t, ctx, window(width, 1000, false), chromedp.Navigate(at), chromedp.WaitVisible("#card article", chromedp.ByQuery))
		if got := inPage(t, ctx, `getComputedStyle(document.querySelector('.game:last-of-type')).contentVisibility`); got != "auto" {
			t.Errorf("%d wide: the last game is laid out at once: %s", width, got)
		}
		if got := inPage(t, ctx, heights); got != want {
			t.Errorf("%d wide: heights beforehand: %s", width, got)
		}
	}
	do(t, ctx, window(1400, 1000, false), chromedp.Navigate(at+"#d700"), chromedp.WaitVisible("#card article", chromedp.ByQuery))
	seen := func(what string) {
		t.Helper()
		const lit = `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => {
			const a = document.querySelector('.sheet a.on').getBoundingClientRect(), t = document.getElementById('sheet').getBoundingClientRect();
			done(a.top > t.top && a.bottom < Math.min(t.bottom, innerHeight) ? 'seen' : a.top + ' in ' + t.top + ' to ' + t.bottom) }))))`
		var got string
		do(t, ctx, chromedp.Evaluate(lit, &got, func(p *cdruntime.EvaluateParams) *cdruntime.EvaluateParams { return p.WithAwaitPromise(true) }))
		if got != "seen" {
			t.Errorf("%s: the play is not in sight: %s", what, got)
		}
	}
	seen("from the address")
	do(t, ctx, chromedp.KeyEvent(kb.Home))
	seen("the first decision")
	do(t, ctx, chromedp.KeyEvent("s"), chromedp.Evaluate(`location.hash = '#d600'`, nil), chromedp.KeyEvent("g"))
	seen("back from another part")
	do(t, ctx, chromedp.KeyEvent(kb.Home))
	if got := inPage(t, ctx, fmt.Sprintf(`window.find('Game %d', true) && getSelection().anchorNode.parentNode.closest('.game') === [...document.querySelectorAll('.game')].at(-1)`, len(m.Games))); got != "true" {
		t.Error("a search does not find the last game")
	}
	do(t, ctx, emulation.SetEmulatedMedia().WithMedia("print"))
	if got := inPage(t, ctx, `[...document.querySelectorAll('.game')].filter(g => getComputedStyle(g).contentVisibility !== 'visible').length`); got != "0" {
		t.Errorf("%s games are not laid out on paper", got)
	}
	do(t, ctx, emulation.SetEmulatedMedia().WithMedia(""), emulation.SetScriptExecutionDisabled(true), chromedp.Navigate(at))
	if got := inPage(t, ctx, `[...document.querySelectorAll('.sheet a')].filter(a => !a.getBoundingClientRect().height).length + ' of ' + document.querySelectorAll('.game').length`); got != "0"+want {
		t.Errorf("plays hidden without scripts: %s", got)
	}
}

// TestPage_oddMatches draws matches of unusual shape: names of 60 letters with and without a
// space, right-to-left names, no decision at all, no analysis. Nothing is wider than a phone's
// screen, and an unanalysed match shows no verdicts.
func TestPage_oddMatches(t *testing.T) {
	ctx := chromium.Shared(t)
	open := func(m *record.Match) string {
		t.Helper()
		var b bytes.Buffer
		if err := HTML(&b, m, analyse.Summarise(m, nil, analyse.DefaultLimits), PageOptions{}); err != nil {
			t.Fatal(err)
		}
		do(t, ctx, window(390, 844, false), chromedp.Navigate(stored(t, b.Bytes())), chromedp.WaitVisible("#tabs", chromedp.ByQuery))
		if w := inPage(t, ctx, `document.documentElement.scrollWidth`); w != "390" {
			t.Errorf("%s against %s: the page is %s wide", m.Players[0].Name, m.Players[1].Name, w)
		}
		return inPage(t, ctx, `document.body.innerText`)
	}
	m, _ := analysed(t, "match5.sgf")
	for _, names := range [][2]string{{strings.Repeat("Abcdefghi ", 6), strings.Repeat("Wxyz", 15)}, {"משה כהן (2)", "🎲🦊👩‍👩‍👧 fox"}} {
		m.Players[0].Name, m.Players[1].Name = names[0], names[1]
		open(m)
		if over := inPage(t, ctx, `[...document.querySelectorAll('#card text')].map(t => t.getBoundingClientRect()).filter((r, i, all) =>
			all.some((o, k) => k !== i && o.left < r.right - 1 && r.left < o.right - 1 && o.top < r.bottom - 3 && r.top < o.bottom - 3)).length`); over != "0" {
			t.Errorf("%s: %s labels of the board overlap", names[1], over)
		}
	}
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			m.Games[i].Actions[k].Analysis = nil
		}
	}
	text := open(m)
	for _, bad := range []string{"supernatural", "0 ??", "0.000", "50.0%", "+0."} {
		if strings.Contains(text, bad) {
			t.Errorf("the page of an unanalysed match contains %q", bad)
		}
	}
	if n := inPage(t, ctx, `document.querySelectorAll('#card .bgs').length + ' ' + document.querySelector('#errors').textContent.trim()`); !strings.HasPrefix(n, "0 ") || !strings.HasSuffix(n, "has not been analysed.") {
		t.Errorf("arrows of best plays and the list of errors: %s", n)
	}
	m.Games = m.Games[:1]
	m.Games[0].Actions, m.Games[0].Result = nil, record.Result{Winner: record.NoPlayer}
	if text = open(m); !strings.Contains(text, "No decisions.") || strings.Contains(text, "all marks") {
		t.Errorf("a match without a decision reads %q", text)
	}
}

// TestIndex_onAPhone: every column of the index is on the screen and is not cut off by the
// edge of its table.
func TestIndex_onAPhone(t *testing.T) {
	var list []Entry
	for _, name := range []string{"match3.sgf", "match5.sgf", "match7.sgf"} {
		m, s := analysed(t, name)
		m.Players[1].Name = "a_name_of_twenty_one_"
		list = append(list, EntryOf(name+".html", m, s))
	}
	var b bytes.Buffer
	if err := Index(&b, list, nil); err != nil {
		t.Fatal(err)
	}
	ctx := chromium.Shared(t)
	do(t, ctx, window(390, 844, false), chromedp.Navigate(stored(t, b.Bytes())), chromedp.WaitVisible(".matches", chromedp.ByQuery))
	if w := inPage(t, ctx, `[document.documentElement, ...document.querySelectorAll('.wide')].map(e => e.scrollWidth - e.clientWidth).join(' ')`); w != "0 0 0" {
		t.Errorf("page and tables are wider than the screen by %s", w)
	}
}
