package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/fibslab/internal/ratings"
	"fibsbot/engine"
	"fibsbot/engine/bench"
	"fibsbot/engine/duel"
	"fibsbot/engine/preset"
	"fibsbot/internal/testsize"
)

// goldenDuel is the log of a real duel of ten matches, which `duel` summed up as
// "68 differences: +0.12%, standard error 0.15%".
func goldenDuel(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("internal/ratings/testdata/supremo-worldclass-5.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestTune_import plays a small duel and imports it, where its mean must be the duel's; then it imports
// the golden log, changed to this program's nets, in two parts.
func TestTune_import(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	dir := t.TempDir()
	log, file := filepath.Join(dir, "log"), filepath.Join(dir, "results")
	played := smallDuel(t, log)
	code, out, errOut := here(t, "tune", "import", log, "-o", file)
	if code != 0 || errOut != "" || !strings.Contains(out, "expert v noise:0.03:0, 1 points: 2 pairs added, 0 known") {
		t.Fatalf("status %d: %s %s", code, out, errOut)
	}
	store, err := ratings.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	totals := store.Totals()
	if len(totals) != 1 || !totals[0].Differences || *played.Edge <= 0 ||
		math.Abs(totals[0].Mean-0.5-*played.Edge/2) > 1e-12 || math.Abs(math.Sqrt(totals[0].Variance/2)-*played.EdgeStderr/2) > 1e-12 {
		t.Errorf("%+v, the duel said %v ± %v", totals, *played.Edge, *played.EdgeStderr)
	}

	own, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(own), "\n")
	var h duel.Header
	if err := json.Unmarshal([]byte(head), &h); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(goldenDuel(t), "\n")
	var from duel.Header
	if err := json.Unmarshal([]byte(lines[0]), &from); err != nil {
		t.Fatal(err)
	}
	golden := strings.NewReplacer(from.Nets, h.Nets, from.Signature, h.Signature).Replace(lines[0])
	for i, tt := range []struct{ text, want string }{
		{strings.Join(lines[1:4], ""), "supremo v worldclass, 5 points: 3 pairs added, 0 known"},
		{strings.Join(lines[1:], ""), "2 pairs added, 3 known"},
	} {
		code, out, errOut := here(t, "tune", "import", writeFile(t, "golden", golden+tt.text), "-o", file)
		if code != 0 || !strings.Contains(out, tt.want) || !strings.Contains(errOut, "it does not record the settings of supremo and worldclass") {
			t.Errorf("%d: status %d: %s %s", i, code, out, errOut)
		}
	}
	if code, out, errOut = here(t, "tune", "report", file, "--residuals"); code != 0 ||
		!strings.Contains(out, "14 matches (14 of them valued by differences)") || !strings.Contains(out, "supremo v worldclass, 5 points, by differences") {
		t.Errorf("status %d: %s %s", code, out, errOut)
	}

	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	strange := writeFile(t, "strange", strings.Replace(string(before), store.Header.Signature, "0123456789abcdef", 1))
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"other values":     {[]string{writeFile(t, "l", golden+strings.Replace(strings.Join(lines[1:], ""), `"games":6`, `"games":7`, 1)), "-o", file}, "is there with other values"},
		"other nets":       {[]string{writeFile(t, "l", strings.Replace(golden, h.Nets, "other", 1)), "-o", file}, `with nets "other", this one is`},
		"other engine":     {[]string{writeFile(t, "l", strings.Replace(golden, h.Signature, "0123456789abcdef", 1)), "-o", file}, `played by engine "0123456789abcdef"`},
		"another preset":   {[]string{writeFile(t, "l", strings.Replace(string(own), h.Settings[1], "0123456789abcdef", 1)), "-o", file}, `"intermediate" was redefined since`},
		"other results":    {[]string{log, "-o", strange}, "results of another version: engine 0123456789abcdef"},
		"good and damaged": {[]string{writeFile(t, "l", golden+strings.Join(lines[1:], "")), writeFile(t, "l", golden+"x\n"), "-o", file}, "line 2: damaged"},
		"no log":           {[]string{filepath.Join(dir, "none"), "-o", file}, "no such file"},
		"a folder":         {[]string{dir, "-o", file}, "is a folder"},
	} {
		code, out, errOut := here(t, append([]string{"tune", "import"}, tt.args...)...)
		if code != 2 || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, tt.want) {
			t.Errorf("%s: status %d, %q %q; want %q", name, code, out, errOut, tt.want)
		}
	}
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the results changed: %v", err)
	}

	// The same duel of a supremo with other settings: named by report, refused by commands that would add
	// to it.
	other := writeFile(t, "other", strings.ReplaceAll(string(before), `"differences":{"seed":205,"trials":144}`, `"differences":{"seed":205,"trials":144},"presets":["0123456789abcdef",""]`))
	if code, _, errOut := here(t, "tune", "report", other); code != 0 || !strings.Contains(errOut, "preset supremo was redefined after these matches") {
		t.Errorf("report: status %d, %s", code, errOut)
	}
	settled := strings.Replace(golden, `"trials":144`, `"trials":144,"settings":["47d661f3310c7a62","88ab05c65ab6085f"]`, 1) + lines[1]
	for _, args := range [][]string{{"import", writeFile(t, "l", settled), "-o", other}, {"measure", "--pair", "supremo,expert", "--lengths", "1", "-o", other}} {
		code, out, errOut := here(t, append([]string{"tune"}, args...)...)
		if code != 2 || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "preset supremo was redefined") {
			t.Errorf("%s: status %d, %q %q", args[0], code, out, errOut)
		}
	}
}

// smallDuel plays expert against intermediate by differences, four matches to one point, as fibsbot duel
// does, and returns the result; path is its log.
func smallDuel(t *testing.T, path string) duel.Result {
	t.Helper()
	e, err := engine.Open(engine.Options{CacheMB: 8, Threads: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() }) // nothing is written
	plan := duel.Plan{Length: 1, Seed: 1, Trials: 1}
	h := duel.Header{Version: duel.LogVersion, A: "expert", B: "intermediate", Length: 1, Seed: 1, Trials: 1, Nets: e.Manifest().Name}
	if h.Signature, err = bench.Signature(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	run := duel.Run{Settings: plan.Settings(e), Pairs: 2, Jobs: 1}
	for i, name := range []string{h.A, h.B} {
		p, err := preset.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		run.Players[i], h.Settings[i] = duel.Preset(e, p), p.Fingerprint()
	}
	log, err := duel.ResumeLog(path, h)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	run.Keep = log.Keep
	pairs, _, err := run.Play(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return duel.Summarise(pairs, run.Settings)
}
