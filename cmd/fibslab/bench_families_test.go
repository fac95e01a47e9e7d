package main

import (
	"encoding/json"
	"testing"

	"fibsbot/cmd/fibslab/internal/families"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/testsize"
)

// At 0 plies the distances from rollouts stay below figures that the present nets reach.
func TestBenchFamilies(t *testing.T) {
	testsize.Medium(t)
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
