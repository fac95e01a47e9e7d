package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/bearoff"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/advice"
	"fibsbot/internal/testsize"
)

// With one checker a side everything can be worked out by hand: from the ace
// point every roll bears off, and a checker in the winner's home loses a backgammon.
func TestBearoffShow_hypergammon(t *testing.T) {
	db := filepath.Join(t.TempDir(), "hyper-1.bearoff")
	if code, _, errOut := cli(t, "bearoff", "build", "hyper", "--checkers", "1", "-o", db); code != cmdline.ExitDone {
		t.Fatal(errOut)
	}
	// The player on roll has a checker on the ace point, the opponent one on the
	// other player's 2 point.
	const id = "XGID=-Aa-----------------------:0:0:1:00:0:0:0:0:10"
	code, out, errOut := cli(t, "bearoff", "show", "--hyper", db, "--json", id)
	if code != cmdline.ExitDone {
		t.Fatal(errOut)
	}
	var v struct {
		Probs   [5]float64
		Centred float64
		Jacoby  float64 `json:"centred_jacoby"`
		Cube    *struct{ Action string }
	}
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatal(err)
	}
	if v.Probs != [5]float64{1, 1, 1, 0, 0} || v.Centred != 3 || v.Jacoby != 1 || v.Cube == nil || v.Cube.Action != "too_good_pass" {
		t.Errorf("a sure backgammon: %s", out)
	}
	code, out, _ = cli(t, "bearoff", "show", "--hyper", db, "--dice", "21", id)
	if code != cmdline.ExitDone || !strings.Contains(out, "1. 1/off ") || !strings.Contains(out, "+3.0000") {
		t.Errorf("plays: status %d\n%s", code, out)
	}
	// By the name of the game, and where only a database of the folder has the position.
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, args := range [][]string{{"hypergammon1", "--hyper", db}, {"hypergammon1", "--bearoff-dir", filepath.Dir(db)}, {"hypergammon1"},
		{"--bearoff-dir", filepath.Dir(db), "XGID=-a----------------------A-:0:0:1:00:0:0:0:0:10"}} {
		code, out, errOut := cli(t, append([]string{"bearoff", "show", "--dice", "41"}, args...)...)
		if code != cmdline.ExitDone || !strings.HasPrefix(out, "AACAAAAAAgAAAA:") || !strings.Contains(out, "hypergammon with 1 checkers, exact") || !strings.Contains(out, "  1. ") {
			t.Errorf("%v: status %d, %s%s", args, code, out, errOut)
		}
	}
	for name, args := range map[string][]string{
		"another game":    {"--hyper", db, "hypergammon2"},
		"no database yet": {"hypergammon"},
		"a match":         {"--hyper", db, "XGID=-Aa-----------------------:0:0:1:00:0:0:0:5:10"},
		"three checkers":  {"--hyper", db, "AACgAgAAKgAAAA"},
		"no database":     {"--hyper", filepath.Join(t.TempDir(), "none"), id},
		"no roll":         {"--hyper", db, "--dice", "71", id},
	} {
		if code, _, errOut := cli(t, append([]string{"bearoff", "show"}, args...)...); code != cmdline.ExitUsage || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s: status %d, %q", name, code, errOut)
		}
	}
}

// Far behind, a slower play wins more often: it leaves more doubles that work.
func TestBearoffShow_desperation(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	code, out, errOut := cli(t, "bearoff", "show", "LwAAwDwBAAAAAA", "--dice", "21")
	if code != cmdline.ExitDone || !strings.Contains(out, "21: 5/3 1/off wins 11.789 %; 3/off is quicker and wins 7.877 %") {
		t.Errorf("status %d\n%s%s", code, out, errOut)
	}
}

// A damaged file is what verify is there to find; a file of another kind or none at
// all is the user's mistake.
func TestBearoffVerify_tellsDamageFromMistakes(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "two-3x6.bearoff")
	if code, _, errOut := cli(t, "bearoff", "build", "two", "--checkers", "3", "-o", db); code != cmdline.ExitDone {
		t.Fatal(errOut)
	}
	text, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	damaged := append([]byte(nil), text...)
	damaged[len(damaged)/2] ^= 1
	for name, c := range map[string]struct {
		content []byte
		code    int
	}{"sound": {text, cmdline.ExitDone}, "damaged": {damaged, 1}, "short": {text[:1000], 1}, "foreign": {[]byte("hello\n"), cmdline.ExitUsage}, "empty": {nil, cmdline.ExitUsage}} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, c.content, 0o644); err != nil {
			t.Fatal(err)
		}
		code, _, errOut := cli(t, "bearoff", "verify", path)
		if code != c.code || code != cmdline.ExitDone && (strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, path)) {
			t.Errorf("%s: status %d, want %d, %q", name, code, c.code, errOut)
		}
	}
	if code, _, errOut := cli(t, "bearoff", "verify", filepath.Join(dir, "none")); code != cmdline.ExitUsage {
		t.Errorf("no file: status %d, %q", code, errOut)
	}
}

// Files of Sconyers' database are known by their names, and one of a wrong length is named
// by all who meet it.
func TestBearoff_sconyers(t *testing.T) {
	testsize.Medium(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	path := filepath.Join(dir, "bg15_3.dat")
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{"info": {"info", path}, "verify": {"verify", path}, "show": {"show", "--bearoff-dir", dir, "2x0AAOi2AQAAAA"}} {
		_, _, errOut := cli(t, append([]string{"bearoff"}, args...)...)
		if strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, path) || !strings.Contains(errOut, "5 bytes, file 3 of Sconyers' has 1085260000") {
			t.Errorf("%s: %q", name, errOut)
		}
	}
	info := bearoff.Info{Kind: bearoff.KindTwoSided, Points: 6, Checkers: 15, Bytes: 445390704, Path: "bg15_44.dat", Part: 44}
	if got := advice.BearoffFileOf(info).Text(); got != "bg15_44.dat: two-sided, 15 checkers on 6 points, file 44 of Sconyers' 44, 445390704 bytes, no checksum\n" {
		t.Errorf("%q", got)
	}
}

// TestBearoff_approximate builds a database of means and variances, describes it, asks it about
// positions outside the home boards, verifies it, and expects it refused once damaged.
func TestBearoff_approximate(t *testing.T) {
	testsize.Medium(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	db := filepath.Join(dir, "approx.bearoff")
	if code, _, errOut := cli(t, "bearoff", "build", "one", "--approx", "--points", "8", "--checkers", "8", "-o", db); code != cmdline.ExitDone {
		t.Fatal(errOut)
	}
	code, out, errOut := cli(t, "bearoff", "info", "--json", db)
	if code != cmdline.ExitDone || !strings.Contains(out, `"kind":"approximate one-sided","version":2,"points":8,"checkers":8`) {
		t.Errorf("info: status %d\n%s%s", code, out, errOut)
	}
	// Both sides have three checkers on the 8 point and five on the 2 point.
	const id = "XGID=--E-----C--------c-----e--:0:0:1:00:0:0:0:0:10"
	if code, _, errOut := cli(t, "bearoff", "show", id); code != cmdline.ExitUsage || !strings.Contains(errOut, "in no bearoff database") {
		t.Errorf("without it: status %d, %q", code, errOut)
	}
	code, out, errOut = cli(t, "bearoff", "show", "--bearoff-dir", dir, "--json", id)
	var v advice.Bearoff
	if err := json.Unmarshal([]byte(out), &v); code != cmdline.ExitDone || err != nil {
		t.Fatalf("show: status %d, %v\n%s%s", code, err, out, errOut)
	}
	if v.Exact || !v.Approximate || v.OnRoll == nil || v.OnRoll.StdDev < 0.5 || v.OnRoll.MeanRolls != v.Opponent.MeanRolls || v.Probs[0] < 0.6 || v.Probs[0] > 0.8 {
		t.Errorf("show: %s", out)
	}
	if code, out, _ := cli(t, "bearoff", "show", "--bearoff-dir", dir, id); code != cmdline.ExitDone || !strings.Contains(out, "from means and variances") {
		t.Errorf("show: status %d\n%s", code, out)
	}
	if code, _, errOut := cli(t, "bearoff", "verify", db); code != cmdline.ExitDone {
		t.Errorf("verify: %s", errOut)
	}
	text, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(db, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errOut := cli(t, "bearoff", "verify", db); code != cmdline.ExitFailed || !strings.Contains(errOut, "damaged") {
		t.Errorf("verify of a damaged file: status %d, %q", code, errOut)
	}
	sound := filepath.Join(dir, "sound.bearoff")
	text[len(text)/2] ^= 1
	if err := os.WriteFile(sound, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errOut := cli(t, "bearoff", "verify", db, sound); code != cmdline.ExitFailed || strings.Count(errOut, "\n") != 1 || !strings.Contains(out, "sound.bearoff: no errors") {
		t.Errorf("verify of a sound file behind a damaged one: status %d, %q %q", code, out, errOut)
	}
	if code, _, errOut := cli(t, "bearoff", "build", "two", "--checkers", "2", "-o", dir); code != cmdline.ExitUsage || !strings.Contains(errOut, "it is a folder") {
		t.Errorf("a folder as OUT: status %d, %q", code, errOut)
	}
	if code, _, errOut := cli(t, "bearoff", "build", "two", "--approx", "-o", db); code != cmdline.ExitUsage || !strings.Contains(errOut, "--approx") {
		t.Errorf("two-sided: status %d, %q", code, errOut)
	}
}

// What `bearoff build` builds without being told more than the kind, and what it
// refuses.
func TestBearoffBuild_flags(t *testing.T) {
	usual := bearoffBuildFlags{points: 6, checkers: 6}
	for kind, want := range map[string]bearoff.BuildOptions{
		"one":   {Kind: bearoff.KindOneSided, Points: 6, Checkers: 15},
		"two":   {Kind: bearoff.KindTwoSided, Points: 6, Checkers: 6},
		"hyper": {Kind: bearoff.KindHyper, Points: 25, Checkers: 3},
	} {
		o, err := usual.options(kind, false)
		if err != nil || o.Kind != want.Kind || o.Points != want.Points || o.Checkers != want.Checkers || o.Path != bearoff.FileName(o.Kind, o.Points, o.Checkers) {
			t.Errorf("%s: %+v, %v", kind, o, err)
		}
	}
	given := bearoffBuildFlags{points: 9, checkers: 6, approx: true, memory: 3, threads: 2, out: "x"}
	if o, err := given.options("one", true); err != nil || o.Kind != bearoff.KindNormal || o.Points != 9 || o.Checkers != 6 || o.Memory != 3<<20 || o.Threads != 2 || o.Path != "x" {
		t.Errorf("%+v, %v", o, err)
	}
	for want, args := range map[string][]string{
		"one, two or hyper":                    {"three"},
		"two-sided databases have 6 points":    {"two", "--points", "7"},
		`for one-sided databases, not "hyper"`: {"hyper", "--approx"},
		"--memory: -1":                         {"one", "--memory", "-1"},
		"--threads: -1":                        {"one", "--threads", "-1"},
		"19 points":                            {"one", "--points", "19"},
	} {
		code, out, errOut := cli(t, append([]string{"bearoff", "build"}, args...)...)
		if code != cmdline.ExitUsage || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, want) {
			t.Errorf("%v: status %d, %q", args, code, errOut)
		}
	}
}
