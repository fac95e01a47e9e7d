package ratings

import (
	"fmt"
	"maps"
	"slices"

	"fibsbot/engine/tune"
)

// Fingerprints identifies the settings of the presets of a cell's two settings when they played
// (preset.Preset.Fingerprint). It is empty for settings at 0 plies, whose names define them.
type Fingerprints [2]string

// Fingerprints returns those of the cell's presets in this program.
func (c Cell) Fingerprints() (f Fingerprints) {
	for i, s := range [2]tune.Setting{c.A, c.B} {
		if s.Deep != "" {
			// An unknown preset has no fingerprint, and no blocks either.
			f[i], _ = s.Whole().Fingerprint()
		}
	}
	return f
}

// valid reports whether f can belong to cell c.
func (f Fingerprints) valid(c Cell) bool {
	for i, s := range [2]tune.Setting{c.A, c.B} {
		if f[i] != "" && (s.Deep == "" || len(f[i]) != 16) {
			return false
		}
	}
	return true
}

// redefined refuses presets of cell c with other settings than in the blocks of the store: one
// rating cannot hold for both. The error wraps ErrOtherVersion.
func (s *Store) redefined(c Cell, f Fingerprints) error {
	for i, x := range [2]tune.Setting{c.A, c.B} {
		if have := s.presets[x.Deep]; f[i] != "" && have != "" && have != f[i] {
			return fmt.Errorf("%w: preset %s was redefined: its settings are %s in some results and %s in others", ErrOtherVersion, x.Deep, have, f[i])
		}
	}
	return nil
}

// note remembers the fingerprints of a block.
func (s *Store) note(c Cell, f Fingerprints) {
	for i, x := range [2]tune.Setting{c.A, c.B} {
		if f[i] != "" {
			s.presets[x.Deep] = f[i]
		}
	}
}

// Redefined lists the presets with other settings now than when they played. It lists none for
// results without fingerprints.
func (s *Store) Redefined() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(s.presets)) {
		if now, _ := (tune.Setting{Deep: name}).Fingerprint(); now != s.presets[name] {
			names = append(names, name)
		}
	}
	return names
}
