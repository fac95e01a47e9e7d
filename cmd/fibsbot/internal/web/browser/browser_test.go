package browser

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"fibsbot/bot/archive/backup"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/verify"
	"fibsbot/bot/protocol"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/quiz"
	"fibsbot/cmd/fibsbot/internal/web"
	"fibsbot/engine"
)

// patience bounds what a loaded machine may take.
const patience = 3 * time.Minute

// root is the root of the repository.
const root = "../../../../.."

// built is the program, built once.
var built = sync.OnceValues(func() (*Program, error) { return Build(context.Background(), root) })

// host serves a new site below /club/fibsbot/ like a plain file server.
func host(t *testing.T) *httptest.Server {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a program and starts a browser")
	}
	p, err := built()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := Write(filepath.Join(dir, "club", "fibsbot"), "v1.2.3", p); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(s.Close)
	return s
}

// browser starts Chromium, or skips the test without it.
func browser(t *testing.T, flags ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium installed (Debian: apt-get install chromium)")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-sync", true), chromedp.WSURLReadTimeout(patience))
	alloc, cancel := chromedp.NewExecAllocator(t.Context(), append(opts, flags...)...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(alloc, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(cancel)
	if err := chromedp.Run(ctx); err != nil {
		t.Fatalf("start chromium: %v", err)
	}
	return ctx
}

// tab is a page with the site.
type tab struct {
	*testing.T
	host *httptest.Server
	ctx  context.Context
	stop context.CancelFunc

	mu    sync.Mutex
	wrong []string
}

// open opens a room and waits until the engine is ready.
func open(t *testing.T, in context.Context, s *httptest.Server, room string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(in)
	t.Cleanup(cancel)
	b := &tab{T: t, host: s, ctx: ctx, stop: cancel}
	if err := chromedp.Run(ctx); err != nil {
		t.Fatal(err)
	}
	note := func(text string) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.wrong = append(b.wrong, text)
	}
	chromedp.ListenTarget(ctx, func(ev any) {
		switch e := ev.(type) {
		case *cdpruntime.EventConsoleAPICalled:
			if e.Type == cdpruntime.APITypeError {
				note(fmt.Sprintf("console: %s", e.Args[0].Value))
			}
		case *cdpruntime.EventExceptionThrown:
			note("exception: " + e.ExceptionDetails.Error())
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, s.URL+"/club/fibsbot/") && !strings.HasPrefix(e.Request.URL, "data:") && !strings.HasPrefix(e.Request.URL, "blob:") {
				note("request to another address: " + e.Request.URL)
			}
		case *network.EventResponseReceived:
			if e.Response.Status >= 400 {
				note(fmt.Sprintf("%s: %d", e.Response.URL, e.Response.Status))
			}
		}
	})
	b.run(network.Enable(), cdpruntime.Enable(), chromedp.Navigate(s.URL+"/club/fibsbot/#"+room))
	b.ready()
	return b
}

func (b *tab) run(actions ...chromedp.Action) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.Fatalf("%v; the page said %q", err, b.wrong)
	}
}

// js returns what an expression is once it is settled.
func js[T any](b *tab, expression string) (out T) {
	b.Helper()
	b.run(chromedp.Evaluate(expression, &out, func(p *cdpruntime.EvaluateParams) *cdpruntime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return out
}

// wait waits until an expression is true, or a promise of that.
func (b *tab) wait(condition string) {
	b.Helper()
	js[bool](b, `(async () => { while (!await (`+condition+`)) await new Promise((go) => setTimeout(go, 50)); return true; })()`)
}

func (b *tab) ready() {
	b.Helper()
	b.wait(`window.fibsbot?.engine.state.phase === "ready" || window.fibsbot?.engine.state.phase === "failed"`)
	if text := js[string](b, `fibsbot.engine.state.text`); text != "" {
		b.Fatal(text)
	}
}

// reply is an answer of the engine; Body is base64.
type reply struct {
	Status int
	Body   []byte
}

// ask sends a request as the pages do. A body that is not JSON is a file.
func (b *tab) ask(method, path string, body []byte) reply {
	b.Helper()
	kind := "application/octet-stream"
	if json.Valid(body) {
		kind = "application/json"
	}
	sent := "null"
	if body != nil {
		sent = fmt.Sprintf(`Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))`, base64.StdEncoding.EncodeToString(body))
	}
	return js[reply](b, fmt.Sprintf(`(async () => {
		const r = await fibsbot.engine.fetch(%q, { method: %q, headers: { "Content-Type": %q }, body: %s });
		const bytes = new Uint8Array(await r.arrayBuffer());
		let text = "";
		for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
		return { Status: r.status, Body: btoa(text) };
	})()`, path, method, kind, sent))
}

// want is ask for a request that succeeds; the answer is decoded.
func want[T any](b *tab, method, path, body string) (out T) {
	b.Helper()
	var data []byte
	if body != "" {
		data = []byte(body)
	}
	r := b.ask(method, path, data)
	if r.Status >= 300 {
		b.Fatalf("%s %s: %d %s", method, path, r.Status, r.Body)
	}
	if err := json.Unmarshal(r.Body, &out); err != nil {
		b.Fatalf("%s %s: %v: %s", method, path, err, r.Body)
	}
	return out
}

// clean fails if the page reported errors or asked another host.
func (b *tab) clean() {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.wrong) > 0 {
		b.Errorf("the page said %q", b.wrong)
	}
}

type list struct {
	Matches []struct {
		ID      string
		Account string
	}
}

// sample is a match file: of eXtreme Gammon if it is there.
func sample(t *testing.T) []byte {
	t.Helper()
	found, _ := filepath.Glob(root + "/../shared/formats/xg-sample/*.xg")
	if len(found) == 0 {
		found = []string{"../internal/api/testdata/match.mat"}
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A match is imported, reviewed, asked about, rolled out and exported; it survives a reload, is
// there in a second tab and without the network, and is sound in fibsbot.
func TestSite_all(t *testing.T) {
	s, chrome := host(t), browser(t)
	a := open(t, chrome, s, "/matches")
	if r := a.ask("POST", "/api/v1/matches", sample(t)); r.Status != 200 {
		t.Fatalf("import: %d %s", r.Status, r.Body)
	}
	matches := want[list](a, "GET", "/api/v1/matches", "").Matches
	if len(matches) != 1 {
		t.Fatalf("matches: %+v", matches)
	}
	id := matches[0].ID
	if r := a.ask("GET", "/matches/"+id+"/report", nil); r.Status != 200 || !strings.Contains(string(r.Body), "<article id=") {
		t.Errorf("review: %d %.100s", r.Status, r.Body)
	}
	if r := a.ask("GET", "/api/v1/quiz?player=*", nil); r.Status != 200 {
		t.Errorf("quiz: %d %.200s", r.Status, r.Body)
	}
	a.rollOut()
	a.playGame()
	a.run(chromedp.Reload())
	a.ready()
	b := open(t, chrome, s, "/storage")
	if got := len(want[list](b, "GET", "/api/v1/matches", "").Matches); got != 1 {
		t.Errorf("%d matches in a second tab", got)
	}
	a.clean()
	a.stop() // the second tab takes over
	b.ready()
	zip := b.ask("GET", "/api/browser/archive", nil)
	if zip.Status != 200 {
		t.Fatalf("export: %d %s", zip.Status, zip.Body)
	}
	sound(t, zip.Body, 1)
	b.offline(id)
	b.clean()

	// Another browser imports the export; a file that is not a backup changes nothing.
	c := open(t, browser(t), host(t), "/storage")
	if r := c.ask("POST", "/api/browser/archive", []byte("not a zip")); r.Status != 400 || !strings.Contains(string(r.Body), "not an archive backup") {
		t.Errorf("import of another file: %d %s", r.Status, r.Body)
	}
	if r := c.ask("POST", "/api/browser/archive", zip.Body); r.Status != 200 || strings.TrimSpace(string(r.Body)) != `{"matches":1}` {
		t.Errorf("import: %d %s", r.Status, r.Body)
	}
	c.run(chromedp.Reload())
	c.ready()
	if got := want[list](c, "GET", "/api/v1/matches", "").Matches; len(got) != 1 || got[0].ID != id {
		t.Errorf("imported: %+v", got)
	}
}

// rollOut starts a rollout and stops it, which takes effect at once.
func (b *tab) rollOut() {
	b.Helper()
	type job struct{ ID, State string }
	j := want[job](b, "POST", "/api/v1/rollouts", `{"position":"4HPwATDgc/ABMA","dice":[3,1],"trials":100000}`)
	b.wait(fmt.Sprintf(`fibsbot.engine.fetch("/api/v1/jobs/%s").then((r) => r.json()).then((j) => j.state === "running" && j.seconds > 0.5)`, j.ID))
	if got := want[job](b, "DELETE", "/api/v1/jobs/"+j.ID, ""); got.State != "stopped" {
		b.Errorf("a stopped rollout is %q", got.State)
	}
}

// playGame begins a match and shows it in the room Play.
func (b *tab) playGame() {
	b.Helper()
	g := want[struct{ ID string }](b, "POST", "/api/v1/games", `{"length":3,"preset":"beginner"}`)
	b.run(chromedp.Evaluate(`location.hash = "/play?m=`+g.ID+`"`, nil))
	b.wait(`document.getElementById("room").contentDocument?.querySelectorAll("main svg circle").length > 0`)
}

// offline cuts the network and opens the match again.
func (b *tab) offline(id string) {
	b.Helper()
	js[bool](b, `navigator.serviceWorker.ready.then((r) => r.active ? true : false)`)
	b.wait(`navigator.serviceWorker.controller !== null`)
	b.host.Close() // this also cuts what a service worker asks
	b.run(chromedp.Navigate("about:blank"), chromedp.Navigate(b.host.URL+"/club/fibsbot/#/matches"))
	b.ready()
	if got := want[list](b, "GET", "/api/v1/matches", "").Matches; len(got) != 1 || got[0].ID != id {
		b.Errorf("off line: %+v", got)
	}
}

// sound restores an export with the native program and verifies the archive.
func sound(t *testing.T, zip []byte, matches int) {
	t.Helper()
	file, dir := filepath.Join(t.TempDir(), "export.zip"), filepath.Join(t.TempDir(), "archive")
	if err := os.WriteFile(file, zip, 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := backup.Open(t.Context(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	out, err := b.Restore(t.Context(), backup.Target{Dir: dir})
	if err != nil || out.Index.Added != matches || len(out.Index.Bad) > 0 {
		t.Fatalf("restored: %+v, %v", out, err)
	}
	db, err := index.Open(t.Context(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	found, err := verify.Run(t.Context(), db, verify.Options{Protocols: func(string) protocol.Protocol { return nil }})
	if err != nil || len(found.Wrong) > 0 {
		t.Errorf("verified: %+v, %v", found, err)
	}
}

// Without storage the site says so and works until it is closed.
func TestSite_storageDenied(t *testing.T) {
	s := host(t)
	profile := t.TempDir()
	if err := os.MkdirAll(filepath.Join(profile, "Default"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(profile, "Default", "Preferences"), []byte(`{"profile":{"default_content_setting_values":{"cookies":2}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	b := open(t, browser(t, chromedp.UserDataDir(profile)), s, "/matches")
	if text := js[string](b, `document.querySelector("#notice:not([hidden]) span")?.textContent ?? ""`); !strings.HasPrefix(text, "This browser refuses to store data.") {
		t.Errorf("the notice: %q", text)
	}
	if r := b.ask("POST", "/api/v1/matches", sample(t)); r.Status != 200 {
		t.Errorf("import: %d %s", r.Status, r.Body)
	}
	if zip := b.ask("GET", "/api/browser/archive", nil); zip.Status == 200 {
		sound(t, zip.Body, 1)
	} else {
		t.Errorf("export: %d %s", zip.Status, zip.Body)
	}
	b.clean()
}

// nativeSite is the site of fibsbot web with an empty archive.
func nativeSite(t *testing.T) http.Handler {
	t.Helper()
	db := index.OpenMemory(t.TempDir())
	e, err := engine.Open(engine.Options{CacheMB: 16})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	o := web.Options{Version: "v1.2.3"}
	o.API.Engine, o.API.Archive, o.API.Matches = e, db, play.NewStore(filepath.Join(db.Dir(), "play"), db)
	if o.API.Quiz, err = quiz.Open(db, filepath.Join(db.Dir(), "quiz.json"), nil); err != nil {
		t.Fatal(err)
	}
	site, err := web.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(site.Close)
	return site
}
