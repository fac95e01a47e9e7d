package ratings

import (
	"sort"

	"fibsbot/engine/tune"
)

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
