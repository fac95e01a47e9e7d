package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/cmd/fibslab/internal/families"
	"fibsbot/cmd/internal/cmdline"
)

// At 0 plies the distances from rollouts stay below figures that the present nets reach.
func TestBenchFamilies(t *testing.T) {
	code, out, errOut := here(t, "bench", "families", "--json")
	if code != cmdline.ExitDone {
		t.Fatalf("status %d, %s", code, errOut)
	}
	var list []families.Score
	if err := json.Unmarshal([]byte(out), &list); err != nil || len(list) != len(families.All) {
		t.Fatalf("%s, %v", out, err)
	}
	most := map[string]float64{"snake": 0.21, "latehit": 0.085, "massivebackgame": 0.13, "mutualbackgame": 0.13, "savebackgammon": 0.04, "stackedrace": 0.06}
	for _, s := range list {
		if s.Equity.Value > most[s.Family] || s.Equity.Error <= 0 {
			t.Errorf("%s: %v, want %.3f at most", s.Family, s.Equity, most[s.Family])
		}
	}
}

func TestFamilies_usage(t *testing.T) {
	dir := t.TempDir()
	damaged := filepath.Join(dir, "damaged.jsonl")
	if err := os.WriteFile(damaged, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"bench families --families-file " + damaged:       "line 1: bad file of rolled out positions",
		"bench families --families-file " + dir + "/none": "none: no such file",
	} {
		code, out, errOut := here(t, strings.Fields(line)...)
		if code != cmdline.ExitUsage || out != "" || !strings.Contains(errOut, want) {
			t.Errorf("%s: status %d, %q, %q, want %q", line, code, out, errOut, want)
		}
	}
}
