package tune

import "sort"

// Kind says what a parameter of the fit stands for.
type Kind string

// The kinds. The loss of a 0-ply setting is the sum of its checker and its cube
// part; a setting that looks ahead has one of its own (negative, as a rule).
const (
	NoiseChecker Kind = "noise checker"
	NoiseCube    Kind = "noise cube"
	HumanChecker Kind = "human checker"
	HumanCube    Kind = "human cube"
	DeepPreset   Kind = "preset"
)

// Param is one loss in rating points against the anchor, at one match length.
type Param struct {
	Kind   Kind    `json:"kind"`
	At     float64 `json:"at,omitempty"`     // the amount
	Preset string  `json:"preset,omitempty"` // of DeepPreset
	Length int     `json:"length"`
}

// weighted is a share of a parameter.
type weighted struct {
	Param
	share float64
}

// paramsOf lists what the rating of s at a length is made of. Amounts between
// two measured ones take from both. Looking ahead in a share of the decisions gains
// that share of what it gains in all of them: what a match is won by is the sum of
// what the choices made in it are worth (see package duel), and those that look ahead
// are drawn whatever the position.
func paramsOf(s Setting, length int) []weighted {
	if s.Deep != "" {
		return []weighted{{Param{Kind: DeepPreset, Preset: s.Deep, Length: length}, s.ahead()}}
	}
	checker, cube := NoiseChecker, NoiseCube
	if s.Style == Human {
		checker, cube = HumanChecker, HumanCube
	}
	out := between(nil, checker, s.Checker, length)
	if length > 1 { // no cube in matches of a point
		out = between(out, cube, s.Cube, length)
	}
	return out
}

// steps are the amounts that are measured, by kind.
func steps(k Kind) []float64 {
	switch k {
	case NoiseChecker:
		return noiseSteps
	case NoiseCube:
		return cubeSteps
	case HumanChecker:
		return humanSteps
	}
	return humanCubeSteps
}

func between(out []weighted, k Kind, v float64, length int) []weighted {
	if v == 0 {
		return out
	}
	list := steps(k)
	i := sort.SearchFloat64s(list, v)
	if i == len(list) || list[i] == v {
		return append(out, weighted{Param{Kind: k, At: v, Length: length}, 1})
	}
	share := (v - list[i-1]) / (list[i] - list[i-1])
	if list[i-1] > 0 {
		out = append(out, weighted{Param{Kind: k, At: list[i-1], Length: length}, 1 - share})
	}
	return append(out, weighted{Param{Kind: k, At: list[i], Length: length}, share})
}
