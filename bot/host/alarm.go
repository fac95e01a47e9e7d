package host

import "time"

// alarm is the earliest of the times it was set to, or zero.
type alarm struct{ at time.Time }

// set adds a time; zero is ignored.
func (a *alarm) set(at time.Time) {
	if !at.IsZero() && (a.at.IsZero() || at.Before(a.at)) {
		a.at = at
	}
}
