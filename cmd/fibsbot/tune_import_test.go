package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/tune"
)

// goldenDuel is the log of a real duel of ten matches, which `duel` summed up as
// "68 differences: +0.12%, standard error 0.15%".
func goldenDuel(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("testdata/supremo-worldclass-5.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestReadValuedDuel_golden(t *testing.T) {
	for _, tail := range []string{"", `{"pair":5,"result":[1,`} { // as a kill leaves it
		l, err := readValuedDuel([]byte(goldenDuel(t) + tail))
		if err != nil {
			t.Fatal(err)
		}
		cell := tune.Cell{A: tune.Setting{Deep: "supremo"}, B: tune.Setting{Deep: "worldclass"}, Length: 5}
		if l.cell != cell || l.differences != (tune.Differences{Seed: 205, Trials: 144}) || len(l.pairs) != 5 {
			t.Fatalf("%+v", l)
		}
		sum := 0.0
		for _, p := range l.pairs {
			sum += p.Edge
		}
		if mean := sum / 5; math.Abs(mean-0.0011895032096429698) > 1e-12 || l.pairs[1].Games != 8 {
			t.Errorf("mean edge %.15f, %d games in pair 1", mean, l.pairs[1].Games)
		}
	}
}

func TestReadValuedDuel_refuses(t *testing.T) {
	golden := goldenDuel(t)
	header, rest, _ := strings.Cut(golden, "\n")
	first, _, _ := strings.Cut(rest, "\n")
	for _, tt := range []struct {
		name, old, new string // a replacement in the golden log
		want           string // in the error
	}{
		{"nothing", golden, "", "line 1: no log of a duel"},
		{"no end of line", golden, header, "line 1: no log of a duel"},
		{"results", header, `{"fibsbot_tune":2,"signature":"x","nets":"y","seed":1,"block":100}`, "line 1: no log of a duel"},
		{"a later format", `"fibsbot_duel":1`, `"fibsbot_duel":2`, "line 1: log of format 2, this program reads 1"},
		{"a header with more in it", `"fibsbot_duel":1`, `"fibsbot_duel":1,"gammons":3`, `line 1: damaged: json: unknown field "gammons"`},
		{"results only", `"trials":144`, `"trials":0`, "line 1: a duel without --differences"},
		{"money", `"length":5`, `"length":0`, "line 1: a duel of money games"},
		{"negative length", `"length":5`, `"length":-5`, "line 1: no such match: -5 points"},
		{"endless", `"length":5`, `"length":5000`, "5000 points"},
		{"with flags", `"b":"worldclass"`, `"b":"worldclass","overrides":"--plies 1"`, `line 1: "supremo" played with "--plies 1"`},
		{"cubeless", `"cubeless":false`, `"cubeless":true`, "line 1: a duel without the cube"},
		{"another engine", `"b":"worldclass"`, `"b":"cmd:gnubg"`, `line 1: "cmd:gnubg" is another engine`},
		{"redefined", `"trials":144`, `"trials":144,"settings":["99c4fde4ce907512","0123456789abcdef"]`, `line 1: "worldclass" was redefined since: it played with settings "0123456789abcdef" and has "f9d2`},
		{"one preset's settings", `"trials":144`, `"trials":144,"settings":["","f9d22ad632218289"]`, `line 1: "supremo" was redefined since`},
		{"no preset", `"a":"supremo"`, `"a":"superman"`, "superman"},
		{"one preset", `"a":"supremo"`, `"a":"worldclass"`, "worldclass against itself"},
		{"no JSON", first, "hello", "line 2: damaged"},
		{"cut", first, first[:60], "line 2: damaged"},
		{"two pairs in a line", first, first + first, "line 2: damaged"},
		{"half a pair", `"edge"`, `"edges"`, "line 2: damaged"},
		{"no edge", first, `{"pair":0,"result":[1,1],"luck":[0,0],"games":6,"differ":3}`, "line 2: not all of a pair"},
		{"one edge", first, `{"pair":0,"result":[1,1],"luck":[0,0],"games":6,"edge":[0.1],"differ":3}`, "line 2: not all of a pair"},
		{"no number of the pair", `"pair":0,`, "", "line 2: not all of a pair"},
		{"twice", `"pair":1,`, `"pair":0,`, "line 3: pair 0 a second time"},
		{"negative pair", `"pair":0,`, `"pair":-1,`, "line 2: pair -1"},
		{"a money game", first, `{"pair":0,"result":[2,-1],"luck":[0,0],"games":6,"edge":[0.1,0.1],"differ":3}`, "line 2: 2 is no result of a match"},
		{"a big edge", first, `{"pair":0,"result":[1,-1],"luck":[0,0],"games":6,"edge":[0.1,99],"differ":3}`, "line 2: an edge of 99 by 3 differences"},
		{"an edge of nothing", first, `{"pair":0,"result":[1,-1],"luck":[0,0],"games":6,"edge":[0.1,0],"differ":0}`, "line 2: an edge of 0.1 by 0 differences"},
		{"no games", first, `{"pair":0,"result":[1,-1],"luck":[0,0],"games":0,"edge":[0.1,0],"differ":1}`, "line 2: 0 games"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(golden, tt.old) {
				t.Fatalf("no %q in the golden log", tt.old)
			}
			_, err := readValuedDuel([]byte(strings.Replace(golden, tt.old, tt.new, 1)))
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

// TestTune_import plays a small duel and takes it into results, where its mean must
// be what duel said; then it takes the golden log in, made to look like this
// program's, and goes on with it.
func TestTune_import(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log, results := filepath.Join(dir, "log"), filepath.Join(dir, "results")
	code, out, errOut := command(t, "", "duel", "expert", "intermediate", "--differences", "--trials", "1", "--matches", "4", "--length", "1", "--log", log, "--json")
	if code != 0 {
		t.Fatalf("status %d: %s", code, errOut)
	}
	var duel duelJSON
	if err := json.Unmarshal([]byte(out), &duel); err != nil {
		t.Fatal(err)
	}
	code, out, errOut = command(t, "", "tune", "import", log, "-o", results)
	if code != 0 || errOut != "" || !strings.Contains(out, "expert v noise:0.03:0, 1 points: 2 pairs added, 0 there already") {
		t.Fatalf("status %d: %s %s", code, out, errOut)
	}
	store, _, err := readResults(results)
	if err != nil {
		t.Fatal(err)
	}
	totals := store.Totals()
	if len(totals) != 1 || !totals[0].Differences || *duel.Edge <= 0 ||
		math.Abs(totals[0].Mean-0.5-*duel.Edge/2) > 1e-12 || math.Abs(math.Sqrt(totals[0].Variance/2)-*duel.EdgeStderr/2) > 1e-12 {
		t.Errorf("%+v, the duel said %v ± %v", totals, *duel.Edge, *duel.EdgeStderr)
	}

	own, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(own), "\n")
	var h duelHeader
	if err := json.Unmarshal([]byte(head), &h); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(goldenDuel(t), "\n")
	var from duelHeader
	if err := json.Unmarshal([]byte(lines[0]), &from); err != nil {
		t.Fatal(err)
	}
	golden := strings.NewReplacer(from.Nets, h.Nets, from.Signature, h.Signature).Replace(lines[0])
	for i, tt := range []struct{ text, want string }{
		{strings.Join(lines[1:4], ""), "supremo v worldclass, 5 points: 3 pairs added, 0 there already"},
		{strings.Join(lines[1:], ""), "2 pairs added, 3 there already"},
	} {
		code, out, errOut := command(t, "", "tune", "import", writeFile(t, "golden", golden+tt.text), "-o", results)
		if code != 0 || !strings.Contains(out, tt.want) || !strings.Contains(errOut, "it cannot tell whether supremo or worldclass was redefined since") {
			t.Errorf("%d: status %d: %s %s", i, code, out, errOut)
		}
	}
	if code, out, errOut = command(t, "", "tune", "report", results, "--residuals"); code != 0 ||
		!strings.Contains(out, "14 matches (14 of them valued by differences)") || !strings.Contains(out, "supremo v worldclass, 5 points, by differences") {
		t.Errorf("status %d: %s %s", code, out, errOut)
	}

	before, err := os.ReadFile(results)
	if err != nil {
		t.Fatal(err)
	}
	strange := writeFile(t, "strange", strings.Replace(string(before), store.Header.Signature, "0123456789abcdef", 1))
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"other values":     {[]string{writeFile(t, "l", golden+strings.Replace(strings.Join(lines[1:], ""), `"games":6`, `"games":7`, 1)), "-o", results}, "is there with other values"},
		"other nets":       {[]string{writeFile(t, "l", strings.Replace(golden, h.Nets, "other", 1)), "-o", results}, `with nets "other", this one is`},
		"other engine":     {[]string{writeFile(t, "l", strings.Replace(golden, h.Signature, "0123456789abcdef", 1)), "-o", results}, `played by engine "0123456789abcdef"`},
		"another preset":   {[]string{writeFile(t, "l", strings.Replace(string(own), h.Settings[1], "0123456789abcdef", 1)), "-o", results}, `"intermediate" was redefined since`},
		"other results":    {[]string{log, "-o", strange}, "results of another version: engine 0123456789abcdef"},
		"good and damaged": {[]string{writeFile(t, "l", golden+strings.Join(lines[1:], "")), writeFile(t, "l", golden+"x\n"), "-o", results}, "line 2: damaged"},
		"no log":           {[]string{filepath.Join(dir, "none"), "-o", results}, "no such file"},
		"a folder":         {[]string{dir, "-o", results}, "is a directory"},
	} {
		code, out, errOut := command(t, "", append([]string{"tune", "import"}, tt.args...)...)
		if code != 2 || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, tt.want) {
			t.Errorf("%s: status %d, %q %q; want %q", name, code, out, errOut, tt.want)
		}
	}
	if after, err := os.ReadFile(results); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the results changed: %v", err)
	}

	// The same duel of a supremo that was set in another way: told of by report,
	// refused by what would add to it.
	other := writeFile(t, "other", strings.ReplaceAll(string(before), `"differences":{"seed":205,"trials":144}`, `"differences":{"seed":205,"trials":144},"presets":["0123456789abcdef",""]`))
	if code, _, errOut := command(t, "", "tune", "report", other); code != 0 || !strings.Contains(errOut, "preset supremo was redefined since") {
		t.Errorf("report: status %d, %s", code, errOut)
	}
	settled := strings.Replace(golden, `"trials":144`, `"trials":144,"settings":["99c4fde4ce907512","f9d22ad632218289"]`, 1) + lines[1]
	for _, args := range [][]string{{"import", writeFile(t, "l", settled), "-o", other}, {"measure", "--pair", "supremo,expert", "--lengths", "1", "-o", other}} {
		code, out, errOut := command(t, "", append([]string{"tune"}, args...)...)
		if code != 2 || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "preset supremo was redefined") {
			t.Errorf("%s: status %d, %q %q", args[0], code, out, errOut)
		}
	}
}

func FuzzReadValuedDuel(f *testing.F) {
	f.Add([]byte(goldenDuel(f)))
	f.Add([]byte(`{"fibsbot_duel":1,"a":"expert","b":"beginner","length":1,"trials":1}` + "\n" +
		`{"pair":0,"result":[1,-1],"luck":[0,-0],"games":2,"edge":[9,-9.5],"differ":1}` + "\n" + `{"pair":1`))
	f.Add([]byte("{}\n{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := readValuedDuel(data)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n") {
				t.Fatalf("more than a line: %q", err)
			}
			return
		}
		// What was read can be taken in, once, written, read again and fitted.
		store, err := tune.NewStore(tune.Header{BlockSize: 1})
		if err != nil {
			t.Fatal(err)
		}
		took, err := store.AddDifferences(l.cell, l.differences, l.presets, l.pairs)
		if err != nil {
			t.Fatal(err)
		}
		if len(took.Added) != len(l.pairs) {
			t.Fatalf("%d of %d pairs", len(took.Added), len(l.pairs))
		}
		if again, err := store.AddDifferences(l.cell, l.differences, l.presets, l.pairs); err != nil || len(again.Added) != 0 {
			t.Fatalf("again: %d blocks, %v", len(again.Added), err)
		}
		var b bytes.Buffer
		if err := store.Write(&b); err != nil {
			t.Fatal(err)
		}
		if back, _, err := tune.ReadStore(&b); err != nil || back.Len() != store.Len() {
			t.Fatalf("came back: %v", err)
		}
		if fit, err := tune.Fit(store.Totals(), 1900); err == nil {
			for _, v := range fit.Loss {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("loss %v", v)
				}
			}
		}
	})
}
