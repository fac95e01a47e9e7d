package browser

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
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

// programs are the browsers that open links, by their possible names, with the flags for a profile of their own.
var programs = map[string]func(profile string) []string{
	"chromium": func(profile string) []string {
		return []string{"--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + profile}
	},
	"firefox-esr firefox": func(profile string) []string { return []string{"--headless", "--no-remote", "--profile", profile} },
}

// TestBrowsers_openLinks: Chromium and Firefox unpack links to what was packed, and say in a sentence what is
// wrong with a hostile one. FIBSBOT_LINKS names a folder with more matches.
func TestBrowsers_openLinks(t *testing.T) {
	testsize.Large(t)
	links, samples := linksToOpen(t)
	s := &site{dir: t.TempDir()}
	s.export(t, "v1.2.3")
	for names, flags := range programs {
		t.Run(names, func(t *testing.T) {
			var program string
			for _, name := range strings.Fields(names) {
				if path, err := exec.LookPath(name); err == nil {
					program = path
				}
			}
			if program == "" {
				t.Skip("it is not installed")
			}
			began := time.Now()
			answers := s.probed(t, links, program, flags)
			for i, a := range answers {
				switch {
				case i < len(samples) && a.Link != links[i]:
					t.Errorf("%s: the archive of the browser gives %.80q (%s), not %.80q", samples[i], a.Link, a.Said, links[i])
				case i >= len(samples) && !refusal.MatchString(a.Said):
					t.Errorf("%.60q: %q", links[i], a.Said)
				}
			}
			t.Logf("%d links in %s", len(links), time.Since(began).Round(time.Second))
		})
	}
}

// linksToOpen returns the links of the samples, followed by hostile ones.
func linksToOpen(t *testing.T) (links, samples []string) {
	t.Helper()
	dir := root + "/engine/analyse/testdata/gnubg"
	if more := os.Getenv("FIBSBOT_LINKS"); more != "" {
		dir = more
	}
	samples, err := filepath.Glob(dir + "/*.sgf")
	if err != nil || len(samples) == 0 {
		t.Fatal(err, len(samples))
	}
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
	return append(links, links[0][:len(links[0])-40], strings.Replace(links[0], "=1.", "=9.", 1), "review=1."+base64.RawURLEncoding.EncodeToString(bomb.Bytes()[:40_000]),
		`review=1.<img src=x onerror="top.ran=1">`, `review=1.AAAA"><script>top.ran=1</script>`, `review=<img src=x onerror="top.ran=1">`), samples
}

// opened is what the probe has of a link.
type opened struct{ Link, Said string }

// probed opens the links in a browser.
func (s *site) probed(t *testing.T, links []string, program string, flags func(profile string) []string) []opened {
	t.Helper()
	var got struct {
		Answers []opened
		Ran     int
	}
	done := make(chan error, 1)
	files := http.FileServer(http.Dir(s.dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case folder + "probe.html":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(probe))
		case "/probe/links":
			_ = json.NewEncoder(w).Encode(links)
		case "/probe/answers":
			done <- json.NewDecoder(http.MaxBytesReader(w, r.Body, 16<<20)).Decode(&got)
		default:
			files.ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	ctx, stop := context.WithTimeout(t.Context(), chromium.Patience+time.Duration(len(links))*5*time.Second)
	defer stop()
	browser := subprocess.Command(ctx, program, append(flags(t.TempDir()), server.URL+folder+"probe.html")...)
	browser.Env = append(subprocess.Environ(), "HOME="+t.TempDir(), "MOZ_CRASHREPORTER_DISABLE=1")
	var printed bytes.Buffer
	browser.Stdout, browser.Stderr = &printed, &printed
	if err := browser.Start(); err != nil {
		t.Fatal(err)
	}
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	stop()
	_ = browser.Wait() // it is killed
	if err != nil {
		t.Fatalf("%v; the browser printed %.1000s", err, printed.String())
	}
	if got.Ran != 0 || len(got.Answers) != len(links) {
		t.Fatalf("a link ran a script (%d), or of %d links %d were answered", got.Ran, len(links), len(got.Answers))
	}
	return got.Answers
}
