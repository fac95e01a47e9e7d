package main

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"fibsbot/cmd/fibslab/internal/efficiency"
	"fibsbot/cmd/internal/cmdline"
)

// The exact equities of the two-sided database give a liveness between a dead and a live cube, equal
// in every run; a class with rollouts prints all parts.
func TestBenchEfficiency(t *testing.T) {
	if testing.Short() {
		t.Skip("plays games")
	}
	args := []string{"bench", "efficiency", "--class", "bearoff2", "--positions", "60", "--every", "1", "--json"}
	first, err := trainRun(t, args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, first)
	}
	var r efficiency.Report
	if err := json.Unmarshal([]byte(first), &r); err != nil {
		t.Fatal(err)
	}
	if r.All.Points != 120 || r.All.X < 0.2 || r.All.X > 0.9 {
		t.Errorf("all: %+v", r.All)
	}
	if code, again, errOut := plainly(t, args...); code != 0 || again != first {
		t.Errorf("another run differs (status %d, %s):\n%s\n%s", code, errOut, first, again)
	}
	out, err := trainRun(t, "bench", "efficiency", "--class", "race", "--positions", "2", "--trials", "6", "--every", "1", "--line", "0.6,0.001,0.5,0.8", "--threads", "1")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, part := range []string{"race, natural games: 2 positions", "centred", "usual", "line"} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is missing in\n%s", part, out)
		}
	}
}

func TestBenchEfficiency_wrongInput(t *testing.T) {
	empty := t.TempDir()
	for name, c := range map[string]struct {
		args []string
		want string // within the error
	}{
		"class":                 {[]string{"--class", "prime"}, `"prime"`},
		"plan":                  {[]string{"--plan", "nosuch"}, `"nosuch"`},
		"positions":             {[]string{"--positions", "1"}, "--positions"},
		"trials":                {[]string{"--trials", "0"}, "--trials"},
		"every":                 {[]string{"--every", "0"}, "--every: 0"},
		"policy":                {[]string{"--policy", "1.5"}, "--policy: 1.5"},
		"line":                  {[]string{"--line", "1,2"}, "--line"},
		"no folder, contact":    {[]string{"--exact", "nosuch"}, "no such file"},
		"no folder":             {[]string{"--class", "bearoff1", "--exact", "nosuch"}, "no such file"},
		"a file":                {[]string{"--class", "bearoff1", "--exact", "bench_nets.go"}, "--exact: bench_nets.go is a file, not a folder"},
		"no exact contact":      {[]string{"--exact", empty}, "--exact " + empty + ": no database has exact equities of class contact"},
		"folder of nothing big": {[]string{"--class", "bearoff1", "--positions", "2", "--exact", empty}, "--exact: " + empty + " knows too few positions: 0 of 2"},
	} {
		var usage cmdline.UsageError
		if _, err := trainRun(t, append([]string{"bench", "efficiency"}, c.args...)...); !errors.As(err, &usage) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want a usage error of one line with %q", name, err, c.want)
		}
	}
}
