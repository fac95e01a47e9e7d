package policy

import (
	"strconv"
	"time"

	"fibsbot/config"
	"fibsbot/engine/pace"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Pace returns how long the bot should seem to think, within the limits of the
// configuration. u is drawn uniformly from [0,1).
func Pace(p config.Pacing, d pace.Difficulty, u float64) time.Duration {
	lo, hi := p.Min.Std(), p.Max.Std()
	switch {
	case p.By == "none":
		return 0
	case d.Forced:
		return min(p.Forced.Std(), hi)
	case p.By == "fixed":
		return lo
	}
	return d.Time(lo, hi, u)
}
