package ratings

import (
	"fibsbot/engine/tune"
	"fmt"
	"maps"
	"slices"
)

// Fingerprints identifies what the presets of a cell's two settings meant when they
// played (preset.Preset.Fingerprint). It is empty for settings at 0 plies, whose names
// say it all, and in files of versions that did not write it.
type Fingerprints [2]string

// Fingerprints returns how the cell's presets are set in this program.
func (c Cell) Fingerprints() (f Fingerprints) {
	for i, s := range [2]tune.Setting{c.A, c.B} {
		if s.Deep != "" {
			// A preset that there is none of has no fingerprint and no blocks either.
			f[i], _ = s.Whole().Fingerprint()
		}
	}
	return f
}

// valid tells whether f can be that of cell c.
func (f Fingerprints) valid(c Cell) bool {
	for i, s := range [2]tune.Setting{c.A, c.B} {
		if f[i] != "" && (s.Deep == "" || len(f[i]) != 16) {
			return false
		}
	}
	return true
}

// redefined refuses presets of cell c that were set in another way in the blocks that
// are there: one rating cannot be both's. The error wraps ErrOtherVersion.
func (s *Store) redefined(c Cell, f Fingerprints) error {
	for i, x := range [2]tune.Setting{c.A, c.B} {
		if have := s.presets[x.Deep]; f[i] != "" && have != "" && have != f[i] {
			return fmt.Errorf("%w: preset %s was redefined: its settings are %s in some results and %s in others", ErrOtherVersion, x.Deep, have, f[i])
		}
	}
	return nil
}

// note remembers how the presets of a block were set.
func (s *Store) note(c Cell, f Fingerprints) {
	for i, x := range [2]tune.Setting{c.A, c.B} {
		if f[i] != "" {
			s.presets[x.Deep] = f[i]
		}
	}
}

// Redefined lists the presets that meant something else when they played than they do
// now. Results without fingerprints list none.
func (s *Store) Redefined() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(s.presets)) {
		if now, _ := (tune.Setting{Deep: name}).Fingerprint(); now != s.presets[name] {
			names = append(names, name)
		}
	}
	return names
}
