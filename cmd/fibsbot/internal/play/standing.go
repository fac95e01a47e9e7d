package play

import (
	"fmt"
	"math"
	"strings"

	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/tune"
)

// Standing is about how strong an opponent is: the rating that it plays at on FIBS. The
// zero value is not known.
type Standing struct {
	// Rating on FIBS, to the next ten.
	Rating int `json:"rating,omitempty"`
	// Beyond tells that no rating was measured, but that it errs less than the strongest
	// preset of which one was, whose Rating is.
	Beyond bool `json:"beyond,omitempty"`
}

// String is a few words, "" for what is not known.
func (s Standing) String() string {
	switch {
	case s.Rating == 0:
		return ""
	case s.Beyond:
		return fmt.Sprintf("above %d on FIBS", s.Rating)
	}
	return fmt.Sprintf("about %d on FIBS", s.Rating)
}

// StandingOf returns how strong a preset is in matches of length points, 0 for money
// play, as it was measured (docs/strength.md). Presets of one's own that look ahead are
// not known.
func StandingOf(p preset.Preset, length int) Standing {
	surface, err := tune.Measured()
	if err != nil {
		return Standing{}
	}
	return standingBy(surface, p, length)
}

// standingBy is StandingOf by a table, in which not every preset has met others at every
// length.
func standingBy(surface *tune.Surface, p preset.Preset, length int) Standing {
	at := func(p preset.Preset) int {
		x, err := tune.OfPreset(p)
		if err != nil {
			return 0
		}
		iv, ok := surface.At(x, length)
		if !ok {
			return 0
		}
		return 10 * int(math.Round(iv.Estimate/10))
	}
	// Built-in presets are in the order of their strength, and the steps between those that
	// look ahead are smaller than what is known of them: none stands behind a weaker one.
	best := 0
	for _, known := range preset.All() {
		r := at(known)
		best = max(best, r)
		if known.Fingerprint() == p.Fingerprint() {
			return Standing{Rating: best, Beyond: r == 0}
		}
	}
	return Standing{Rating: at(p)}
}

// standing is about how strong the opponent of a match is. Ratings are of backgammon.
func (o *Options) standing(f Foe) Standing {
	switch {
	case o.Variation != record.Backgammon || o.Egyptian || o.NoCube || f.Benchmark:
		return Standing{}
	case o.Rating > 0:
		return Standing{Rating: int(math.Round(o.Rating))}
	}
	return StandingOf(f.Preset, o.Length)
}

// Strengths lists the built-in presets in lines, weakest first: name, rating on FIBS in
// matches of 5 points, how it looks and errs.
func Strengths() string {
	var b strings.Builder
	for _, p := range preset.All() {
		s := StandingOf(p, 5)
		above := ""
		if s.Beyond {
			above = "above"
		}
		fmt.Fprintf(&b, "  %-13s %5s %4d  %s\n", p.Name, above, s.Rating, p.Summary)
	}
	return b.String()
}
