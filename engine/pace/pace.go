// Package pace says how long a decision seems to take a person: long if several choices are
// about equally good, short if one is obvious. It never depends on how long the engine took.
package pace

import (
	"math"
	"time"
)

// Difficulty is how hard a decision looks.
type Difficulty struct {
	// Forced reports that there is nothing to think about.
	Forced bool
	// Gap is the equity difference between the best and the second-best choice, in EMG, 0 or more.
	Gap float64
	// Good is the number of choices within Easy of the best, the best included; 0 if unknown.
	Good int
}

// Easy is the gap above which a decision looks obvious to a strong player. It is gnubg's limit
// for a very bad error.
const Easy = 0.12

// clear is the gap beyond which no one thinks about a double.
const clear = 0.2

// OfPlays is how hard it looks to choose between plays with these equities, in any order.
func OfPlays(equities []float64) Difficulty {
	if len(equities) < 2 {
		return Difficulty{Forced: true}
	}
	best, second := math.Inf(-1), math.Inf(-1)
	for _, e := range equities {
		best, second = max(best, e), max(second, min(best, e))
	}
	d := Difficulty{Gap: best - second}
	for _, e := range equities {
		if best-e < Easy {
			d.Good++
		}
	}
	return d
}

// OfDouble is how hard it looks to decide on a double that gains so much over rolling.
func OfDouble(gain float64) Difficulty {
	return Difficulty{Gap: math.Abs(gain), Forced: gain < -clear}
}

// OfTake is how hard it looks to answer a double; a take gains so much over a pass.
func OfTake(gain float64) Difficulty { return Difficulty{Gap: math.Abs(gain)} }

// Hard is how hard the decision looks, from 0 to 1.
func (d Difficulty) Hard() float64 {
	if d.Forced {
		return 0
	}
	hard := 1 - math.Min(1, math.Max(0, d.Gap)/Easy)
	if d.Good > 0 {
		// Two good choices are weighed sooner than five.
		hard *= math.Min(1, 0.5+0.1*float64(d.Good))
	}
	return hard
}

// Time is how long a decision that is not forced seems to take, between lo and hi. u is drawn
// uniformly from [0,1). The times have a long right tail, as human thinking times do, cut at hi.
// Their median is near lo for an obvious decision and half way to hi for a hard one.
func (d Difficulty) Time(lo, hi time.Duration, u float64) time.Duration {
	if hi <= lo {
		return lo
	}
	// An exponential with mean m has its median at m ln 2.
	median := (0.05 + 0.45*d.Hard()) * float64(hi-lo)
	t := -math.Log(1-math.Min(math.Max(0, u), 0.999999)) * median / math.Ln2
	return lo + time.Duration(math.Min(t, float64(hi-lo)))
}
