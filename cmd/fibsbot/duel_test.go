package main

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fibsbot/engine/luck"
	"fibsbot/engine/search"
)

func TestDuel_equalPlayersScoreZero(t *testing.T) {
	code, out, errOut := command(t, "", "duel", "expert", "expert", "--games", "10", "--jobs", "2", "--json")
	if code != 0 {
		t.Fatalf("status %d: %s", code, errOut)
	}
	var d duelJSON
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	if d.Games != 10 || d.PPG != 0 || d.Stderr != 0 || d.A != "expert" || d.B != "expert" {
		t.Errorf("%+v", d)
	}
}

func TestDuel_sameForAnyJobs(t *testing.T) {
	t.Parallel()
	e := openTestEngine(t)
	for _, set := range []duelSettings{{seed: 3}, {seed: 3, cubeless: true}, {seed: 3, length: 3}, {seed: 3, jacoby: true}} {
		set.luck = &luck.Judge{Search: e.Search(), Settings: search.Settings{Cubeful: !set.cubeless, Prune: true}}
		var want []pairResult
		for _, jobs := range []int{1, 3} {
			makers := [2]playerMaker{
				func(context.Context) (player, error) { return &presetPlayer{e, presetOf(t, "beginner")}, nil },
				func(context.Context) (player, error) { return &presetPlayer{e, presetOf(t, "expert")}, nil },
			}
			run := duelRun{makers: makers, set: set, pairs: 3, jobs: jobs, progress: func(int) {}}
			got, games, err := run.play(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if games < 6 {
				t.Errorf("%+v: %d games", set, games)
			}
			if want == nil {
				want = got
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%+v: %s", set, diff)
			}
		}
	}
}

func TestDuel_strongerWins(t *testing.T) {
	t.Parallel()
	e := openTestEngine(t)
	makers := [2]playerMaker{
		func(context.Context) (player, error) { return &presetPlayer{e, presetOf(t, "expert")}, nil },
		func(context.Context) (player, error) { return &presetPlayer{e, presetOf(t, "beginner")}, nil },
	}
	set := duelSettings{seed: 1, cubeless: true}
	run := duelRun{makers: makers, set: set, pairs: 60, progress: func(int) {}}
	results, _, err := run.play(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	d := summarise(results, set)
	if d.PPG < 2*d.Stderr {
		t.Errorf("expert beats beginner by %.3f, standard error %.3f", d.PPG, d.Stderr)
	}
}

// pairsOf makes results without luck.
func pairsOf(results ...[2]float64) (out []pairResult) {
	for _, r := range results {
		out = append(out, pairResult{Result: r, Games: 2})
	}
	return out
}

func TestSummarise(t *testing.T) {
	d := summarise(pairsOf([2]float64{1, 1}, [2]float64{-1, 1}, [2]float64{2, -4}), duelSettings{})
	// Pair means 1, 0, -1: mean 0, deviation 1, standard error 1/sqrt(3).
	if d.PPG != 0 || math.Abs(d.Stderr-1/math.Sqrt(3)) > 1e-12 || d.WinRate != nil {
		t.Errorf("%+v", d)
	}
	m := summarise(pairsOf([2]float64{1, 1}, [2]float64{1, -1}), duelSettings{length: 5})
	if m.Matches != 4 || m.WinRate == nil || *m.WinRate != 0.75 {
		t.Errorf("%+v", m)
	}
}

func TestBench_json(t *testing.T) {
	code, out, errOut := command(t, "", "bench", "--json", "--seconds", "0.02")
	if code != 0 {
		t.Fatalf("status %d: %s", code, errOut)
	}
	var b benchJSON
	if err := json.Unmarshal([]byte(out), &b); err != nil {
		t.Fatal(err)
	}
	if b.StaticEvals <= 0 || b.Plays <= 0 || b.Decisions0 <= 0 || b.Decisions2 <= 0 || b.Movegen <= 0 || b.RolloutGames <= 0 || len(b.Signature) != 16 || b.Threads != 1 {
		t.Errorf("%s", out)
	}
}

// Both players may be presets of a configuration.
func TestDuel_ownPresets(t *testing.T) {
	file := filepath.Join(t.TempDir(), "own.yaml")
	if err := os.WriteFile(file, []byte("presets:\n  mine:\n    base: expert\n    checker: {noise: 0.2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errOut := command(t, "", "duel", "mine", "mine", "-c", file, "--games", "2", "--jobs", "1")
	if code != 0 || !strings.HasPrefix(out, "mine v mine: 2 games: ") {
		t.Errorf("status %d, %q, %s", code, out, errOut)
	}
	if code, _, errOut = command(t, "", "duel", "expert", "yours", "-c", file); code != exitUsage || !strings.Contains(errOut, `B: unknown preset "yours"`) {
		t.Errorf("status %d, %s", code, errOut)
	}
}
