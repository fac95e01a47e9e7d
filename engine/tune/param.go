package tune

// Kind is the kind of a parameter of the fit.
type Kind string

// The kinds. The loss of a 0-ply setting is the sum of its checker and its cube part; a setting
// that looks ahead has one of its own (negative, as a rule).
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
