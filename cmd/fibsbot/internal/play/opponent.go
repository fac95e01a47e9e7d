package play

import (
	"fmt"
	"math"
	"strings"

	"fibsbot/engine/preset"
	"fibsbot/engine/tune"
)

// Pubeval is the name, in the place of a preset, of Tesauro's benchmark player.
const Pubeval = "pubeval"

// Strength says how well the opponent plays: by the name of a preset, or [Pubeval], or by a
// rating with a style of erring. The zero value is the preset expert.
type Strength struct {
	Preset string `json:"preset,omitempty"`
	// Rating as on FIBS, 0 where the preset decides.
	Rating float64 `json:"rating,omitempty"`
	// Style is "human", which is the usual one, or "noise": how an opponent of a
	// rating errs. Without a rating it names one of Personas.
	Style string `json:"style,omitempty"`
	// Own is a preset that is no built-in one; the caller gives it back when the
	// match is loaded. Not saved.
	Own *preset.Preset `json:"-"`
}

// Foe is the opponent as it plays.
type Foe struct {
	// Name for a score board: "expert", "human-like 1600".
	Name   string
	Preset preset.Preset
	// Benchmark plays the checkers as Tesauro's pubeval does ([eval.Pubeval]), which knows
	// no cube: it never doubles and always takes. Resignations are judged by Preset.
	Benchmark bool
}

// resolve finds how to play. Errors wrap ErrOptions.
func (s Strength) resolve(length int) (Foe, error) {
	switch {
	case s.Own != nil:
		return Foe{Name: s.Own.Name, Preset: *s.Own}, nil
	case s.Rating != 0 && s.Preset != "":
		return Foe{}, fmt.Errorf("%w: opponent: give a preset or a rating, not both", ErrOptions)
	case s.Rating != 0:
		return s.rated(length)
	case s.Style != "" && s.Preset != "":
		return Foe{}, fmt.Errorf("%w: opponent: give a preset or a style, not both", ErrOptions)
	case s.Style != "":
		p, known := persona(s.Style)
		if !known {
			return Foe{}, fmt.Errorf("%w: opponent: no style %q: want %s, or a rating with human or noise", ErrOptions, s.Style, StyleNames())
		}
		return p.foe(length)
	}
	name := s.Preset
	if name == "" {
		name = "expert"
	}
	bench := strings.EqualFold(name, Pubeval)
	if bench {
		name = "expert"
	}
	p, err := preset.ByName(name)
	if err != nil {
		return Foe{}, fmt.Errorf("%w: opponent: %w", ErrOptions, err)
	}
	if bench {
		p.Name = Pubeval
	}
	return Foe{Name: p.Name, Preset: p, Benchmark: bench}, nil
}

// rated finds settings that play at the rating.
func (s Strength) rated(length int) (Foe, error) {
	style := tune.Style(s.Style)
	if style == "" {
		style = tune.Human
	}
	if style != tune.Human && style != tune.Noise {
		return Foe{}, fmt.Errorf("%w: opponent: no style %q: want human or noise", ErrOptions, s.Style)
	}
	if math.IsNaN(s.Rating) || s.Rating < 0 || s.Rating > 4000 {
		return Foe{}, fmt.Errorf("%w: opponent: rating %v", ErrOptions, s.Rating)
	}
	found, err := tune.PresetForRating(s.Rating, length, style)
	if err != nil {
		return Foe{}, fmt.Errorf("%w: opponent: %w", ErrOptions, err)
	}
	name := fmt.Sprintf("rating %.0f", s.Rating)
	if style == tune.Human {
		name = fmt.Sprintf("human-like %.0f", s.Rating)
	}
	return Foe{Name: name, Preset: found.Preset}, nil
}
