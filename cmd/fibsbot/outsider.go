package main

import (
	"cmp"
	"strings"
	"time"

	"fibsbot/bot/host"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/config"
	"fibsbot/engine/external"
)

// playerForms are the forms of arguments for players that are other engines.
const playerForms = external.SpecForms + ", engine:NAME"

// outsider is another engine that an argument names; without a protocol it names none.
type outsider struct {
	external.Spec
	within time.Duration // limit of one decision, 0 if nothing says it
}

// findOutsider finds the engine that name means: a form of external.ParseSpec, or engine:NAME for
// one of the list engines of the configuration in file.
func findOutsider(name, file string) (outsider, error) {
	want, listed := strings.CutPrefix(name, "engine:")
	if !listed {
		spec, outside, err := external.ParseSpec(name)
		if err != nil {
			return outsider{}, cmdline.Usagef("%q: %w", name, err)
		}
		if !outside {
			spec = external.Spec{}
		}
		return outsider{Spec: spec}, nil
	}
	file = cmp.Or(file, defaultConfig)
	c, _, err := config.Load(file)
	if err != nil {
		return outsider{}, cmdline.AsUsage(err)
	}
	e, ok := c.Outside(want)
	if !ok {
		var names []string
		for _, e := range c.Engines {
			names = append(names, e.Name)
		}
		return outsider{}, cmdline.Usagef("%q: the list engines of %s has no such name (it has %s)", name, file, cmp.Or(strings.Join(names, ", "), "none"))
	}
	spec := host.SpecOf(e)
	if err := spec.Check(); err != nil {
		return outsider{}, cmdline.Usagef("%s: %q: %w", file, name, err)
	}
	return outsider{spec, cmp.Or(e.Within, c.Strength.Within).Std()}, nil
}
