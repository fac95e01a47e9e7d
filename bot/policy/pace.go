package policy

import (
	"math"
	"strconv"
	"time"

	"fibsbot/config"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Difficulty is how hard a decision is, for pacing.
type Difficulty struct {
	Forced bool // there was no choice
	// Gap is the equity difference between the best and the second-best choice, in EMG, 0
	// or more. A small gap is a hard decision.
	Gap float64
}

// easyGap is the gap above which a decision looks obvious to a strong player. It is
// gnubg's limit for a very bad error.
const easyGap = 0.12

// Pace returns how long the bot should seem to think, within the limits of the
// configuration. u is drawn uniformly from [0,1). The times have a long right tail, as
// human thinking times do, cut at max. Their median is near min for an obvious decision
// and half way to max for a close one.
func Pace(p config.Pacing, d Difficulty, u float64) time.Duration {
	lo, hi := p.Min.Std(), p.Max.Std()
	switch {
	case p.By == "none":
		return 0
	case d.Forced:
		return min(p.Forced.Std(), hi)
	case p.By == "fixed" || hi <= lo:
		return lo
	}
	hard := 1 - math.Min(1, math.Max(0, d.Gap)/easyGap)
	// An exponential with mean m has its median at m ln 2.
	median := (0.05 + 0.45*hard) * float64(hi-lo)
	t := -math.Log(1-math.Min(u, 0.999999)) * median / math.Ln2
	return lo + time.Duration(math.Min(t, float64(hi-lo)))
}
