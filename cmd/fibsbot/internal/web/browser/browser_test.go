package browser

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
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
	"fibsbot/internal/chromium"
	"fibsbot/internal/testsize"
)

// patience bounds what a loaded machine may take.
const patience = 2 * time.Minute

// root is the root of the repository.
const root = "../../../../.."

// built is the program that a clone of the source builds.
var built = sync.OnceValues(func() (*Program, error) { return find(context.Background(), "", "") })

// folder is where the site is on its host.
const folder = "/club/fibsbot/"

// site is a host of static files with the site in a folder.
type site struct {
	*httptest.Server
	dir string
}

// host serves a new site like a plain file server that lets browsers keep files for an hour.
func host(t *testing.T) *site {
	t.Helper()
	testsize.Large(t)
	s := &site{dir: t.TempDir()}
	s.export(t, "v1.2.3")
	files := http.FileServer(http.Dir(s.dir))
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=3600")
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// export writes a version of the site.
func (s *site) export(t *testing.T, version string) {
	t.Helper()
	p, err := built()
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(s.dir, filepath.FromSlash(folder)), version, p); err != nil {
		t.Fatal(err)
	}
}

func TestMain(m *testing.M) { os.Exit(chromium.Run(m)) }

// tab is a page with the site.
type tab struct {
	*testing.T
	host *site
	ctx  context.Context
	stop context.CancelFunc

	mu    sync.Mutex
	wrong []string
}

// open opens a room, after the actions first, and waits until the engine is ready.
func open(t *testing.T, in context.Context, s *site, room string, first ...chromedp.Action) *tab {
	t.Helper()
	b := begin(t, in, s, room, first...)
	b.ready()
	return b
}

// begin opens a room while the engine is loaded.
func begin(t *testing.T, in context.Context, s *site, room string, first ...chromedp.Action) *tab {
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
			if !strings.HasPrefix(e.Request.URL, s.URL+folder) && !strings.HasPrefix(e.Request.URL, "data:") && !strings.HasPrefix(e.Request.URL, "blob:") {
				note("request to another address: " + e.Request.URL)
			}
		case *network.EventResponseReceived:
			if e.Response.Status >= 400 {
				note(fmt.Sprintf("%s: %d", e.Response.URL, e.Response.Status))
			}
		}
	})
	b.run(append(first, network.Enable(), cdpruntime.Enable(), chromedp.Navigate(s.URL+folder+"#"+room))...)
	return b
}

func (b *tab) run(actions ...chromedp.Action) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.Fatalf("%v; the page said %q, the room shows %q", err, b.wrong, b.shown())
	}
}

// shown is the text of the room, to explain a failure.
func (b *tab) shown() (text string) {
	ctx, cancel := context.WithTimeout(b.ctx, 10*time.Second)
	defer cancel()
	_ = chromedp.Run(ctx, chromedp.Evaluate(`document.getElementById("room").contentDocument?.body?.innerText.slice(0, 2000) ?? ""`, &text))
	return text
}

// js returns what an expression is once it is settled.
func js[T any](b *tab, expression string) (out T) {
	b.Helper()
	b.run(chromedp.Evaluate(expression, &out, func(p *cdpruntime.EvaluateParams) *cdpruntime.EvaluateParams {
		return p.WithAwaitPromise(true).WithAllowUnsafeEvalBlockedByCSP(false)
	}))
	return out
}

// wait waits until an expression is true, or a promise of that.
func (b *tab) wait(condition string) {
	b.Helper()
	js[bool](b, `(async () => { while (!await (`+condition+`)) await new Promise((go) => setTimeout(go, 50)); return true; })()`)
}

// settle waits until an expression is true, while the page may be loaded again.
func (b *tab) settle(condition string) {
	b.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		var is bool
		if chromedp.Run(b.ctx, chromedp.Evaluate(condition, &is)) == nil && is {
			return
		}
	}
	b.Fatalf("never: %s", condition)
}

func (b *tab) ready() {
	b.Helper()
	began := time.Now()
	defer func() { b.Logf("the engine is ready after %s", time.Since(began).Round(10*time.Millisecond)) }()
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

// sound restores an export with the native program, verifies the archive and returns its folder.
func sound(t *testing.T, zip []byte, matches int) (dir string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "export.zip")
	dir = filepath.Join(t.TempDir(), "archive")
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
	return dir
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
