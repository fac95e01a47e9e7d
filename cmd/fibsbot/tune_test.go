package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/tune"
	"fibsbot/engine/tune/results"
)

const testTable = `{"nets":"test","signature":"x","anchor":1900,"ratings":[
{"setting":"noise:0.03:0.03","length":5,"rating":1600,"standard_error":10},
{"setting":"noise:0.06:0.06","length":5,"rating":1200,"standard_error":12},
{"setting":"human:0.1:0.1","length":5,"rating":1300,"standard_error":12},
{"setting":"worldclass","length":5,"rating":1929.7,"standard_error":8}]}`

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTune_targetRating(t *testing.T) {
	table := writeFile(t, "table.json", testTable)
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string // in stdout, or in stderr where code is not 0
	}{
		{"at a measured point", []string{"--target-rating", "1600"}, 0, "noise:0.03:0.03: expected at 1600, 90 % interval 1584 to 1616"},
		{"human", []string{"--target-rating", "1300", "--style", "human"}, 0, "human errors: checker 0.1, cube 0.1"},
		{"above expert", []string{"--target-rating", "1915"}, 0, "worldclass:0.5051: expected at 1915, 90 % interval 1908 to 1922, in matches of 5 points\n2 plies in 50.51 % of the decisions"},
		{"unlimited", []string{"--target-rating", "1600", "--length", "0"}, 0, "in unlimited matches"},
		{"above expert with poor cubes", []string{"--target-rating", "1915", "--cube-error", "0.1"}, 2, "rating 1915 is out of reach with a cube error of 0.1"},
		{"the strongest, as it is told", []string{"--target-rating", "1930"}, 0, "worldclass: expected at 1930"},
		{"too strong", []string{"--target-rating", "2100"}, 2, "rating 2100 is out of reach: the measured settings play between 1200 and 1930 in matches of 5 points"},
		{"too weak", []string{"--target-rating", "900", "--length", "0"}, 2, "out of reach"},
		{"no rating", nil, 2, "--target-rating is missing"},
		{"no style", []string{"--target-rating", "1600", "--style", "odd"}, 2, "there are noise and human"},
		{"half an order to write", []string{"--target-rating", "1600", "--name", "x"}, 2, "go together"},
		{"bad length", []string{"--target-rating", "1600", "--length", "-3"}, 2, "-3 points"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, out, errOut := command(t, "", append([]string{"tune", "--table", table}, tt.args...)...)
			text := out
			if tt.code != 0 {
				text = errOut
				if out != "" || strings.Count(errOut, "\n") != 1 {
					t.Errorf("want one line on stderr: %q %q", out, errOut)
				}
			}
			if code != tt.code || !strings.Contains(text, tt.want) {
				t.Errorf("status %d, %q; want %d, %q", code, text, tt.code, tt.want)
			}
		})
	}
	if code, out, errOut := command(t, "", "tune", "--target-rating", "1700", "--json"); code != 0 || !strings.Contains(out, `"checker_noise"`) {
		t.Errorf("with the table in the program: status %d, %s %s", code, out, errOut)
	}
}

func TestTune_writesAPresetAndKeepsTheRest(t *testing.T) {
	table := writeFile(t, "table.json", testTable)
	const before = "# my bot\naccounts:\n  - name: robot # the account\n    password_env: X\n\n# own presets\npresets: {}\nstrength:\n  preset: expert # default\n"
	path := writeFile(t, "bot.yaml", before)
	t.Setenv("X", "secret")
	for _, style := range []string{"noise", "human"} { // the second time it is changed
		code, _, errOut := command(t, "", "tune", "--table", table, "--target-rating", "1600", "--style", style, "--write", path, "--name", "club")
		if code != 0 {
			t.Fatalf("status %d: %s", code, errOut)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for _, keep := range []string{"# my bot", "# the account", "# own presets", "preset: expert # default", "club:", "base: expert"} {
			if !strings.Contains(text, keep) {
				t.Errorf("%s: %q is lost in\n%s", style, keep, text)
			}
		}
		if strings.Count(text, "club:") != 1 || strings.Contains(text, "style: human") != (style == "human") {
			t.Errorf("%s:\n%s", style, text)
		}
		if code, out, errOut := command(t, "", "config", "check", "-c", path); code != 0 {
			t.Errorf("%s: config check: %d %s %s", style, code, out, errOut)
		}
	}
	for name, args := range map[string][]string{
		"built-in name": {"--write", path, "--name", "expert"}, "bad name": {"--write", path, "--name", "No Way"},
		"no file": {"--write", path + "x", "--name", "club"}, "no map": {"--write", writeFile(t, "list.yaml", "- a\n"), "--name", "club"},
	} {
		if code, _, errOut := command(t, "", append([]string{"tune", "--table", table, "--target-rating", "1600"}, args...)...); code != 2 || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s: status %d, %s", name, code, errOut)
		}
	}
}

func TestTune_measureMergeReport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b, all := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "all")
	for i, out := range []string{a, b} {
		shard := []string{"0/2", "1/2"}[i]
		code, _, errOut := command(t, "", "tune", "measure", "--pair", "expert,beginner", "--lengths", "1", "--block", "1", "--max-pairs", "2", "--shard", shard, "-o", out)
		if code != 0 {
			t.Fatalf("status %d: %s", code, errOut)
		}
	}
	if code, out, errOut := command(t, "", "tune", "merge", all, a, b); code != 0 || !strings.Contains(out, "4 blocks") {
		t.Fatalf("status %d: %s %s", code, out, errOut)
	}
	if code, _, errOut := command(t, "", "tune", "merge", all, a, a); code != 2 || !strings.Contains(errOut, "duplicate") {
		t.Errorf("merged with itself: status %d, %s", code, errOut)
	}
	chart, table := filepath.Join(dir, "c.svg"), filepath.Join(dir, "t.json")
	code, out, errOut := command(t, "", "tune", "report", all, "--residuals", "--errors", "--chart", chart, "--save", table)
	if code != 0 || !strings.Contains(out, "expert v noise:0.06:0, 1 points") || !strings.Contains(out, "the share of all loss") {
		t.Fatalf("status %d: %s %s", code, out, errOut)
	}
	if data, err := os.ReadFile(chart); err != nil || !strings.Contains(string(data), "<svg") {
		t.Errorf("chart: %v", err)
	}
	if code, out, errOut := command(t, "", "tune", "report", "--table", table, "--json"); code != 0 {
		t.Errorf("saved table: status %d, %s", code, errOut)
	} else {
		var got tune.Table
		if err := json.Unmarshal([]byte(out), &got); err != nil || got.Matches != 8 || len(got.Ratings) != 2 {
			t.Errorf("%+v, %v", got, err)
		}
	}
	for name, args := range map[string][]string{
		"another seed":       {"measure", "--seed", "2", "--block", "1", "-o", a},
		"other dice":         {"measure", "--rng", "chacha8", "--block", "1", "-o", a},
		"another block size": {"measure", "--block", "2", "-o", a},
		"no shard":           {"measure", "--shard", "3/2", "-o", a},
		"no plan":            {"measure", "--plan", "nothing", "-o", a},
		"no length":          {"measure", "--lengths", "0", "-o", a},
		"no results":         {"report", chart},
		"no chart":           {"report", all, "--chart", "c.gif"},
	} {
		if code, _, errOut := command(t, "", append([]string{"tune"}, args...)...); code != 2 || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s: status %d, %s", name, code, errOut)
		}
	}
}

func TestTune_gate(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "gate")
	args := []string{"tune", "gate", "noise:0.08:0.08", "expert", "--length", "1", "--high", "300", "--alpha", "0.2", "--beta", "0.2", "--least", "10", "--results", file}
	code, out, errOut := command(t, "", args...)
	if code != 0 || !strings.HasPrefix(out, "stronger: expert v noise:0.08:0.08: ") {
		t.Fatalf("status %d: %s %s", code, out, errOut)
	}
	if code, again, _ := command(t, "", args...); code != 0 || again != out {
		t.Errorf("gone on: status %d, %s", code, again)
	}
	if code, _, errOut := command(t, "", append(args, "--rng", "chacha8")...); code != 2 || !strings.Contains(errOut, "another pair of sides, seed, dice") {
		t.Errorf("gone on with other dice: status %d, %s", code, errOut)
	}
	if code, _, errOut := command(t, "", "tune", "gate", "expert", "expert"); code != 2 || !strings.Contains(errOut, "play alike") {
		t.Errorf("the same: status %d, %s", code, errOut)
	}
	if code, _, errOut := command(t, "", "tune", "gate", "expert", "nosuch.weights"); code != 2 || strings.Count(errOut, "\n") != 1 {
		t.Errorf("no file: status %d, %s", code, errOut)
	}
	if code, _, errOut := command(t, "", "tune", "gate", "beginner", "expert", "--low", "20"); code != 2 || !strings.Contains(errOut, "--low") {
		t.Errorf("bad test: status %d, %s", code, errOut)
	}
}

func TestTune_check(t *testing.T) {
	t.Parallel()
	table := writeFile(t, "table.json", strings.ReplaceAll(testTable, `"length":5`, `"length":1`)) // short ones, for the race detector
	args := []string{"tune", "check", "--table", table, "--lengths", "1", "--styles", "noise", "--max-pairs", "50", "--interval", "1"}
	with := func(more ...string) []string { return append(append([]string{}, args...), more...) }
	code, out, errOut := command(t, "", with("--targets", "1500,900", "--tolerance", "5000")...)
	if code != 0 || !strings.Contains(out, "1 of 1 within the tolerance") || !strings.Contains(errOut, "left out, rating 900 is out of reach") {
		t.Fatalf("status %d: %s %s", code, out, errOut)
	}
	code, out, errOut = command(t, "", with("--targets", "1500", "--tolerance", "0.0001", "--json")...)
	var got []results.Achieved
	if err := json.Unmarshal([]byte(out), &got); err != nil || len(got) != 1 || got[0].Within || got[0].Matches == 0 {
		t.Errorf("%s: %v", out, err)
	}
	if code != 1 || !strings.Contains(errOut, "1500 in matches of 1 points, noise, is missed by more than") {
		t.Errorf("missed: status %d, %s", code, errOut)
	}
	for name, more := range map[string][]string{
		"no rating":    {"--targets", "many"},
		"no style":     {"--styles", "odd"},
		"no length":    {"--lengths", "0"},
		"no tolerance": {"--tolerance", "0"},
		"no interval":  {"--targets", "1500", "--interval", "0"},
		"out of reach": {"--targets", "100"},
	} {
		code, _, errOut := command(t, "", with(more...)...)
		if lines := strings.Count(errOut, "\n"); code != 2 || (lines != 1 && name != "out of reach") {
			t.Errorf("%s: status %d, %s", name, code, errOut)
		}
	}
}
