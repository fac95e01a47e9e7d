package main

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"fibsbot/engine/bench/efficiency"
)

// The exact equities of the two-sided database give a liveness between a dead
// and a live cube, the same on every run; a class with rollouts prints all parts.
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
	for name, args := range map[string][]string{
		"class":     {"--class", "prime"},
		"plan":      {"--plan", "nosuch"},
		"positions": {"--positions", "1"},
		"trials":    {"--trials", "0"},
		"every":     {"--every", "0"},
		"policy":    {"--policy", "1.5"},
		"line":      {"--line", "1,2"},
	} {
		var usage usageError
		if _, err := trainRun(t, append([]string{"bench", "efficiency"}, args...)...); !errors.As(err, &usage) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want a usage error of one line", name, err)
		}
	}
}
