package strength

import (
	"cmp"
	"errors"

	"fibsbot/bot/policy"
	"fibsbot/config"
	"fibsbot/engine/preset"
	"fibsbot/engine/tune"
	"fibsbot/engine/tune/human"
)

// Rated finds the preset for a rating in matches of length points (0 unlimited) with errors
// of a style and character, or returns false.
type Rated func(rating float64, length int, style, character string) (preset.Preset, bool)

// AtRating returns the preset for a rating by the measured table. A rating out of its reach
// gives the nearest strength.
func AtRating(rating float64, length int, style, character string) (preset.Preset, bool) {
	st, err := tune.PresetForOrder(tune.Order{Rating: rating, Length: max(0, length), Style: tune.Style(style), Character: human.Character(character), Cube: -1})
	if err != nil && !errors.Is(err, tune.ErrOutOfReach) && style == string(tune.Human) {
		// The right strength matters more than the style of the errors.
		st, err = tune.PresetForRating(rating, max(0, length), tune.Noise)
	}
	return st.Preset, err == nil || errors.Is(err, tune.ErrOutOfReach) && st.Preset.Name != ""
}

// For returns the preset for the strength chosen for a match of length points (0 unlimited),
// and the rule that chose it. Presets below expert err by strength.style. The general preset replaces a rating that at does not know, and
// a preset that was removed from the configuration while its match was saved.
func For(c *config.Config, st policy.Strength, length int, at Rated) (preset.Preset, string) {
	if st.Rating > 0 {
		if p, ok := at(st.Rating, length, c.Strength.Style, st.Character); ok {
			return p, st.Rule
		}
	}
	for _, name := range []string{st.Preset, c.Strength.Preset} {
		if p, err := Preset(c, name); err == nil && name != "" {
			return asLevel(c, p, st.Character, length, at), st.Rule
		}
	}
	p, err := preset.ByName(baseOfOwn)
	if err != nil {
		panic("strength: the preset " + baseOfOwn + " is gone") // a build without it is broken
	}
	return p, "default"
}

// asLevel returns the human level of a built-in preset below expert, unless strength.style is
// noise; other presets play as they are.
func asLevel(c *config.Config, p preset.Preset, character string, length int, at Rated) preset.Preset {
	l, ok := tune.LevelOf(&p)
	if !ok || c.Strength.Style != string(tune.Human) {
		return p
	}
	h, ok := at(l.Rating, length, c.Strength.Style, cmp.Or(character, c.Strength.Character))
	if !ok {
		return p
	}
	h.Name, h.Summary, h.Resign = p.Name, l.Summary, p.Resign
	return h
}

// WithLimits adds the configuration's settings for every preset: the time limit and the
// rules for resigning.
func WithLimits(c *config.Config, p preset.Preset) preset.Preset {
	p.Checker.Budget, p.Cube.Budget = c.Strength.Within.Std(), c.Strength.Within.Std()
	p.Resign.Never = !c.Resign.Offer
	// Resigning with a winning chance of x gives away about 2x points.
	p.Resign.Offer = 2 * (1 - c.Resign.Certainty)
	return p
}
