package browser

import (
	"context"
	"encoding/json"
	"fibsbot/internal/chromium"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

// room is the quota of the site in bytes while its storage gets full.
const room = 24 << 20

// quota limits what the browser stores for the site; 0 means as usual.
func quota(s *site, bytes float64) chromedp.Action {
	if bytes == 0 {
		return storage.OverrideQuotaForOrigin(s.URL)
	}
	return storage.OverrideQuotaForOrigin(s.URL).WithQuotaSize(bytes)
}

// fill stores something else until there is no room for another kilobyte.
const fill = `(async () => {
	const done = (r) => new Promise((ok, no) => { r.onsuccess = () => ok(r.result); r.onerror = () => no(r.error); });
	const opening = indexedDB.open("filler");
	opening.onupgradeneeded = () => opening.result.createObjectStore("s", { autoIncrement: true });
	const db = await done(opening);
	for (let size = 1 << 22; size >= 1 << 9;) {
		const bytes = new Uint8Array(size);
		for (let i = 0; i < size; i += 1 << 16) crypto.getRandomValues(bytes.subarray(i, i + (1 << 16)));
		const tx = db.transaction("s", "readwrite");
		tx.objectStore("s").add(bytes);
		const kept = await new Promise((go) => { tx.oncomplete = () => go(true); tx.onabort = () => go(false); });
		if (!kept) size /= 2;
	}
	db.close();
	return true;
})()`

// free removes it.
const free = `new Promise((go) => { indexedDB.deleteDatabase("filler").onsuccess = () => go(true); })`

// games is how many matches are in play.
func (b *tab) games() int {
	b.Helper()
	return len(want[struct{ Games []struct{ ID string } }](b, "GET", "/api/v1/games", "").Games)
}

// When storage is full the page says so in a sentence, and offers an export; the match in play
// goes on, what was stored before stays, and what is new is stored once there is room.
func TestSite_storageFull(t *testing.T) {
	if !heavy {
		t.Skip("FIBSBOT_BROWSER=144 runs it")
	}
	s, chrome := host(t), chromium.Shared(t)
	b := open(t, chrome, s, "/matches", quota(s, room))
	b.until(`one("#file")`)
	b.choose("#file", "match.xg", sample(t))
	b.press(`#imported a`)
	b.reviewed()
	b.timed("filled", func() { js[bool](b, fill) })
	type game struct {
		ID      string
		Version int
	}
	g := want[game](b, "POST", "/api/v1/games", `{"length":3,"two_players":true,"name":"anna","opponent_name":"bob"}`)
	act := func(kind string) {
		t.Helper()
		h := want[game](b, "POST", "/api/v1/games/"+g.ID+"/acts", fmt.Sprintf(`{"version":%d,%s}`, g.Version, kind))
		if h.Version <= g.Version {
			t.Fatalf("the match does not go on: %+v after %+v", h, g)
		}
		g = h
	}
	b.wait(`!document.getElementById("notice").hidden`)
	if text := b.notice(); !strings.HasPrefix(text, "The browser's storage is full.") || !strings.Contains(text, "export everything") {
		t.Errorf("the notice: %q", text)
	}
	act(`"kind":"resign","level":3`)
	act(`"kind":"accept"`) // the match is over
	sound(t, b.download(b.rescue), 2)

	b.run(chromedp.Reload())
	b.ready()
	if got := len(want[list](b, "GET", "/api/v1/matches", "").Matches); got != 1 {
		t.Errorf("%d matches after a reload, want the one stored before", got)
	}
	want[game](b, "POST", "/api/v1/games", `{"length":3,"two_players":true}`)
	b.wait(`!document.getElementById("notice").hidden`)
	js[bool](b, free)
	b.run(quota(s, 0))
	want[game](b, "POST", "/api/v1/games", `{"length":5,"two_players":true}`)
	b.wait(`document.getElementById("notice").hidden`)
	b.run(chromedp.Reload())
	b.ready()
	if got := b.games(); got != 2 {
		t.Errorf("%d matches in play after a reload, want both", got)
	}
	b.clean()
}

// A new version in the same folder is loaded beside the old one and says that it is ready;
// the reader takes it, and what is stored stays.
func TestSite_update(t *testing.T) {
	t.Parallel()
	s := host(t)
	b := open(t, chromium.Own(t), s, "/matches") // in a private window a site cannot be installed
	b.until(`one("#file")`)
	b.choose("#file", "match.xg", sample(t))
	b.until(`one("#imported a")`)
	b.wait(`navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)`)
	b.installable()
	before := js[[]string](b, `caches.keys()`)
	s.export(t, "v1.2.4")
	b.run(chromedp.Reload())
	b.ready()
	if got := js[string](b, `document.body.dataset.version`); got != "v1.2.3" {
		t.Errorf("the page is of %s before the reader asked for the new version", got)
	}
	b.wait(`!document.getElementById("update").hidden`)
	if text := js[string](b, `document.querySelector("#update span").textContent`); text != "A new version is ready." {
		t.Errorf("the page says %q", text)
	}
	js[bool](b, `(document.getElementById("now").click(), true)`)
	b.settle(`document.body?.dataset.version === "v1.2.4" && window.fibsbot?.engine.state.phase === "ready"`)
	b.ready()
	if got := len(want[list](b, "GET", "/api/v1/matches", "").Matches); got != 1 {
		t.Errorf("%d matches after the update", got)
	}
	after := js[[]string](b, `caches.keys()`)
	if len(before) != 1 || len(after) != 1 || before[0] == after[0] {
		t.Errorf("caches before %q, after %q", before, after)
	}
	s.Close()
	b.run(chromedp.Reload())
	b.ready()
	if got := js[string](b, `document.body.dataset.version`); got != "v1.2.4" {
		t.Errorf("off line the page is of %s", got)
	}
	b.clean()
}

// installable checks that the site can be installed below a folder of a host: Chromium finds no fault with its
// manifest, and the pictures have the sizes that it states.
func (b *tab) installable() {
	t, s := b.T, b.host
	var text, at string
	b.run(chromedp.ActionFunc(func(ctx context.Context) error {
		url, faults, data, _, err := page.GetAppManifest().Do(ctx)
		for _, f := range faults {
			t.Errorf("the manifest: %+v", f)
		}
		text, at = data, url
		return err
	}), chromedp.ActionFunc(func(ctx context.Context) error {
		faults, err := page.GetInstallabilityErrors().Do(ctx)
		for _, f := range faults {
			t.Errorf("cannot be installed: %s %+v", f.ErrorID, f.ErrorArguments)
		}
		return err
	}))
	var m struct {
		Name, Display string
		StartURL      string `json:"start_url"`
		Icons         []struct{ Src, Sizes, Type, Purpose string }
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	if at != s.URL+folder+"manifest.webmanifest" || m.Name == "" || m.StartURL != "./" || m.Display != "standalone" {
		t.Errorf("the manifest %s: %+v", at, m)
	}
	found := []string{}
	for _, icon := range m.Icons {
		if icon.Type != "image/png" {
			continue
		}
		f, err := os.Open(filepath.Join(s.dir, filepath.FromSlash(folder), icon.Src))
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.DecodeConfig(f)
		f.Close()
		if size := fmt.Sprintf("%dx%d", picture.Width, picture.Height); err != nil || size != icon.Sizes {
			t.Errorf("%s has %s, the manifest says %s (%v)", icon.Src, size, icon.Sizes, err)
		}
		found = append(found, strings.TrimSpace(icon.Sizes+" "+icon.Purpose))
	}
	if want := []string{"192x192", "512x512", "512x512 maskable"}; !slices.Equal(found, want) {
		t.Errorf("icons %q, want %q", found, want)
	}
}

// chromiums are hosts that Chromium asks for itself when it starts.
var chromiums = regexp.MustCompile(`\.(google|googleapis)\.com(:443)?$`)

// strangers is a proxy for all hosts but the loopback address: it notes who is asked for.
func strangers(t *testing.T) (option chromedp.ExecAllocatorOption, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var list []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if !chromiums.MatchString(r.Host) {
			list = append(list, r.Host)
		}
		http.Error(w, "no", http.StatusBadGateway)
	}))
	t.Cleanup(proxy.Close)
	return chromedp.ProxyServer(proxy.URL), func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(list)
	}
}

// breakOut tries to send something to other hosts, in all ways of a page, and to run code that
// is not a file of the site. It returns what was possible.
const breakOut = `(async (w) => {
	const out = [], d = w.document, there = "http://stranger.test/";
	for (const [name, src] of [["img", "src"], ["script", "src"], ["iframe", "src"], ["link", "href"], ["object", "data"], ["video", "src"]]) {
		const el = d.createElement(name);
		if (name === "link") el.rel = "stylesheet";
		el[src] = there + name;
		d.body.append(el);
	}
	await w.fetch(there + "fetch", { mode: "no-cors" }).then(() => out.push("fetch"), () => {});
	try { w.navigator.sendBeacon(there + "beacon"); } catch { /* refused */ }
	try { new w.WebSocket("ws://stranger.test/socket"); } catch { /* refused */ }
	try { new w.Worker("data:text/javascript,postMessage(1)").onmessage = () => out.push("worker"); } catch { /* refused */ }
	try { if (w.eval("1") === 1) out.push("eval"); } catch { /* refused */ }
	const inline = d.createElement("script");
	inline.textContent = "window.inlined = true";
	d.body.append(inline);
	if (w.inlined) out.push("inline script");
	const form = d.createElement("form");
	form.action = there + "form";
	form.target = "nowhere";
	d.body.append(form);
	form.submit();
	await new Promise((go) => setTimeout(go, 300));
	return out;
})`

// The policy keeps the pages from asking other hosts and from running code that is not a file
// of the site.
func TestSite_policy(t *testing.T) {
	option, asked := strangers(t)
	s := host(t)
	b := open(t, chromium.Own(t, option), s, "/storage")
	for _, where := range []string{"window", `document.getElementById("room").contentWindow`} {
		if got := js[[]string](b, breakOut+"("+where+")"); len(got) > 0 {
			t.Errorf("%s: the policy allows %q", where, got)
		}
	}
	if got := asked(); len(got) > 0 {
		t.Errorf("other hosts were asked: %q", got)
	}

	// A page without the policy reaches them, so the proxy sees who is asked.
	if err := os.WriteFile(filepath.Join(s.dir, "free.html"), []byte("<!doctype html><title>free</title><body>"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.run(chromedp.Navigate(s.URL + "/free.html"))
	if got := js[[]string](b, breakOut+"(window)"); !slices.Contains(got, "eval") {
		t.Errorf("a page without the policy allows %q", got)
	}
	if got := asked(); !slices.Contains(got, "stranger.test") {
		t.Errorf("without the policy the proxy saw %q", got)
	}
}

// Every page of the site has the policy before anything that it governs.
func TestWrite_policy(t *testing.T) {
	dir := t.TempDir()
	if err := Write(dir, "v1.2.3", &Program{Packed: []byte("x"), Exec: []byte("y")}); err != nil {
		t.Fatal(err)
	}
	pages := 0
	err := filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".html" {
			return err
		}
		pages++
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		data, err := io.ReadAll(f)
		meta := strings.Index(string(data), `<meta http-equiv="Content-Security-Policy" content="`+policy+`">`)
		if first := strings.IndexAny(strings.ReplaceAll(string(data), "<link", "\x00"), "\x00"); meta < 0 || first < meta {
			t.Errorf("%s: policy at %d, first file at %d", name, meta, first)
		}
		return err
	})
	if err != nil || pages != 10 {
		t.Errorf("%d pages, want 10; %v", pages, err)
	}
	for _, loose := range []string{"unsafe-inline", "'unsafe-eval'", "*", "http:", "https:"} {
		if strings.Contains(policy, loose) {
			t.Errorf("the policy allows %s", loose)
		}
	}
}

// Without https browsers lend no service worker and no locks: one tab works on line.
func TestSite_withoutHTTPS(t *testing.T) {
	if !heavy {
		t.Skip("FIBSBOT_BROWSER=144 runs it")
	}
	s := host(t)
	_, port, _ := strings.Cut(strings.TrimPrefix(s.URL, "http://"), ":")
	s.URL = "http://club.test:" + port
	b := open(t, chromium.Own(t, chromedp.Flag("host-resolver-rules", "MAP club.test 127.0.0.1")), s, "/matches")
	if js[bool](b, `isSecureContext`) {
		t.Fatal("the page is in a secure context")
	}
	b.until(`one("#file")`)
	b.choose("#file", "match.xg", sample(t))
	b.press(`#imported a`)
	b.reviewed()
	b.run(chromedp.Reload())
	b.ready()
	if got := len(want[list](b, "GET", "/api/v1/matches", "").Matches); got != 1 {
		t.Errorf("%d matches after a reload", got)
	}
	b.clean()
}

// An engine that cannot be loaded is one sentence with a button, which loads it once it is there.
func TestSite_engineMissing(t *testing.T) {
	s := host(t)
	found, err := filepath.Glob(filepath.Join(s.dir, filepath.FromSlash(folder), "engine", "*", packedName))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	if err := os.Rename(found[0], found[0]+".away"); err != nil {
		t.Fatal(err)
	}
	b := begin(t, chromium.Shared(t), s, "/matches")
	b.wait(`window.fibsbot?.engine.state.phase === "failed"`)
	if text := b.notice(); !strings.HasPrefix(text, "The engine cannot be loaded (") {
		t.Errorf("the notice: %q", text)
	}
	if err := os.Rename(found[0]+".away", found[0]); err != nil {
		t.Fatal(err)
	}
	js[bool](b, `(document.getElementById("again").click(), true)`)
	b.settle(`window.fibsbot?.engine.state.phase === "ready" && document.getElementById("notice").hidden`)
}
