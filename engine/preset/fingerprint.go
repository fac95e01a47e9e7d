package preset

import (
	"fmt"
	"hash/fnv"
	"io"

	"fibsbot/engine/search"
	"fibsbot/engine/tune/human"
)

// Fingerprint returns 16 hex digits that identify a preset's settings in records: two presets
// share a fingerprint if their settings for plays and doubles are equal, whatever their names.
// It leaves out seeds, the manner of resigning, and all that is code and not a setting: the
// nets, and how Close is rolled out.
//
// Fingerprints must never change, or existing files become meaningless. Write a new field of
// the settings only if it is set.
func (p Preset) Fingerprint() string {
	h := fnv.New64a()
	describe(h, &p.Checker)
	describe(h, &p.Cube)
	if p.Close.Trials > 0 {
		fmt.Fprintf(h, "close %d %v %d %d\n", p.Close.Plays, p.Close.Within, p.Close.Trials, p.Close.Truncate)
	}
	if c := &p.Close; c.Early > 0 || c.Plies > 0 {
		fmt.Fprintf(h, "close early %d %d\n", c.Early, c.Plies)
	}
	if c := &p.Close; c.CubeTrials > 0 || c.CubeWithin > 0 {
		fmt.Fprintf(h, "close cube %d %v %d\n", c.CubeTrials, c.CubeWithin, c.Truncate)
	}
	if c := &p.Close; c.Search > 0 {
		fmt.Fprintf(h, "close search %v\n", c.Search)
	}
	fmt.Fprintf(h, "human %v %v optional %v\n", p.Human.Checker, p.Human.Cube, p.OptionalDouble)
	if p.Human != (human.Style{}) {
		fmt.Fprintf(h, "model %s %s\n", human.ModelVersion(), p.Human.Character)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// describe writes what decisions by s depend on, as one line.
func describe(w io.Writer, s *search.Settings) {
	fmt.Fprintf(w, "plies %d cubeful %v noise %v %v", s.Plies, s.Cubeful, s.Noise, s.Deterministic)
	if s.Plies > 0 {
		share := s.Share
		if share == 0 {
			share = 1 // 0 and 1 both mean all decisions
		}
		fmt.Fprintf(w, " share %v prune %v reduced %d cuts", share, s.Prune, s.Reduced)
		if s.Plies <= search.MaxPlies {
			for _, c := range s.Filter.Cuts[s.Plies-1] {
				fmt.Fprintf(w, " %d %d %v", c.Accept, c.Extra, c.Threshold)
			}
		}
	}
	if s.Efficiency != nil {
		fmt.Fprintf(w, " efficiency %v", *s.Efficiency)
	}
	if s.Budget > 0 {
		fmt.Fprintf(w, " budget %v", s.Budget)
	}
	fmt.Fprintln(w)
}
