package browser

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"

	"fibsbot/bot/archive/backup"
	"fibsbot/internal/chromium"
)

// inRoom evaluates an expression with w and d, the window and the document of the room, and
// the function one, which finds an element there.
func inRoom(expression string) string {
	return `(() => { const w = document.getElementById("room").contentWindow, d = w.document, one = (q) => d.querySelector(q); return (` + expression + `); })()`
}

// until waits until an expression about the room is true.
func (b *tab) until(condition string) {
	b.Helper()
	b.wait(`(() => { try { return ` + inRoom(condition) + `; } catch { return false; } })()`)
}

// enter opens a room by its link.
func (b *tab) enter(room string) {
	b.Helper()
	js[bool](b, inRoom(`w.left = true`))
	b.press(`nav a[href="` + room + `"]`)
	b.until(fmt.Sprintf(`!w.left && w.location.pathname === %q && d.readyState === "complete"`, folder+room[1:]+"/"))
}

// press clicks an element of the room as soon as it is there and not disabled.
func (b *tab) press(selector string) {
	b.Helper()
	found := fmt.Sprintf(`((el) => el && !el.disabled && el.getClientRects().length > 0 && (el.click(), true))(one(%q))`, selector)
	b.until(found)
}

// choose puts a file into an input of the room.
func (b *tab) choose(selector, name string, data []byte) {
	b.Helper()
	js[bool](b, inRoom(fmt.Sprintf(`((el) => {
		const list = new w.DataTransfer();
		list.items.add(new w.File([w.Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))], %q));
		el.files = list.files;
		el.dispatchEvent(new w.Event("change", { bubbles: true }));
		return true;
	})(one(%q))`, base64.StdEncoding.EncodeToString(data), name, selector)))
}

// timed logs how long something took.
func (b *tab) timed(what string, do func()) {
	b.Helper()
	began := time.Now()
	do()
	b.Logf("%s: %s", what, time.Since(began).Round(10*time.Millisecond))
}

// heavy makes an evening last for minutes: all decisions of the match are analysed, and it is
// repeated without storage.
var heavy = os.Getenv("FIBSBOT_BROWSER") != ""

// evening does what a user does of an evening, and returns the export of everything.
func (b *tab) evening() (zip []byte) {
	b.timed("a match to its end", b.playMatch)
	b.timed("its analysis and review", b.analyse)
	b.timed("import and review", b.importMatch)
	b.timed("a question", b.answerQuestion)
	b.timed("a rollout", b.rollOut)
	b.timed("a collection", b.collect)
	b.timed("statistics", func() {
		b.enter("/statistics")
		b.until(`one("svg.chart")`)
	})
	b.timed("openings", func() {
		b.enter("/openings")
		b.press(`#rolls button[data-roll="31"]`)
		b.until(`w.location.search === "?roll=31" && one("#plays table")`)
	})
	b.enter("/storage")
	b.timed("the export", func() { zip = b.download(func() { b.press("#export") }) })
	return zip
}

// playMatch plays a match of one point in the room Play.
func (b *tab) playMatch() {
	b.enter("/play")
	b.until(`one("#new option[value=beginner]") && one("#character").textContent`)
	js[bool](b, inRoom(`(() => {
		one("#opt-animate").checked = false;
		const f = one("#new");
		f.elements.preset.value = "beginner";
		f.elements.namedItem("length").value = "1"; // length counts them
		f.requestSubmit();
		return true;
	})()`))
	b.press(`#actions [data-key=r]:not(:disabled), #actions [data-key=h]:not(:disabled)`)
	b.press(`#actions [data-key=h]`)
	b.until(`one("#advice .plays tbody tr")`)
	b.press("#do-hand")
	b.until(`one("#actions a[href^='/matches/']")`)
}

// analyse opens the review of the match that has ended and analyses it.
func (b *tab) analyse() {
	b.press(`#actions a[href^='/matches/']`)
	b.reviewed()
	b.absent("a[href*='as=pdf']")
	b.idle()
	b.until(`one("#preset option[value=beginner]") && one("#progress").textContent`)
	// While the page learns that the other analysis has ended, the button stops instead.
	b.until(`(() => {
		const button = one("#analyse");
		if (/^([1-9]\d* of|Analysed by) /.test(one("#progress").textContent)) return true;
		if (button.textContent === "Analyse" && !(Date.now() < w.again)) {
			w.again = Date.now() + 5000;
			one("#preset").value = "beginner";
			button.click();
		}
	})()`)
	if !heavy {
		js[bool](b, inRoom(`(one("#analyse").textContent === "Stop" && one("#analyse").click(), true)`))
	}
	b.until(`/^(Stopped after|Analysed by) /.test(one("#progress").textContent)`)
}

// idle stops the analysis in the background, which begins after each match.
func (b *tab) idle() {
	b.Helper()
	if r := b.ask("DELETE", "/api/v1/analysis", nil); r.Status != http.StatusOK {
		b.Fatalf("stop the analysis: %d %s", r.Status, r.Body)
	}
}

// absent checks that a room does not offer what the program of a browser cannot do.
func (b *tab) absent(selector string) {
	b.Helper()
	if !js[bool](b, inRoom(fmt.Sprintf(`one(%q).getClientRects().length === 0`, selector))) {
		b.Errorf("the room offers %s", selector)
	}
}

// reviewed waits until the review of a match is shown.
func (b *tab) reviewed() {
	b.Helper()
	b.until(`one("#report")?.shadowRoot?.querySelector(".review table.sheet")`)
}

// importMatch imports a match file, reads its review and goes back to the list.
func (b *tab) importMatch() {
	b.enter("/matches")
	b.until(`one("#list tbody input")`)
	b.choose("#file", "match.xg", sample(b.T))
	b.press(`#imported a`)
	b.reviewed()
	b.idle()
	b.run(chromedp.Evaluate(`history.back()`, nil))
	b.until(`w.location.pathname.endsWith("/matches/") && d.querySelectorAll("#list tbody tr").length === 2`)
}

// answerQuestion answers one question of the quiz.
func (b *tab) answerQuestion() {
	b.enter("/quiz")
	b.until(`one("#filter [name=source]").options.length > 1`)
	b.absent("#apkg")
	js[bool](b, inRoom(`(() => {
		const f = one("#filter").elements;
		f.source.value = "set:cubes";
		f.source.dispatchEvent(new w.Event("input", { bubbles: true }));
		return true;
	})()`))
	b.press(`#actions [data-key=d], #actions [data-key=t]`)
	b.until(`!one("#verdict").hidden`)
}

// rollOut rolls a position out, and stops a long rollout, which takes effect at once.
func (b *tab) rollOut() {
	b.enter("/positions")
	b.until(`one("#svg").href`)
	b.png("#png", "position.png")
	b.press("#tab-rollout")
	b.until(`one("#roll [name=by] option[value=beginner]")`)
	begin := func(trials int) {
		js[bool](b, inRoom(fmt.Sprintf(`(() => {
			const f = one("#roll").elements;
			f.trials.value = "%d";
			f.by.value = "beginner";
			f.truncate.value = "7";
			one("#roll").requestSubmit();
			return true;
		})()`, trials)))
	}
	// A race near its end, which takes a moment.
	b.until(`one("#ids").textContent`)
	js[bool](b, inRoom(`((el) => {
		el.value = "XGID=-AAB------------------aab-:0:0:1:00:0:0:0:0:10";
		el.dispatchEvent(new w.Event("input", { bubbles: true }));
		return true;
	})(one("#id"))`))
	b.until(`one("#ids").textContent.startsWith("KwAAoAYAAAAAAA")`)
	begin(144)
	b.until(`one("#rollouts article")?.textContent.includes("done, 144 of 144")`)
	b.press("#start")
	b.until(`one("#ids").textContent.startsWith("4HPwATDgc/ABMA")`)
	begin(20736)
	b.until(`/running, [1-9]/.test(one("#rollouts article").textContent)`)
	began := time.Now()
	js[bool](b, inRoom(`([...d.querySelectorAll("#rollouts article button")].find((x) => x.textContent === "Stop").click(), true)`))
	b.until(`one("#rollouts article").textContent.includes("stopped, ")`)
	b.Logf("a rollout stopped after %s", time.Since(began).Round(10*time.Millisecond))
}

// collect keeps the position on the board in a collection.
func (b *tab) collect() {
	b.press("#tab-collections")
	b.until(`one("#collections p.empty")`)
	js[bool](b, inRoom(`(one("#collect").elements.collection.value = "Blitzes", one("#collect").requestSubmit(), true)`))
	b.until(`one("#collections li")`)
}

// png saves a picture, which the browser draws, with a button.
func (b *tab) png(button, name string) {
	b.Helper()
	shown, err := png.Decode(bytes.NewReader(b.saved(name, func() { b.press(button) })))
	if err != nil || shown.Bounds().Dx() != 1440 || shown.At(0, 700) == shown.At(720, 700) {
		b.Errorf("the picture %s: %v", name, err)
	}
}

// download is saved for an export of everything.
func (b *tab) download(do func()) []byte {
	b.Helper()
	return b.saved("fibsbot-*.zip", do)
}

// saved returns the file, whose name fits a pattern, that the browser gets when something is done. Its name is
// there before its contents, so the browser is asked for the end.
func (b *tab) saved(name string, do func()) []byte {
	b.Helper()
	dir, ended := b.TempDir(), make(chan cdpbrowser.DownloadProgressState, 1)
	ctx, stop := context.WithCancel(b.ctx)
	defer stop()
	chromedp.ListenTarget(ctx, func(event any) {
		if e, ok := event.(*cdpbrowser.EventDownloadProgress); ok && e.State != cdpbrowser.DownloadProgressStateInProgress {
			select {
			case ended <- e.State:
			default: // one file is waited for
			}
		}
	})
	allow := cdpbrowser.SetDownloadBehavior(cdpbrowser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(dir).WithEventsEnabled(true)
	b.run(allow.WithBrowserContextID(chromedp.FromContext(b.ctx).BrowserContextID))
	do()
	select {
	case state := <-ended:
		if state != cdpbrowser.DownloadProgressStateCompleted {
			b.Fatalf("the download is %s", state)
		}
	case <-time.After(patience):
		b.Fatal("nothing was downloaded")
	}
	found, err := filepath.Glob(filepath.Join(dir, name))
	if err != nil || len(found) != 1 {
		b.Fatalf("downloaded: %v, %v", found, err)
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		b.Fatal(err)
	}
	return data
}

// importBackup replaces everything by a backup, in the room Storage.
func (b *tab) importBackup(zip []byte) {
	b.Helper()
	if text := b.tryImport(zip); text != "" {
		b.Fatal(text)
	}
}

// tryImport is importBackup, and returns the error that the page shows.
func (b *tab) tryImport(zip []byte) string {
	b.enter("/storage")
	b.choose("#file", "backup.zip", zip)
	b.press("#sure button[value=yes]")
	b.until(`one("#said").textContent.startsWith("Imported ") || !one("#error").hidden`)
	return js[string](b, inRoom(`one("#error").textContent`))
}

// progress is the part of the answer of /quiz that counts the answers given.
type progress struct {
	Progress struct{ Today struct{ Asked int } }
}

// With the network cut after loading, in the second of two tabs, everything works; the second
// tab goes on when the first one, which ran the engine, is closed. The export is sound in
// fibsbot, and a backup of fibsbot is read by another browser. Workers are not bound by the
// policy of a page, so a proxy watches what the browser asks other hosts for: nothing.
func TestSite_offlineInTwoTabs(t *testing.T) {
	option, asked := strangers(t)
	s, chrome := host(t), chromium.Own(t, option)
	first := open(t, chrome, s, "/play")
	b := open(t, chrome, s, "/storage")
	b.wait(`navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)`)
	s.Close() // this also cuts what a service worker asks
	zip := b.evening()
	dir := sound(t, zip, 2)
	first.clean()
	first.stop()
	b.ready()
	b.wait(`fibsbot.engine.fetch("/api/v1/games").then((r) => r.ok)`)
	b.run(chromedp.Reload())
	b.ready()
	if got := len(want[list](b, "GET", "/api/v1/matches", "").Matches); got != 2 {
		t.Errorf("%d matches after a reload without the network", got)
	}
	b.clean()
	if got := asked(); len(got) > 0 {
		t.Errorf("other hosts were asked: %q", got)
	}

	file := filepath.Join(t.TempDir(), "native.zip")
	if _, err := backup.File(t.Context(), dir, file, true, backup.Options{Program: "test"}); err != nil {
		t.Fatal(err)
	}
	native, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := open(t, chromium.Shared(t), host(t), "/storage")
	if r := c.ask("POST", "/api/browser/archive", []byte("not a zip")); r.Status != http.StatusBadRequest || !strings.Contains(string(r.Body), "not an archive backup") {
		t.Errorf("import of another file: %d %s", r.Status, r.Body)
	}
	c.importBackup(native)
	if got := len(want[list](c, "GET", "/api/v1/matches", "").Matches); got != 2 {
		t.Errorf("%d matches imported", got)
	}
	if got := want[[]struct{ Name string }](c, "GET", "/api/v1/collections", ""); len(got) != 1 || got[0].Name != "Blitzes" {
		t.Errorf("collections imported: %+v", got)
	}
	if got := want[progress](c, "GET", "/api/v1/quiz/sources", "").Progress.Today.Asked; got != 1 {
		t.Errorf("%d answers of the quiz imported", got)
	}
}

// deniedProfile is the profile of a Chromium that refuses to store anything for a site.
func deniedProfile(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "Default"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "Default", "Preferences"), []byte(`{"profile":{"default_content_setting_values":{"cookies":2}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Without storage the site says so and works until it is closed.
func TestSite_storageDenied(t *testing.T) {
	b := open(t, chromium.Own(t, chromedp.UserDataDir(deniedProfile(t))), host(t), "/matches")
	if text := b.notice(); !strings.HasPrefix(text, "This browser refuses to store data.") {
		t.Errorf("the notice: %q", text)
	}
	b.enter("/storage")
	b.until(`one("#used").textContent.startsWith("This browser refuses to store data")`)
	b.enter("/matches")
	if heavy {
		sound(t, b.evening(), 2)
	} else {
		b.importFirst()
		zip := b.download(b.rescue)
		sound(t, zip, 1)
		if text := b.tryImport(zip); !strings.HasPrefix(text, notStored) {
			t.Errorf("the import: %q", text)
		}
		sound(t, b.download(b.rescue), 1)
	}
	b.clean()
}

// importFirst imports a match in the room Matches, and waits for its review.
func (b *tab) importFirst() {
	b.Helper()
	b.until(`one("#file")`)
	b.choose("#file", "match.xg", sample(b.T))
	b.press(`#imported a`)
	b.reviewed()
}

const notStored = "import: the browser did not store the backup"

// export presses the button of the room Storage.
func (b *tab) export() {
	b.enter("/storage")
	b.press("#export")
}

// A backup for which there is no room leaves the match that is there, and is imported once there
// is room.
func TestSite_importWithoutRoom(t *testing.T) {
	if !heavy {
		t.Skip("FIBSBOT_BROWSER=144 runs it")
	}
	site := host(t)
	b := open(t, chromium.Own(t, chromedp.UserDataDir(t.TempDir())), site, "/matches", quota(site, room))
	b.importFirst()
	b.idle()
	zip := b.download(b.export)
	js[bool](b, fill)
	if text := b.tryImport(zip); !strings.HasPrefix(text, notStored) {
		t.Errorf("the import: %q", text)
	}
	sound(t, b.download(b.export), 1)
	js[bool](b, free)
	b.run(quota(site, 0))
	b.importBackup(zip)
	sound(t, b.download(b.export), 1)
}

// notice is the sentence about storage, if there is one.
func (b *tab) notice() string {
	b.Helper()
	return js[string](b, `document.querySelector("#notice:not([hidden]) span")?.textContent ?? ""`)
}

// rescue presses the button beside that sentence.
func (b *tab) rescue() {
	b.Helper()
	b.wait(`((el) => !el.hidden && (el.click(), true))(document.getElementById("rescue"))`)
}
