package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/internal/testsize"
)

// TestAnalyse_listsAndLimits: how many plays are listed, from where on a roll is lucky, and
// whose decisions are judged.
func TestAnalyse_listsAndLimits(t *testing.T) {
	testsize.Medium(t)
	sample := filepath.Join("..", "..", "engine", "analyse", "testdata", "gnubg", "match3.sgf")
	report := func(args ...string) string {
		t.Helper()
		code, out, errOut := cli(t, append([]string{"analyse", sample}, args...)...)
		if code != 0 {
			t.Fatal(errOut)
		}
		return out
	}
	if n, all := strings.Count(report("--stored", "--limit", "1"), "\n    2. "), strings.Count(report("--stored"), "\n    2. "); n >= all {
		t.Errorf("%d second plays with --limit 1, %d without", n, all)
	}
	longest := func(args ...string) (most int) {
		var doc struct {
			Games []struct{ Decisions []struct{ Candidates []any } }
		}
		if err := json.Unmarshal([]byte(report(append([]string{"--stored", "--json"}, args...)...)), &doc); err != nil {
			t.Fatal(err)
		}
		for _, g := range doc.Games {
			for _, d := range g.Decisions {
				most = max(most, len(d.Candidates))
			}
		}
		return most
	}
	if n, all := longest("--limit", "2"), longest(); n != 3 || all <= 3 { // the play made is the third
		t.Errorf("JSON lists %d plays with --limit 2, %d without", n, all)
	}
	lucky := func(out string) string {
		for line := range strings.Lines(out) {
			if strings.Contains(line, "Very lucky / lucky rolls") {
				return line
			}
		}
		return ""
	}
	if a, b := lucky(report("--stored")), lucky(report("--stored", "--luck-marks", "0.05,0.1")); a == b || a == "" {
		t.Errorf("the limits of luck change nothing: %q", a)
	}
	one := filepath.Join(t.TempDir(), "bare.mat")
	if code, _, errOut := cli(t, "convert", sample, one); code != 0 {
		t.Fatal(errOut)
	}
	folder := t.TempDir()
	if code, _, errOut := cli(t, "analyse", one, "--preset", "expert", "--player", "2", "--annotate", folder); code != 0 {
		t.Fatal(errOut)
	}
	code, out, errOut := cli(t, "analyse", "--stored", filepath.Join(folder, "bare.sgf"))
	if code != 0 {
		t.Fatal(errOut)
	}
	for line := range strings.Lines(out) {
		if f := strings.Fields(line); strings.HasPrefix(line, "  PR (performance") && (f[3] != "n/a" || f[4] == "n/a") {
			t.Errorf("--player 2 judged: %s", line)
		}
	}
	for _, args := range [][]string{{"--luck-marks", "0.6,0.3"}, {"--luck-marks", "0.3"}, {"--limit", "-1"}, {"--limit", "25"}} {
		if code, _, errOut := cli(t, append([]string{"analyse", sample}, args...)...); code != 2 || !strings.Contains(errOut, args[0]) {
			t.Errorf("%v: %d %q", args, code, errOut)
		}
	}
}
