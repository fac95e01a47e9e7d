package play

import (
	"fmt"
	"math"
	"strings"

	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/tune"
)

// Standing is the approximate rating of an opponent on FIBS. The zero value is unknown.
type Standing struct {
	// Rating on FIBS, rounded to ten.
	Rating int `json:"rating,omitempty"`
	// Beyond reports that the rating was not measured. Rating is then that of the strongest
	// measured preset, which errs more.
	Beyond bool `json:"beyond,omitempty"`
}

// String is a few words, "" if unknown.
func (s Standing) String() string {
	switch {
	case s.Rating == 0:
		return ""
	case s.Beyond:
		return fmt.Sprintf("above %d on FIBS", s.Rating)
	}
	return fmt.Sprintf("about %d on FIBS", s.Rating)
}

// StandingOf returns the measured rating of a preset in matches of length points, 0 for
// money play (docs/strength.md). It is unknown for presets of bot.yaml that search.
func StandingOf(p preset.Preset, length int) Standing {
	surface, err := tune.Measured()
	if err != nil {
		return Standing{}
	}
	return standingBy(surface, p, length)
}

// standingBy is StandingOf by a table that lacks some presets at some lengths.
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
	// Built-in presets are ordered by strength. The steps between those that search are below
	// the error of measurement, so a preset never gets less than a weaker one.
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

// standing is the standing of the opponent. Ratings are for backgammon.
func (o *Options) standing(f Foe) Standing {
	switch {
	case o.Two || o.Variation != record.Backgammon || o.Egyptian || o.NoCube || f.Benchmark:
		return Standing{}
	case o.Rating > 0:
		return Standing{Rating: int(math.Round(o.Rating))}
	}
	return StandingOf(f.Preset, o.Length)
}

// Strengths lists the built-in presets, weakest first, one per line: name, FIBS rating in
// matches of 5 points, summary.
func Strengths() string {
	var b strings.Builder
	for _, p := range preset.All() {
		s := StandingOf(p, 5)
		if l, ok := tune.LevelOf(&p); ok {
			s, p.Summary = Standing{Rating: int(l.Rating)}, l.Summary
		}
		above := ""
		if s.Beyond {
			above = "above"
		}
		fmt.Fprintf(&b, "  %-13s %5s %4d  %s\n", p.Name, above, s.Rating, p.Summary)
	}
	return b.String()
}
