package ratings

import (
	"slices"
	"testing"

	"fibsbot/engine/tune"
)

// TestPlan_humanMeetsNoise: each amount of human-like error meets noise at each length, and only
// measured amounts: one between would be two parameters.
func TestPlan_humanMeetsNoise(t *testing.T) {
	cells, err := Plan("human", Lengths)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range Lengths {
		for _, v := range humanSteps[1:] {
			if !slices.ContainsFunc(cells, func(c Cell) bool {
				for _, x := range [2][2]tune.Setting{{c.A, c.B}, {c.B, c.A}} {
					if c.Length == n && x[0].Style == tune.Human && x[0].Checker == v && x[1].Style == tune.Noise && slices.Contains(noiseSteps[1:], x[1].Checker) {
						return true
					}
				}
				return false
			}) {
				t.Errorf("human %v meets no noise at %d points", v, n)
			}
		}
	}
	for _, v := range equivalentAmounts {
		if !slices.Contains(humanSteps, v[0]) || !slices.Contains(noiseSteps, v[1]) {
			t.Errorf("%v is not measured", v)
		}
	}
}
