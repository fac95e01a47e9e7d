package main

import (
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"fibsbot/bearoff"
	"fibsbot/cmd/fibslab/internal/races"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// TestBenchRaces_netNearTheTruth: outside the home boards the embedded race net's winning chance
// is off by 0.003 at most on average, its published figure, against a bigger database.
func TestBenchRaces_netNearTheTruth(t *testing.T) {
	code, out, errOut := plainly(t, "bench", "races", "--json")
	if code != 0 {
		t.Fatalf("status %d: %s", code, errOut)
	}
	var r races.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Groups) != 2 {
		t.Fatalf("%d groups, want natural and race", len(r.Groups))
	}
	for _, g := range r.Groups {
		if g.Positions != 2500 {
			t.Errorf("%s: %d positions, want 2500", g.Plan, g.Positions)
		}
		if g.Win.Mean > 0.003 {
			t.Errorf("%s: win chance off by %.5f, want 0.003 at most", g.Plan, g.Win.Mean)
		}
		if g.Win.Mean > g.Win.P99 || g.Win.P99 > g.Win.Max || g.Win.Max > 1 {
			t.Errorf("%s: errors in no order: %+v", g.Plan, g.Win)
		}
	}
}

// Races drawn and labelled inside a database agree with it: the label of every record is the
// database's, without duplicates, and none is home already.
func TestTrainRaces_labelsAreTheDatabases(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, first, second := filepath.Join(dir, "one.bearoff"), filepath.Join(dir, "a.bin"), filepath.Join(dir, "b.bin")
	approx := filepath.Join(dir, "approx.bearoff")
	buildDatabase(t, bearoff.KindOneSided, 7, db)
	buildDatabase(t, bearoff.KindNormal, 7, approx)
	for _, args := range [][]string{
		{"train", "races", first, "--db", db, "--positions", "500", "--seed", "3"},
		{"bench", "races", "--db", db, "--count", "20", "--write", second},
	} {
		if out, err := trainRun(t, args...); err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	known, err := bearoff.OpenOneSided(db)
	if err != nil {
		t.Fatal(err)
	}
	defer known.Close()
	for path, want := range map[string]int{first: 500, second: 40} {
		recs, err := train.ReadRecords(nil, path)
		if err != nil {
			t.Fatal(err)
		}
		if len(recs) != want {
			t.Errorf("%s: %d records, want %d", path, len(recs), want)
		}
		seen := train.NewKeySet(want)
		for _, r := range recs {
			p, err := board.FromKey(r.Key)
			if err != nil {
				t.Fatal(err)
			}
			c, ok := known.Race(&p)
			if !ok || p.Contact() || !races.OutsideHome(&p) {
				t.Fatalf("%s is not a race outside home in the database", p.ID())
			}
			if got := float64(r.Label.Probs()[eval.Win]); math.Abs(got-c.Win) > 1e-5 {
				t.Errorf("%s: win %.5f, want %.5f", p.ID(), got, c.Win)
			}
			if path == first && !seen.Add(r.Key) {
				t.Errorf("%s occurs twice", p.ID())
			}
		}
	}
	out, err := trainRun(t, "bench", "races", "--db", db, "--count", "100", "--approx", approx, "--json")
	var r races.Report
	if err != nil || json.Unmarshal([]byte(out), &r) != nil || len(r.Groups) != 4 {
		t.Fatalf("bench races: %v\n%s", err, out)
	}
	for _, g := range r.Groups {
		if limit := map[string]float64{"fibsbot 0-ply": 0.005, "approximate": 0.0015}[g.Judge]; g.Win.Mean > limit || g.Win.Mean == 0 {
			t.Errorf("%s, %s: win chance off by %.5f, want %.4f at most", g.Plan, g.Judge, g.Win.Mean, limit)
		}
	}
}

func TestRaces_wrongInputIsAUsageError(t *testing.T) {
	dir := t.TempDir()
	small := filepath.Join(dir, "small.bearoff")
	buildDatabase(t, bearoff.KindOneSided, 4, small)
	out := filepath.Join(dir, "out.bin")
	for name, args := range map[string][]string{
		"no database":         {"train", "races", out},
		"no such database":    {"bench", "races", "--db", filepath.Join(dir, "none")},
		"too small":           {"bench", "races", "--db", small},
		"no positions":        {"train", "races", out, "--db", small, "--positions", "0"},
		"approx is missing":   {"bench", "races", "--approx", filepath.Join(dir, "none")},
		"approx is another":   {"bench", "races", "--approx", small},
		"bad count":           {"bench", "races", "--count", "0"},
		"write without db":    {"bench", "races", "--write", out},
		"a missing beginning": {"train", "races", out, "--db", small, "--starts", filepath.Join(dir, "none")},
	} {
		var usage cmdline.UsageError
		if _, err := trainRun(t, args...); !errors.As(err, &usage) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want a usage error of one line", name, err)
		}
	}
}

// buildDatabase builds a bearoff database of 15 checkers.
func buildDatabase(t *testing.T, kind bearoff.Kind, points int, path string) {
	t.Helper()
	if _, err := bearoff.Build(t.Context(), bearoff.BuildOptions{Kind: kind, Points: points, Checkers: 15, Path: path}); err != nil {
		t.Fatal(err)
	}
}
