package ratings

import (
	"fmt"
	"slices"
	"sort"

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

// Plan returns the cells of a plan for the given match lengths. presets has the 0-ply presets,
// noise the amounts of noise for both kinds of decision together, and cube those for the cube
// alone. The error wraps ErrSetting or ErrMatch.
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
		both := func(steps []float64) {
			for j := range steps {
				for i := range j {
					if i == 0 || j-i <= 2 {
						add(tune.Setting{Style: tune.Noise, Checker: steps[i], Cube: steps[i]}, tune.Setting{Style: tune.Noise, Checker: steps[j], Cube: steps[j]})
					}
				}
			}
		}
		switch name {
		case "presets":
			both([]float64{0, 0.015, 0.03, 0.05, 0.06})
		case "noise":
			both(noiseSteps)
		case "cube":
			for i := 1; i < len(cubeSteps); i++ {
				add(tune.Setting{Style: tune.Noise, Cube: cubeSteps[i-1]}, tune.Setting{Style: tune.Noise, Cube: cubeSteps[i]})
			}
			// Cube amounts on the path of both together link the two curves.
			for _, v := range [...]float64{0.03, 0.06} {
				add(tune.Setting{Style: tune.Noise, Checker: v, Cube: v}, tune.Setting{Style: tune.Noise, Checker: v})
			}
		default:
			return nil, fmt.Errorf("%w: no plan %q, there are presets, noise and cube", tune.ErrSetting, name)
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

// weighted is a share of a parameter.
type weighted struct {
	tune.Param
	share float64
}

// paramsOf lists the parameters of which the rating of s at a length consists. An amount between
// two measured ones is a mixture of both. Looking ahead in a share of the decisions gains that
// share of the gain in all of them: a match is won by the sum of the values of its choices (see
// package duel), and the decisions that look ahead are drawn whatever the position.
func paramsOf(s tune.Setting, length int) []weighted {
	if s.Deep != "" {
		return []weighted{{tune.Param{Kind: tune.DeepPreset, Preset: s.Deep, Length: length}, s.Ahead()}}
	}
	checker, cube := tune.NoiseChecker, tune.NoiseCube
	if s.Style == tune.Human {
		checker, cube = tune.HumanChecker, tune.HumanCube
	}
	f := s.Character.Factor() // a character counts as the average player of its strength
	out := between(nil, checker, s.Checker/f, length)
	if length > 1 { // no cube in matches of a point
		out = between(out, cube, s.Cube/f, length)
	}
	return out
}

// steps returns the measured amounts of a kind.
func steps(k tune.Kind) []float64 {
	switch k {
	case tune.NoiseChecker:
		return noiseSteps
	case tune.NoiseCube:
		return cubeSteps
	case tune.HumanChecker:
		return humanSteps
	}
	return humanCubeSteps
}

func between(out []weighted, k tune.Kind, v float64, length int) []weighted {
	if v == 0 {
		return out
	}
	list := steps(k)
	i := sort.SearchFloat64s(list, v)
	if i == len(list) || list[i] == v {
		return append(out, weighted{tune.Param{Kind: k, At: v, Length: length}, 1})
	}
	share := (v - list[i-1]) / (list[i] - list[i-1])
	if list[i-1] > 0 {
		out = append(out, weighted{tune.Param{Kind: k, At: list[i-1], Length: length}, 1 - share})
	}
	return append(out, weighted{tune.Param{Kind: k, At: list[i], Length: length}, share})
}
