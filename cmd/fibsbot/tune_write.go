package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/config"
	"fibsbot/engine/preset"
	"fibsbot/engine/tune"
	"fibsbot/engine/tune/human"
	"fibsbot/internal/atomicfile"
)

var presetName = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,39}$`)

// writePreset adds or replaces a preset in a configuration file and keeps the rest of
// the file, comments too.
func writePreset(path, name string, s tune.Setting) error {
	if !presetName.MatchString(name) {
		return cmdline.Usagef("--as: %.60q is not a preset name (use lower case letters, digits, - and _, a letter first)", name)
	}
	if _, err := preset.ByName(name); err == nil {
		return cmdline.Usagef("--as: %s is a built-in preset (choose another name)", name)
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return cmdline.Usagef("--write: %w (fibsbot config init writes one)", err)
	}
	if err != nil {
		return fmt.Errorf("--write: %w", err)
	}
	out, err := config.WithPreset(data, name, keysOf(s))
	if err != nil {
		return cmdline.Usagef("--write: %s: %w", path, err)
	}
	return atomicfile.WriteBytes(path, 0o644, out)
}

// presetKeys are the keys of a preset in bot.yaml.
type presetKeys struct {
	Base    string             `yaml:"base"`
	Checker map[string]float64 `yaml:"checker,flow,omitempty"`
	Cube    map[string]float64 `yaml:"cube,flow,omitempty"`
	Style   tune.Style         `yaml:"style,omitempty"`
	// Character is one of the style human.
	Character human.Character `yaml:"character,omitempty"`
}

// keysOf returns a setting as keys.
func keysOf(s tune.Setting) presetKeys {
	if s.Deep == "" {
		k := presetKeys{Base: "expert", Checker: map[string]float64{"noise": s.Checker}, Cube: map[string]float64{"noise": s.Cube}}
		if s.Style == tune.Human {
			k.Style, k.Character = s.Style, s.Character // the amounts are for the human style
		}
		return k
	}
	k := presetKeys{Base: s.Deep}
	if s.Share > 0 {
		k.Checker, k.Cube = map[string]float64{"share": s.Share}, map[string]float64{"share": s.Share}
	}
	return k
}
