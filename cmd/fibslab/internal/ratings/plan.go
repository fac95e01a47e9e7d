package ratings

import (
	"fmt"
	"slices"
	"strings"

	"fibsbot/engine/tune"
)

// Lengths are the measured match lengths.
var Lengths = []int{1, 3, 5, 7, 11}

// The measured amounts. Each meets its neighbours, those two steps away, and expert: a pair of
// settings far apart says less than a pair of neighbours, but a chain of neighbours adds up the
// errors of its links. Measure chooses how much to play of each. The noise of the named presets
// is among them.
var (
	noiseSteps     = []float64{0, 0.008, 0.015, 0.022, 0.03, 0.04, 0.05, 0.06, 0.08}
	cubeSteps      = []float64{0, 0.03, 0.06, 0.1, 0.2, 0.4, 0.8}
	humanSteps     = []float64{0, 0.01, 0.02, 0.04, 0.07, 0.12, 0.2, 0.33, 0.6}
	humanCubeSteps = []float64{0, 0.07, 0.2, 0.6}
)

// equivalentAmounts are amounts of human-like error and of noise of about the same strength.
// Without them expert alone would link the two scales: an order of human 1300 at 7 points then
// came out 37 points low.
var equivalentAmounts = [][2]float64{
	{0.01, 0.008}, {0.02, 0.008}, {0.02, 0.015}, {0.04, 0.008}, {0.04, 0.015}, {0.04, 0.022}, {0.07, 0.015}, {0.07, 0.022}, {0.07, 0.03},
	{0.12, 0.022}, {0.12, 0.03}, {0.12, 0.04}, {0.2, 0.03}, {0.2, 0.04}, {0.33, 0.04}, {0.33, 0.05}, {0.6, 0.05}, {0.6, 0.06},
}

// PlanNames lists the plans that Plan knows.
func PlanNames() []string { return []string{"presets", "noise", "cube", "human", "deep", "all"} }

// Plan returns the cells of a plan for the given match lengths. presets has the 0-ply presets,
// noise the amounts of noise for both kinds of decision together and for checker play alone, cube
// those for the cube alone, human the amounts of human-like error, also against noise of about
// their strength, deep the presets that look ahead, and all everything. The error wraps
// ErrSetting or ErrMatch.
func Plan(name string, lengths []int) ([]Cell, error) {
	var out []Cell
	for _, n := range lengths {
		if n < 1 || n > tune.MaxLength {
			return nil, fmt.Errorf("%w: %d points", ErrMatch, n)
		}
		add := func(a, b tune.Setting) {
			c := NewCell(a, b, n)
			if c.A != c.B && !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
		both := func(style tune.Style, steps []float64) {
			for j := range steps {
				for i := range j {
					if i == 0 || j-i <= 2 {
						add(tune.Setting{Style: style, Checker: steps[i], Cube: steps[i]}, tune.Setting{Style: style, Checker: steps[j], Cube: steps[j]})
					}
				}
			}
		}
		apart := func(style tune.Style, cube []float64) {
			for i := 1; i < len(cube); i++ {
				add(tune.Setting{Style: style, Cube: cube[i-1]}, tune.Setting{Style: style, Cube: cube[i]})
			}
		}
		known := false
		if name == "presets" || name == "all" {
			known = true
			both(tune.Noise, []float64{0, 0.015, 0.03, 0.05, 0.06})
		}
		if name == "noise" || name == "all" {
			known = true
			both(tune.Noise, noiseSteps)
		}
		if name == "cube" || name == "all" {
			known = true
			apart(tune.Noise, cubeSteps)
			// Cube amounts on the path of both together link the two curves.
			for _, v := range [...]float64{0.03, 0.06} {
				add(tune.Setting{Style: tune.Noise, Checker: v, Cube: v}, tune.Setting{Style: tune.Noise, Checker: v})
			}
		}
		if name == "human" || name == "all" {
			known = true
			both(tune.Human, humanSteps)
			apart(tune.Human, humanCubeSteps)
			for _, v := range [...]float64{0.07, 0.2, 0.6} {
				add(tune.Setting{Style: tune.Human, Checker: v}, tune.Setting{Style: tune.Human, Checker: v, Cube: v})
			}
			for _, v := range equivalentAmounts {
				add(tune.Setting{Style: tune.Human, Checker: v[0], Cube: v[0]}, tune.Setting{Style: tune.Noise, Checker: v[1], Cube: v[1]})
			}
		}
		if name == "deep" || name == "all" {
			known = true
			for i, deep := range tune.DeepPresets {
				add(tune.Setting{Deep: deep}, tune.Expert)
				if i > 0 {
					add(tune.Setting{Deep: deep}, tune.Setting{Deep: tune.DeepPresets[i-1]})
				}
			}
		}
		if !known {
			return nil, fmt.Errorf("%w: no plan %q, there are %s", tune.ErrSetting, name, strings.Join(PlanNames(), ", "))
		}
	}
	return out, nil
}

// NewCell returns the cell of two settings in its measured form: matches of one point have no
// cube decisions to err in.
func NewCell(a, b tune.Setting, length int) Cell {
	if length == 1 {
		a, b = cubeless(a), cubeless(b)
	}
	return Cell{A: a.Canonical(), B: b.Canonical(), Length: length}
}

// cubeless drops the cube's share of a setting.
func cubeless(s tune.Setting) tune.Setting {
	s.Cube = 0
	return s.Canonical()
}
