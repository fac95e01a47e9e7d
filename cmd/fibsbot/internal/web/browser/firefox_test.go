package browser

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fibsbot/engine/record/link"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/chromium"
	"fibsbot/internal/subprocess"
	"fibsbot/internal/testsize"
)

// probe is a page that opens links in a site beside it, and posts for each the link that the archive then
// gives, or the sentence of the page.
const probe = `<!doctype html><meta charset="utf-8"><iframe src="./" width="1200" height="800"></iframe><script type="module">
const frame = document.querySelector("iframe");
const pause = (ms) => new Promise((go) => setTimeout(go, ms));
const until = async (what) => {
  for (;;) {
    try { const v = what(); if (v) return v; } catch { /* not there yet */ }
    await pause(50);
  }
};
const site = () => frame.contentWindow;
const room = () => site().document.getElementById("room").contentWindow;
window.ran = 0;
const out = [];
await until(() => site().fibsbot.engine.state.phase === "ready");
for (const link of await (await fetch("/probe/links")).json()) {
  const from = out.length % 2 ? "/matches" : "/met"; // the room that the link replaces, or goes to
  site().location.hash = from;
  const ready = { "/met": "table td", "/matches": "#list tbody tr" }[from];
  await until(() => room().location.pathname.endsWith(from + "/") && room().document.querySelector(ready));
  room().document.getElementById("toast").textContent = "";
  site().location.hash = link;
  const got = await until(() => /^#.matches.[0-9a-f]{12}/.exec(site().location.hash)?.[0] || room().document.getElementById("toast").textContent);
  if (!got.startsWith("#")) {
    out.push({ said: got });
    continue;
  }
  await until(() => room().document.getElementById("report").shadowRoot.querySelector("#card svg"));
  const answer = await site().fibsbot.engine.fetch("/api/v1" + got.slice(1) + "/file?to=link");
  out.push({ link: (await answer.text()).trim() });
}
await fetch("/probe/answers", { method: "POST", body: JSON.stringify({ answers: out, ran }) });
</script>`

// refusal is the sentence for a link that cannot be read.
var refusal = regexp.MustCompile(`^(?i:the link to a review cannot be read: [^\n]+)$`)

// Firefox unpacks links to what was packed, and says in a sentence what is wrong with a hostile one.
func TestFirefox_opensLinks(t *testing.T) {
	testsize.Large(t)
	program, err := exec.LookPath("firefox")
	if err != nil {
		if program, err = exec.LookPath("firefox-esr"); err != nil {
			t.Skip("no Firefox")
		}
	}
	samples, err := filepath.Glob(root + "/engine/analyse/testdata/gnubg/*.sgf")
	if err != nil || len(samples) == 0 {
		t.Fatal(err, len(samples))
	}
	var links []string
	for _, file := range samples {
		m, _, err := sgf.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := link.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		links = append(links, strings.TrimSpace(b.String()))
	}
	good := len(links)
	var bomb bytes.Buffer
	z, err := flate.NewWriter(&bomb, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(make([]byte, 200<<20)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	links = append(links, links[0][:len(links[0])-40], strings.Replace(links[0], "=1.", "=9.", 1), "review=1."+base64.RawURLEncoding.EncodeToString(bomb.Bytes()[:40_000]),
		`review=1.<img src=x onerror="top.ran=1">`, `review=1.AAAA"><script>top.ran=1</script>`, `review=<img src=x onerror="top.ran=1">`)

	s := &site{dir: t.TempDir()}
	s.export(t, "v1.2.3")
	var got struct {
		Answers []struct{ Link, Said string }
		Ran     int
	}
	done := make(chan error, 1)
	files := http.FileServer(http.Dir(s.dir))
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case folder + "probe.html":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(probe))
		case "/probe/links":
			_ = json.NewEncoder(w).Encode(links)
		case "/probe/answers":
			done <- json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&got)
		default:
			files.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	ctx, stop := context.WithTimeout(t.Context(), chromium.Patience)
	defer stop()
	firefox := subprocess.Command(ctx, program, "--headless", "--no-remote", "--profile", t.TempDir(), s.URL+folder+"probe.html")
	firefox.Env = append(subprocess.Environ(), "HOME="+t.TempDir(), "MOZ_CRASHREPORTER_DISABLE=1")
	var printed bytes.Buffer
	firefox.Stdout, firefox.Stderr = &printed, &printed
	began := time.Now()
	if err := firefox.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case err = <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	stop()
	_ = firefox.Wait() // it is killed
	if err != nil {
		t.Fatalf("%v; Firefox printed %.1000s", err, printed.String())
	}
	if got.Ran != 0 || len(got.Answers) != len(links) {
		t.Fatalf("a link ran a script (%d), or of %d links %d were answered", got.Ran, len(links), len(got.Answers))
	}
	for i, a := range got.Answers {
		switch {
		case i < good && a.Link != links[i]:
			t.Errorf("%s: the archive of Firefox gives %.80q (%s), not %.80q", samples[i], a.Link, a.Said, links[i])
		case i >= good && !refusal.MatchString(a.Said):
			t.Errorf("%.60q: %q", links[i], a.Said)
		}
	}
	t.Logf("%d links in %s", len(links), time.Since(began).Round(time.Second))
}
