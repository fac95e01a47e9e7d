package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"

	"fibsbot/config"
	"fibsbot/engine/preset"
	"fibsbot/engine/tune"
	"fibsbot/internal/atomicfile"
)

var presetName = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,39}$`)

// writePreset adds a preset to a configuration file, or changes the one of that
// name, and keeps all else in the file, comments too.
func writePreset(path, name string, s tune.Setting) error {
	if !presetName.MatchString(name) {
		return usagef("--name: %.60q: lower case letters, digits, - and _, a letter first", name)
	}
	if _, err := preset.ByName(name); err == nil {
		return usagef("--name: %s is the name of a built-in preset", name)
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return usagef("--write: %v (fibsbot config init makes one)", err)
	}
	if err != nil {
		return fmt.Errorf("--write: %w", err)
	}
	out, err := config.WithPreset(data, name, keysOf(s))
	if err != nil {
		return usagef("--write: %s: %v", path, err)
	}
	return atomicfile.WriteBytes(path, 0o644, out)
}

// presetKeys are the keys of a preset of one's own, as bot.yaml has them.
type presetKeys struct {
	Base    string             `yaml:"base"`
	Checker map[string]float64 `yaml:"checker,flow,omitempty"`
	Cube    map[string]float64 `yaml:"cube,flow,omitempty"`
	Style   tune.Style         `yaml:"style,omitempty"`
}

// keysOf says a setting in these keys.
func keysOf(s tune.Setting) presetKeys {
	if s.Deep == "" {
		k := presetKeys{Base: "expert", Checker: map[string]float64{"noise": s.Checker}, Cube: map[string]float64{"noise": s.Cube}}
		if s.Style == tune.Human {
			k.Style = s.Style // the amounts are those of the human style then
		}
		return k
	}
	k := presetKeys{Base: s.Deep}
	if s.Share > 0 {
		k.Checker, k.Cube = map[string]float64{"share": s.Share}, map[string]float64{"share": s.Share}
	}
	return k
}
