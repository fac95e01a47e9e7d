package strength

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"fibsbot/config"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
	"fibsbot/engine/tune/human"
)

// baseOfOwn is the base of an own preset without one.
const baseOfOwn = "worldclass"

// Preset resolves a preset by name: a built-in one, or one of the configuration
// with its bases, filters and settings.
func Preset(c *config.Config, name string) (preset.Preset, error) {
	return resolve(c, name, 0)
}

// Check returns the error of [Preset] for a preset.
func Check(c *config.Config, name string) error {
	_, err := Preset(c, name)
	return err
}

func resolve(c *config.Config, name string, depth int) (preset.Preset, error) {
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
