package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"fibsbot/internal/testsize"
)

// small is a release of one version in which the program is a stand-in that compiles in
// a moment: everything but the compiler is as in a real one.
func small(t *testing.T, nfpm string) *release {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	r := &release{version: "v1.2.3", root: root, out: t.TempDir(), work: t.TempDir(), nfpm: nfpm, platforms: []string{"linux/amd64", "windows/arm64"},
		at: time.Unix(1_700_000_000, 0).UTC(), say: t.Logf}
	for _, p := range r.platforms {
		ext := ""
		if strings.HasPrefix(p, "windows") {
			ext = ".exe"
		}
		if err := writeFile(filepath.Join(r.work, "bin", strings.ReplaceAll(p, "/", "_"), "fibsbot"+ext), []byte("program for "+p)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// standIn answers for the program with what a release asks of it.
func standIn(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "fibsbot")
	script := "#!/bin/sh\ncase \"$1 $2\" in\n'config init') echo 'accounts: []' >\"$3\" ;;\n'help ') printf 'A bot.\\n\\nAvailable Commands:\\n  run         Play\\n  help        Help\\n\\nFlags:\\n  .x \\\\ -h\\n' ;;\n'web export') mkdir -p \"$3/engine/abc\" && echo site >\"$3/index.html\" && echo notices >\"$3/licences.txt\" && echo bin >\"$3/engine/abc/fibsbot.bin\" && echo js >\"$3/engine/abc/wasm_exec.js\" ;;\n*) echo \"text of $1 $2 in $HOME $XDG_CACHE_HOME $TMPDIR\" ;;\nesac\n"
	if err := os.WriteFile(file, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}

func contentOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = string(data)
	}
	return out
}

// made is a small release, made.
func made(t *testing.T, nfpm string) *release {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: no shell for the stand-in")
	}
	r := small(t, nfpm)
	r.host = standIn(t)
	t.Setenv("TMPDIR", r.work) // another one each time, as other machines have
	t.Setenv("XDG_CACHE_HOME", r.work)
	mods, err := r.modules(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	common, err := r.common(t.Context(), mods)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.site(t.Context(), common); err != nil {
		t.Fatal(err)
	}
	for _, p := range r.platforms {
		binary, err := r.build(t.Context(), r.root, p)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.archive(p, binary, common); err != nil {
			t.Fatal(err)
		}
		if nfpm != "" && strings.HasPrefix(p, "linux/") {
			if err := r.packages(t.Context(), p, binary, common); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := r.sbom(mods); err != nil {
		t.Fatal(err)
	}
	if err := r.sums(); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRelease_twoAreEqual: made twice, in other folders and at another time, every file
// has the same bytes; packages too where nfpm is installed.
func TestRelease_twoAreEqual(t *testing.T) {
	testsize.Large(t)
	nfpm := nfpmPath()
	a := contentOf(t, made(t, nfpm).out)
	time.Sleep(1100 * time.Millisecond) // another second for whoever looks at the clock
	b := contentOf(t, made(t, nfpm).out)
	want := 5
	if nfpm != "" {
		want = 7
	} else {
		t.Log("without packages: nfpm is not installed")
	}
	if len(a) != want || len(b) != want {
		t.Errorf("%d and %d files, want %d", len(a), len(b), want)
	}
	for name := range a {
		if a[name] != b[name] {
			t.Errorf("%s differs", name)
		}
	}
	sums := a["SHA256SUMS"]
	for name := range a {
		if name != "SHA256SUMS" && !regexp.MustCompile(`(?m)^[0-9a-f]{64}  `+regexp.QuoteMeta(name)+`$`).MatchString(sums) {
			t.Errorf("%s is not in SHA256SUMS", name)
		}
	}
}

func nfpmPath() string {
	if p := os.Getenv("FIBSBOT_NFPM"); p != "" {
		return p
	}
	p, _ := exec.LookPath("nfpm")
	return p
}

// TestRelease_whatIsInIt: licences of every dependency, and a list that names them.
func TestRelease_whatIsInIt(t *testing.T) {
	testsize.Medium(t)
	r := made(t, "")
	out, err := exec.Command("tar", "tzvf", filepath.Join(r.out, "fibsbot-1.2.3-linux-amd64.tar.gz")).Output()
	if err != nil {
		t.Skipf("skipped: no tar: %v", err)
	}
	for _, want := range []string{"/fibsbot\n", "/THIRD-PARTY.txt", "/LICENSE", "/bot.yaml", "/completions/zsh/_fibsbot", "/man/fibsbot-run.1", "/systemd/fibsbot.service", "/browser/fibsbot.bin", "/browser/wasm_exec.js", "/browser/licences.txt", "/browser/version.txt", "-rwxr-xr-x root/root"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	var b bom
	data, err := os.ReadFile(filepath.Join(r.out, "fibsbot-1.2.3.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &b); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, c := range b.Components {
		names[c.Name] = len(c.Licences) > 0
	}
	for _, want := range []string{"std", "github.com/spf13/cobra", "modernc.org/sqlite", "github.com/nats-io/nats-server/v2"} {
		if !names[want] {
			t.Errorf("%s is not listed with its licence", want)
		}
	}
	if names["github.com/google/go-cmp"] {
		t.Error("what only tests use is listed")
	}
}

// Packages have the engine for browsers where fibsbot in /usr/bin looks for it.
func TestNfpmConfig_browser(t *testing.T) {
	r := &release{version: "v1.2.3", at: time.Unix(0, 0).UTC()}
	conf, err := r.nfpmConfig(t.TempDir(), "linux/amd64", "fibsbot", tree{"browser/fibsbot.bin": []byte("engine"), "README.md": []byte("text")})
	if err != nil {
		t.Fatal(err)
	}
	places := []string{}
	for _, c := range conf["contents"].([]content) {
		places = append(places, c.Dst)
	}
	for _, want := range []string{"/usr/bin/fibsbot", "/usr/share/fibsbot/browser/fibsbot.bin", "/usr/share/doc/fibsbot/README.md"} {
		if !slices.Contains(places, want) {
			t.Errorf("no %s in %q", want, places)
		}
	}
}

func TestPage(t *testing.T) {
	r := &release{version: "v1", at: time.Unix(0, 0).UTC()}
	got := string(r.page("fibsbot-run", "Play -x", []byte(".dot\n'quote\n a \\ b --flag\n"), nil))
	for _, want := range []string{".TH FIBSBOT-RUN 1 1970-01-01", `\&.dot`, `\&'quote`, ` a \e b \-\-flag`, `fibsbot\-run \- Play \-x`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestRun_refuses(t *testing.T) {
	t.Chdir("../..")
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-version", "1.2"}, "-version"},
		{[]string{"-version", "v1.2.3", "-platforms", "plan9/mips"}, "unknown platform"},
		{[]string{"-version", "v1.2.3", "-nfpm", "no-such-program"}, "go tool"},
		{[]string{"-version", "v1.2.3", "-nfpm", "", "-out", "docs"}, "not empty"},
	} {
		if err := run(context.Background(), tt.args); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v, want %q", tt.args, err, tt.want)
		}
	}
}

// TestRelease_all is the whole thing, twice: FIBSBOT_RELEASE=all (an hour on two cores),
// or platforms with commas between.
func TestRelease_all(t *testing.T) {
	which := os.Getenv("FIBSBOT_RELEASE")
	if which == "" {
		t.Skip("skipped: FIBSBOT_RELEASE=all makes a whole release twice")
	}
	if which == "all" {
		which = strings.Join(platforms, ",")
	}
	t.Chdir("../..")
	var got [2]map[string]string
	for i := range got {
		out := filepath.Join(t.TempDir(), fmt.Sprint(i))
		if err := run(t.Context(), []string{"-version", "v1.2.3", "-out", out, "-nfpm", nfpmPath(), "-platforms", which}); err != nil {
			t.Fatal(err)
		}
		got[i] = contentOf(t, out)
	}
	for name, body := range got[0] {
		if !bytes.Equal([]byte(body), []byte(got[1][name])) {
			t.Errorf("%s differs", name)
		}
	}
	t.Logf("%d files are equal", len(got[0]))
}
