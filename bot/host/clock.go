package host

import "time"

// clockSlack is the largest change of the clock that is not logged: NTP makes small ones
// every day.
const clockSlack = time.Minute

// clockSet returns by how much the wall clock was set between two times of this process,
// compared with the monotonic clock; 0 if one of them is from another process. A machine that
// slept looks the same.
func clockSet(from, to time.Time) time.Duration {
	return to.Round(0).Sub(from.Round(0)) - to.Sub(from)
}

// startedBy returns when a match began by the clock of its end, if the clock was set in
// between (the file name has the old time). It is zero otherwise, and if the match began in
// another process.
func startedBy(began, end time.Time) time.Time {
	if began.IsZero() || clockSet(began, end).Abs() < clockSlack {
		return time.Time{}
	}
	return end.Add(-end.Sub(began)).UTC().Round(0)
}

// logClockChange logs if the clock was set. before is what the last call returned.
func (h *Host) logClockChange(now time.Time, before time.Duration) time.Duration {
	by := clockSet(h.started, now)
	if d := by - before; d.Abs() >= clockSlack {
		h.opt.Log.WithField("by", d.Round(time.Second).String()).Warn("the clock was set, or the machine slept: waits are not affected, times follow the new clock")
		return by
	}
	return before
}

// alarm is the earliest of the times it was set to, or zero.
type alarm struct{ at time.Time }

// set adds a time; zero is ignored.
func (a *alarm) set(at time.Time) {
	if !at.IsZero() && (a.at.IsZero() || at.Before(a.at)) {
		a.at = at
	}
}
