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
	"slices"
	"strings"
	"testing"
	"time"

	"fibsbot/engine/analyse/share"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/chromium"
	"fibsbot/internal/subprocess"
	"fibsbot/internal/testsize"
)

// probe is a page that opens links in a site beside it. It asks for one after another, and posts with the question
// what became of the link before: the link that the archive then gives, or the sentence of the page.
const probe = `<!doctype html><meta charset="utf-8"><iframe src="./" width="1200" height="800"></iframe><script type="module">
const frame = document.querySelector("iframe");
const pause = (ms) => new Promise((go) => setTimeout(go, ms));
const until = async (what) => {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    try { const v = what(); if (v) return v; } catch { /* not there yet */ }
    await pause(50);
  }
  const at = room().document;
  throw new Error("never: " + what + "; at " + site().location.hash + " the room " + at.location.pathname + " says " + at.body.innerText);
};
const site = () => frame.contentWindow;
const room = () => site().document.getElementById("room").contentWindow;
window.ran = 0;
let answer = {};
const next = async () => {
  const got = await fetch("/probe/next", { method: "POST", body: JSON.stringify({ ...answer, ran }) });
  return got.status === 200 && got.json();
};
await until(() => site().fibsbot.engine.state.phase === "ready");
const opened = async (link, from) => {
  site().location.hash = from;
  const ready = { "/met": "table td", "/matches": "#list tbody tr" }[from];
  await until(() => room().location.pathname.endsWith(from + "/") && room().document.querySelector(ready));
  room().document.getElementById("toast").textContent = "";
  site().location.hash = link;
  const got = await until(() => /^#.matches.[0-9a-f]{12}/.exec(site().location.hash)?.[0] || room().document.getElementById("toast").textContent);
  if (!got.startsWith("#")) return { said: got };
  await until(() => room().document.getElementById("report").shadowRoot.querySelector("#card svg"));
  const file = await Promise.race([site().fibsbot.engine.fetch("/api/v1" + got.slice(1) + "/file?to=link"), pause(120_000)]);
  return { link: (await file.text()).trim() };
};
for (let link, n = 0; (link = await next()); n++) { // from the room that the link replaces, or goes to
  answer = await opened(link, n % 2 ? "/matches" : "/met").catch((e) => ({ said: String(e) }));
}
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

// mostGrown bounds what a hostile link takes of memory, in all processes of a browser.
const mostGrown = 64 << 20

// TestBrowsers_openLinks: Chromium and Firefox unpack links to what was packed, and say in a sentence what is
// wrong with a hostile one, for which they take little memory. FIBSBOT_LINKS names a folder with more matches.
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
			grown := 0
			for i, a := range answers {
				if again := i + (len(links)-len(samples))/2; i >= len(samples) && again < len(answers) { // by chance it grows once, not twice
					grown = max(grown, min(a.grown, answers[again].grown))
				}
				switch {
				case i < len(samples) && a.Link != links[i]:
					t.Errorf("%s: the archive of the browser gives %.80q (%s), not %.80q", samples[i], a.Link, a.Said, links[i])
				case i >= len(samples) && !refusal.MatchString(a.Said):
					t.Errorf("%.60q: %q", links[i], a.Said)
				}
			}
			if grown > mostGrown {
				t.Errorf("a hostile link takes %d MB", grown>>20)
			}
			t.Logf("%d links in %s; the hostile ones take %d MB at most", len(links), time.Since(began).Round(time.Second), grown>>20)
		})
	}
}

// linksToOpen returns the links of the samples, followed by hostile ones, each of them twice.
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
		if err := share.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		links = append(links, strings.TrimSpace(b.String()))
	}
	sizes := make([]int, len(samples))
	for i := range samples {
		sizes[i] = len(links[i])
	}
	slices.Sort(sizes)
	t.Logf("%d links of %d to %d characters, half of them up to %d", len(sizes), sizes[0], sizes[len(sizes)-1], sizes[len(sizes)/2])
	good := links[0]
	for _, bad := range []string{`1.<img src=x onerror="top.ran=1">`, `1.AAAA"><script>top.ran=1</script>`, `<img src=x onerror="top.ran=1">`} {
		links = append(links, "review="+bad)
	}
	links = append(links, good[:len(good)-40], strings.Replace(good, "=1.", "=9.", 1))
	var bomb bytes.Buffer
	z, err := flate.NewWriter(&bomb, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	for zeros := make([]byte, 1<<20); bomb.Len() < 675_000; { // 0.7 GB, in an address as long as Firefox takes
		if _, err := z.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []int{40_000, 97_000, 675_000} {
		links = append(links, "review=1."+base64.RawURLEncoding.EncodeToString(bomb.Bytes()[:n]))
	}
	return append(links, links[len(samples):]...), samples
}

// opened is what the probe has of a link.
type opened struct {
	Link, Said string
	Ran        int
	grown      int // bytes that the browser took meanwhile
}

// probed opens the links in a browser.
func (s *site) probed(t *testing.T, links []string, program string, flags func(profile string) []string) []opened {
	t.Helper()
	var got []opened
	var memory meter
	var browser *exec.Cmd
	began, done := false, make(chan error, 1)
	files := http.FileServer(http.Dir(s.dir))
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case folder + "probe.html":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(probe))
		case "/probe/next":
			var a opened
			err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 16<<20)).Decode(&a)
			if began {
				a.grown = memory.stop()
				got = append(got, a)
			}
			began = true
			if err == nil && len(got) < len(links) {
				memory.start(browser.Process.Pid)
				_ = json.NewEncoder(w).Encode(links[len(got)])
				return
			}
			w.WriteHeader(http.StatusNoContent)
			done <- err
		default:
			files.ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	ctx, stop := context.WithTimeout(t.Context(), chromium.Patience+time.Duration(len(links))*15*time.Second)
	defer stop()
	browser = subprocess.Command(ctx, program, append(flags(t.TempDir()), "http://"+server.Listener.Addr().String()+folder+"probe.html")...)
	browser.Env = append(subprocess.Environ(), "HOME="+t.TempDir(), "MOZ_CRASHREPORTER_DISABLE=1")
	var printed bytes.Buffer
	browser.Stdout, browser.Stderr = &printed, &printed
	if err := browser.Start(); err != nil {
		t.Fatal(err)
	}
	server.Start() // the browser waits for it
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
	for i := range got {
		if got[i].Ran != 0 {
			t.Errorf("%.60q ran a script", links[i])
		}
	}
	return got
}
