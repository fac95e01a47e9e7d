package strength

import (
	"maps"
	"slices"

	"fibsbot/config"
	"fibsbot/engine/preset"
)

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
