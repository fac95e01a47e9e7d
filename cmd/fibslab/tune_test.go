package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/engine/tune"
	"fibsbot/internal/testsize"
)

const testTable = `{"nets":"test","signature":"x","anchor":1900,"ratings":[
{"setting":"noise:0.03:0.03","length":5,"rating":1600,"stderr":10},
{"setting":"noise:0.06:0.06","length":5,"rating":1200,"stderr":12},
{"setting":"human:0.1:0.1","length":5,"rating":1300,"stderr":12},
{"setting":"worldclass","length":5,"rating":1929.7,"stderr":8}]}`

func TestTune_measureMergeReport(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	dir := t.TempDir()
	a, b, all := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "all")
	for i, out := range []string{a, b} {
		code, _, errOut := here(t, "tune", "measure", "--pair", "expert,beginner", "--lengths", []string{"1", "3"}[i], "--block", "1", "--max-pairs", "2", "-o", out)
		if code != 0 {
			t.Fatalf("status %d: %s", code, errOut)
		}
	}
	if code, out, errOut := here(t, "tune", "merge", all, a, b); code != 0 || !strings.Contains(out, "4 blocks") {
		t.Fatalf("status %d: %s %s", code, out, errOut)
	}
	if code, _, errOut := here(t, "tune", "merge", all, a, a); code != 2 || !strings.Contains(errOut, "duplicate") {
		t.Errorf("merged with itself: status %d, %s", code, errOut)
	}
	chart, table := filepath.Join(dir, "c.svg"), filepath.Join(dir, "t.json")
	code, out, errOut := here(t, "tune", "report", all, "--residuals", "--chart", chart, "--save", table)
	if code != 0 || !strings.Contains(out, "expert v noise:0.06:0, 1 points") {
		t.Fatalf("status %d: %s %s", code, out, errOut)
	}
	if data, err := os.ReadFile(chart); err != nil || !strings.Contains(string(data), "<svg") {
		t.Errorf("chart: %v", err)
	}
	var got tune.Table
	if data, err := os.ReadFile(table); err != nil || json.Unmarshal(data, &got) != nil || got.Matches != 8 || len(got.Ratings) != 4 {
		t.Errorf("saved table: %+v, %v", got, err)
	}
	for name, args := range map[string][]string{
		"another seed":       {"measure", "--seed", "2", "--block", "1", "-o", a},
		"another block size": {"measure", "--block", "2", "-o", a},
		"no plan":            {"measure", "--plan", "nothing", "-o", a},
		"no length":          {"measure", "--lengths", "0", "-o", a},
		"no results":         {"report", chart},
		"no chart":           {"report", all, "--chart", "c.gif"},
	} {
		if code, _, errOut := here(t, append([]string{"tune"}, args...)...); code != 2 || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s: status %d, %s", name, code, errOut)
		}
	}
}

func TestTune_check(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	table := writeFile(t, "table.json", strings.ReplaceAll(testTable, `"length":5`, `"length":1`)) // short ones, for the race detector
	args := []string{"tune", "check", "--table", table, "--lengths", "1", "--max-pairs", "50", "--block", "25", "--interval", "1", "-o", filepath.Join(t.TempDir(), "c")}
	with := func(more ...string) []string { return append(append([]string{}, args...), more...) }
	code, out, errOut := here(t, with("--targets", "1500,900", "--tolerance", "5000")...)
	if code != 0 || !strings.Contains(out, "1 of 1 within the tolerance") || !strings.Contains(errOut, "left out, rating 900 is out of reach") {
		t.Fatalf("status %d: %s %s", code, out, errOut)
	}
	code, out, errOut = here(t, with("--targets", "1500", "--tolerance", "0.0001")...)
	if code != 1 || !strings.Contains(out, "0 of 1 within") || !strings.Contains(errOut, "1500 in matches of 1 point is missed by more than") {
		t.Errorf("missed: status %d, %s %s", code, out, errOut)
	}
	for name, more := range map[string][]string{
		"no rating":    {"--targets", "many"},
		"no length":    {"--lengths", "0"},
		"no tolerance": {"--tolerance", "0"},
		"no interval":  {"--targets", "1500", "--interval", "0"},
		"out of reach": {"--targets", "100"},
	} {
		code, _, errOut := here(t, with(more...)...)
		if lines := strings.Count(errOut, "\n"); code != 2 || (lines != 1 && name != "out of reach") {
			t.Errorf("%s: status %d, %s", name, code, errOut)
		}
	}
}
