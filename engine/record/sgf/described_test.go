package sgf

import (
	"os"
	"strings"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/internal/reference"
)

func TestParseContext_ofGnubg(t *testing.T) {
	f, err := os.Open(reference.Path(t, "formats/samples/rollout.sgf"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, _, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			an := m.Games[i].Actions[k].Analysis
			if an == nil {
				continue
			}
			for _, c := range an.Candidates {
				if c.Rollout == nil {
					continue
				}
				n++
				want := "cubeful, variance reduction, checker 0-ply, cube 0-ply, from ply 5 checker 0-ply, cube 2-ply, truncated at 7 plies, seed 77"
				// gnubg's "late" flag is off in the file: only the first settings count.
				if got := RolloutWords(c.Rollout.Settings); got != want && got != strings.Replace(want, "from ply 5 checker 0-ply, cube 2-ply, ", "", 1) {
					t.Errorf("%q", got)
				}
			}
		}
	}
	if n == 0 {
		t.Error("no rollout in the sample")
	}
}

func TestContext_roundTrip(t *testing.T) {
	at := func(n int) [2]Evaluator {
		s := record.Settings{Plies: n, Cubeful: true, Deterministic: true, Prune: true}
		return [2]Evaluator{{Settings: s}, {Settings: s, Filter: []Cut{{Accept: 8, Threshold: 0.16}}}}
	}
	for _, c := range []struct {
		in   Context
		want string
	}{
		{Context{Checker: at(1), Seed: 5}, "cubeless, checker 1-ply, played to the end, seed 5"},
		{Context{Cubeful: true, Checker: at(2), Cube: at(3), OneSided: true, TwoSided: true, Seed: 1 << 63}, "cubeful, checker 2-ply, cube 3-ply, ended by the bearoff databases, seed 9223372036854775808"},
		{Context{Cubeful: true, VarianceReduction: true, Initial: true, Checker: at(2), Cube: at(2), Late: true, LatePly: 6, LateChecker: at(0), LateCube: at(0), Truncated: true, TruncatePly: 11, Generator: "PCG", Asked: 360},
			"cubeful, variance reduction, checker 2-ply, cube 2-ply, from ply 6 checker 0-ply, cube 0-ply, truncated at 11 plies, as first position of a game, seed 0"},
	} {
		got, ok := ParseContext(c.in.String())
		if !ok || got.Words() != c.want {
			t.Errorf("%v %q, want %q", ok, got.Words(), c.want)
		}
		if ok && (got.Generator != c.in.Generator || got.Asked != c.in.Asked) {
			t.Errorf("generator %q, %d trials asked for", got.Generator, got.Asked)
		}
	}
	for _, bad := range []string{"", "SK 0", `SK 0 RC 1 "x" 2`, `SK 0 RC 1 1 1 1 1 1 x 1 1 1 "MT" 3`, `SK 0 RC 1 1 1 1 1 1 1 1 1 1 "MT" 3 cube0 ver 9`} {
		if _, ok := ParseContext(bad); ok {
			t.Errorf("%q is a description", bad)
		}
	}
}
