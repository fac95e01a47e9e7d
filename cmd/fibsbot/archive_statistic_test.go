package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"fibsbot/bot/archive/index"
	"fibsbot/internal/testsize"
)

// A new statistic is a row of index.Statistics and nothing else.
func TestStatistic_oneRowIsEnough(t *testing.T) {
	old := index.Statistics
	t.Cleanup(func() { index.Statistics = old })
	index.Statistics = append(slices.Clone(old), index.Statistic{Name: "plays", Label: "Plays", About: "plays made", Better: 1, PerMatch: true, X: "moves"})
	dir := sampleArchive(t)
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"table", []string{"archive", "stats", "--archive", dir}, "  PLAYS\n"},
		{"JSON", []string{"archive", "stats", "--archive", dir, "--json"}, `,"plays":`},
		{"JSON of two players", []string{"archive", "stats", "--archive", dir, "--player", "alice", "--json"}, `,"plays":`},
		{"sorted by it", []string{"archive", "stats", "--archive", dir, "--by", "length", "--sort", "plays"}, "LENGTH"},
		{"CSV", []string{"archive", "export", "--archive", dir}, ",plays,file\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if code, out, errOut := cli(t, tt.args...); code != 0 || !strings.Contains(out, tt.want) {
				t.Errorf("status %d, want %q:\n%s%s", code, tt.want, out, errOut)
			}
		})
	}
	if !slices.Contains(index.StatisticNames(), "plays") {
		t.Error("not among the names that --sort and completion take")
	}
}

func TestArchiveStats_sorted(t *testing.T) {
	dir := sampleArchive(t)
	for name, better := range map[string]int{"pr": -1, "luck": 1, "points_for": 1} {
		code, text, errOut := cli(t, "archive", "stats", "--archive", dir, "--by", "length", "--json", "--sort", name)
		if code != 0 {
			t.Fatal(errOut)
		}
		var list []float64
		for line := range strings.Lines(text) {
			var s map[string]any
			if err := json.Unmarshal([]byte(line), &s); err != nil {
				t.Fatal(err)
			}
			list = append(list, float64(better)*s[name].(float64))
		}
		slices.Reverse(list)
		if len(list) != 3 || !slices.IsSorted(list) {
			t.Errorf("by %s, best last: %v", name, list)
		}
	}
	if code, _, errOut := cli(t, "archive", "stats", "--archive", dir, "--sort", "beauty"); code != 2 || !strings.Contains(errOut, "--sort: ") || !strings.Contains(errOut, "win_rate") {
		t.Errorf("status %d: %s", code, errOut)
	}
}

func TestArchive_tags(t *testing.T) {
	testsize.Medium(t)
	dir := sampleArchive(t)
	do := func(want, not string, args ...string) {
		t.Helper()
		code, out, errOut := cli(t, append([]string{"archive", "--archive", dir}, args...)...)
		if code != 0 || !strings.Contains(out, want) || not != "" && strings.Contains(out, not) {
			t.Errorf("%v: status %d, want %q and not %q:\n%s%s", args, code, want, not, out, errOut)
		}
	}
	do("Alice", "", "edit", "match5", "--tag", "Study", "--tag", "lost cube", "--event", "Nordic Open", "--round", "Final", "--annotator", "Carl", "--comment", "A long\nstory.")
	do("tags     Study, lost cube\n", "", "show", "match5")
	do("event    Nordic Open, Final\nannotator Carl\n", "", "show", "match5")
	do("A long\n", "", "show", "match5")
	do(`"tags": [`, "", "show", "match5", "--json")
	do(`"event": "Nordic Open"`, "", "show", "match5", "--json")
	do("  5  ", "  7  ", "list", "--tag", "study")
	do("ID", "Alice", "list", "--tag", "stud")
	do("all  1  ", "", "stats", "--tag", "lost*")
	do("3 matches", "", "rebuild")
	do("  5  ", "  7  ", "list", "--tag", "study")
}

// Shares, PR, luck and rating differences have an interval over several matches; a difference of
// one match is marked.
func TestArchiveStats_intervals(t *testing.T) {
	dir := sampleArchive(t)
	for by, want := range map[string][]string{
		"account": {" 33.3 (1.7 to 93.7) ", " 18.13 (10.87 to 25.40) ", " +0.71 (-7.98 to +9.41) ", " -116 (- to +787)\n"},
		"length":  {" -154 (1 match)\n", " -395 (1 match)\n"},
	} {
		code, text, errOut := cli(t, "archive", "stats", "--archive", dir, "--by", by)
		for _, w := range want {
			if code != 0 || !strings.Contains(text, w) {
				t.Errorf("by %s: status %d, want %q:\n%s%s", by, code, w, text, errOut)
			}
		}
	}
}
