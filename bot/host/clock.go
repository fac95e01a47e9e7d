package host

import "time"

// clockSlack is by how much the clock may be set without a word: what NTP does every day.
const clockSlack = time.Minute

// clockSet is by how much the wall clock was set between two times of this process,
// which the monotonic clock does not follow; 0 where one of them is of another. A machine
// that slept looks the same.
func clockSet(from, to time.Time) time.Duration {
	return to.Round(0).Sub(from.Round(0)) - to.Sub(from)
}

// startedBy is when a match began by the clock of its end, where that was set meanwhile:
// the name of its file has the other one. Zero where it was not, or where the match
// began in another process.
func startedBy(began, end time.Time) time.Time {
	if began.IsZero() || clockSet(began, end).Abs() < clockSlack {
		return time.Time{}
	}
	return end.Add(-end.Sub(began)).UTC().Round(0)
}

// tellClock says in the log that the clock was set since the last look, which last
// returned.
func (h *Host) tellClock(now time.Time, before time.Duration) time.Duration {
	by := clockSet(h.started, now)
	if d := by - before; d.Abs() >= clockSlack {
		h.opt.Log.WithField("by", d.Round(time.Second).String()).Warn("the clock was set, or the machine slept; waits go on as they were, and times are by the new clock")
		return by
	}
	return before
}
