package host

import "time"

// alarm is when to wake up: the earliest of the times it was set to, zero for never.
type alarm struct{ at time.Time }

// set asks to be woken at that time too; zero asks for nothing.
func (a *alarm) set(at time.Time) {
	if !at.IsZero() && (a.at.IsZero() || at.Before(a.at)) {
		a.at = at
	}
}
