package strength

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"fibsbot/bot/policy"
	"fibsbot/config"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
	"fibsbot/engine/tune"
	"fibsbot/engine/tune/human"
)

// baseOfOwn is the base of an own preset without one.
const baseOfOwn = "worldclass"

// Preset resolves a preset by name: a built-in one, or one of the configuration
// with its bases, filters and settings. The name of another engine gives the preset that
// answers for it.
func Preset(c *config.Config, name string) (preset.Preset, error) {
	return resolve(c, name, 0)
}

// Check returns the error of [Preset] for a preset.
func Check(c *config.Config, name string) error {
	_, err := Preset(c, name)
	return err
}

func resolve(c *config.Config, name string, depth int) (preset.Preset, error) {
	if e, ok := c.Outside(name); ok && depth == 0 {
		p, err := resolve(c, cmp.Or(e.Fallback, c.Strength.Preset), 1)
		p.Name, p.Summary = name, "another engine"
		return p, err
	}
	own, ok := c.Presets[name]
	if !ok {
		return preset.ByName(name)
	}
	if depth > len(c.Presets) {
		return preset.Preset{}, fmt.Errorf("preset %s: its base leads back to itself", name)
	}
	base := cmp.Or(own.Base, baseOfOwn)
	p, err := resolve(c, base, depth+1)
	if err != nil {
		return p, fmt.Errorf("preset %s: %w", name, err)
	}
	p.Name, p.Summary = name, "own preset on "+base
	if err := apply(c, &p.Checker, own.Checker); err != nil {
		return p, fmt.Errorf("preset %s: %w", name, err)
	}
	if err := apply(c, &p.Cube, own.Cube); err != nil {
		return p, fmt.Errorf("preset %s: %w", name, err)
	}
	if err := applyRollout(&p.Close, own.Rollout); err != nil {
		return p, fmt.Errorf("preset %s: %w", name, err)
	}
	switch own.Style {
	case "human":
		// The amounts of noise become those of the human style.
		p.Human = human.Style{Checker: p.Checker.Noise + p.Human.Checker, Cube: p.Cube.Noise + p.Human.Cube, Character: human.Character(own.Character)}
		p.Checker.Noise, p.Cube.Noise = 0, 0
	case "noise":
		p.Checker.Noise, p.Cube.Noise = p.Checker.Noise+p.Human.Checker, p.Cube.Noise+p.Human.Cube
		p.Human = human.Style{}
	}
	if own.Optional != "" {
		p.OptionalDouble = own.Optional == "double"
	}
	return p, nil
}

// apply overwrites the settings of the base with the given ones.
func apply(c *config.Config, s *search.Settings, own config.Settings) error {
	if own.Plies != nil {
		s.Plies = *own.Plies
		// A static base does not prune; a search without takes three times as long.
		s.Prune = s.Prune || s.Plies > 0 && s.Reduced == 0
	}
	if own.Reduced != nil {
		s.Reduced = *own.Reduced
		s.Prune = s.Prune && s.Reduced == 0
	}
	set(&s.Prune, own.Prune)
	set(&s.Share, own.Share)
	set(&s.Noise, own.Noise)
	set(&s.Deterministic, own.Deterministic)
	set(&s.Cubeful, own.Cubeful)
	if own.Efficiency != nil {
		s.Efficiency = own.Efficiency
	}
	if own.Filter != nil {
		f, err := Filter(c, *own.Filter)
		if err != nil {
			return err
		}
		s.Filter = f
	}
	return s.Validate()
}

// applyRollout overwrites the base's rollouts of close plays with the given settings. If the
// base has none, the missing settings are those of grandmaster.
func applyRollout(c *preset.Close, own config.Rollout) error {
	if own == (config.Rollout{}) {
		return nil
	}
	if !c.Any() {
		p, err := preset.ByName("grandmaster")
		if err != nil {
			return err
		}
		*c = p.Close
	}
	set(&c.Trials, own.Trials)
	set(&c.Plays, own.Plays)
	set(&c.Within, own.Within)
	set(&c.Truncate, own.Truncate)
	set(&c.Search, own.Search)
	set(&c.Early, own.Early)
	set(&c.Plies, own.Plies)
	set(&c.CubeTrials, own.CubeTrials)
	set(&c.CubeWithin, own.CubeWithin)
	return c.Validate()
}

// set overwrites the base's value if one is given.
func set[T any](to *T, own *T) {
	if own != nil {
		*to = *own
	}
}

// Filter finds a move filter by name, built in or from the configuration. Errors wrap
// search.ErrSettings.
func Filter(c *config.Config, name string) (search.Filter, error) {
	own, ok := c.Filters[name]
	if !ok {
		return search.FilterByName(name)
	}
	if n := len(own.Stages); n < 1 || n > search.MaxPlies {
		return search.Filter{}, fmt.Errorf("%w: filter %s has %d stages (use 1 to %d)", search.ErrSettings, name, n, search.MaxPlies)
	}
	f := search.Filter{Name: name}
	for n := range f.Cuts {
		for k := 0; k <= n; k++ {
			cut := search.Skip
			if k < len(own.Stages) {
				st := own.Stages[k]
				cut = search.Cut{Accept: st.Accept, Extra: st.Extra, Threshold: st.Threshold}
			}
			f.Cuts[n] = append(f.Cuts[n], cut)
		}
	}
	return f, nil
}

// Names lists the built-in presets, from the weakest, and then those of the
// configuration that have names of their own.
func Names(c *config.Config) []string {
	names := preset.Names()
	for _, n := range slices.Sorted(maps.Keys(c.Presets)) {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

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
