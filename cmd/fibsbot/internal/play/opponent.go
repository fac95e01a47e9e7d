package play

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"fibsbot/engine/preset"
	"fibsbot/engine/tune"
)

// Pubeval names Tesauro's benchmark player in place of a preset.
const Pubeval = "pubeval"

// Strength is how the opponent plays: by a preset or [Pubeval], at a rating, or as a
// character. The zero value is UsualPreset.
type Strength struct {
	Preset string `json:"preset,omitempty"`
	// Rating on FIBS, 0 for none; Style is how an opponent of a rating errs: human (the
	// default) or noise.
	Rating float64 `json:"rating,omitempty"`
	Style  string  `json:"style,omitempty"`
	// Character names one of Characters.
	Character string `json:"character,omitempty"`
	// Own is the preset if it is not built in, see FindPreset. Not saved.
	Own *preset.Preset `json:"-"`
}

// Presets finds a preset by name, as those of bot.yaml.
type Presets func(name string) (preset.Preset, error)

// FindPreset sets Own if Preset names a preset that is not built in. The error wraps
// ErrOptions.
func (s *Strength) FindPreset(presets Presets) error {
	if s.Own != nil || s.Preset == "" || strings.EqualFold(s.Preset, Pubeval) {
		return nil
	}
	if _, err := preset.ByName(s.Preset); err == nil || presets == nil {
		return nil // resolve reports an unknown one
	}
	p, err := presets(s.Preset)
	if err != nil {
		return wrong("preset", "%v", err)
	}
	s.Own = &p
	return nil
}

// Foe is the opponent as it plays.
type Foe struct {
	// Name for a score board: "expert", "human-like 1600".
	Name   string
	Preset preset.Preset
	// Benchmark plays the checkers as Tesauro's pubeval ([eval.Pubeval]), which does not
	// know the cube: it never doubles and always takes. Preset judges resignations.
	Benchmark bool
}

// resolve finds how to play. Errors wrap ErrOptions, see wrong.
func (s Strength) resolve(length int) (Foe, error) {
	ways := 0
	for _, given := range []bool{s.Preset != "", s.Rating != 0, s.Character != ""} {
		if given {
			ways++
		}
	}
	switch {
	case s.Own != nil:
		return Foe{Name: s.Own.Name, Preset: *s.Own}, nil
	case ways > 1:
		return Foe{}, wrong("preset", "give a preset, a rating or a character, not several")
	case s.Style != "" && s.Rating == 0:
		return Foe{}, wrong("style", "needs a rating (presets and characters err in their own way)")
	case s.Rating != 0:
		return s.rated(length)
	case s.Character != "":
		c, known := character(s.Character)
		if !known {
			return Foe{}, wrong("character", "unknown character %.40q (use %s)", s.Character, CharacterNames())
		}
		return c.foe(length)
	}
	name := cmp.Or(s.Preset, UsualPreset)
	bench := strings.EqualFold(name, Pubeval)
	if bench {
		name = UsualPreset
	}
	p, err := preset.ByName(name)
	if err != nil {
		return Foe{}, wrong("preset", "%v", err)
	}
	if bench {
		p.Name = Pubeval
	}
	return Foe{Name: p.Name, Preset: p, Benchmark: bench}, nil
}

// rated finds settings that play at the rating in matches of length points.
func (s Strength) rated(length int) (Foe, error) {
	style := tune.Style(s.Style)
	if style == "" {
		style = tune.Human
	}
	if style != tune.Human && style != tune.Noise {
		return Foe{}, wrong("style", "unknown style %.40q (use human or noise)", s.Style)
	}
	if math.IsNaN(s.Rating) || s.Rating < 0 || s.Rating > 4000 {
		return Foe{}, wrong("rating", "%v is not between 0 and 4000", s.Rating)
	}
	found, err := tune.PresetForRating(s.Rating, length, style)
	if err != nil {
		return Foe{}, wrong("rating", "%v", err)
	}
	name := fmt.Sprintf("rating %.0f", s.Rating)
	if style == tune.Human {
		name = fmt.Sprintf("human-like %.0f", s.Rating)
	}
	return Foe{Name: name, Preset: found.Preset}, nil
}
