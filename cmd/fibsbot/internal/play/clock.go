package play

import "fmt"

// ClockKind is how a clock counts the delay of a turn.
type ClockKind string

// The kinds. Bronstein does not count the first seconds of a turn; Fischer adds seconds
// after each turn.
const (
	bronstein ClockKind = "bronstein"
	fischer   ClockKind = "fischer"
)

// Bounds of a Clock in seconds.
const (
	maxReserve = 24 * 3600
	maxDelay   = 600
)

// Clock is the time of each side for the match.
type Clock struct {
	Kind ClockKind `json:"kind"`
	// Reserve and Delay in seconds.
	Reserve int `json:"reserve"`
	Delay   int `json:"delay"`
	// Loses makes a side without time lose the match; otherwise the clock only shows it.
	Loses bool `json:"loses,omitempty"`
}

func (c *Clock) check() error {
	switch {
	case c.Kind != bronstein && c.Kind != fischer:
		return wrong("clock", "unknown kind %.20q (use bronstein or fischer)", string(c.Kind))
	case c.Reserve < 1 || c.Reserve > maxReserve:
		return wrong("clock", "reserve %d: want 1 to %d seconds", c.Reserve, maxReserve)
	case c.Delay < 0 || c.Delay > maxDelay:
		return wrong("clock", "delay %d: want 0 to %d seconds", c.Delay, maxDelay)
	}
	return nil
}

// clock is the time of a state in milliseconds: what is left by side, and what the present
// turn has used.
type clock struct {
	left [2]int64
	used int64
}

// spend counts the time of an act by who, whose turn it was.
func (s *state) spend(who int, ms int64) {
	c := s.opts.Clock
	if c == nil {
		return
	}
	s.clock.used += max(0, ms)
	if s.turn == who && s.phase != GameOver && s.phase != MatchOver {
		return
	}
	cost := s.clock.used - 1000*int64(c.Delay)
	if c.Kind == bronstein {
		cost = max(0, cost)
	}
	s.clock.left[who] = max(0, s.clock.left[who]-cost)
	s.clock.used = 0
}

// flag ends the match for a side whose time is up.
func (s *state) flag(a *Act) error {
	c := s.opts.Clock
	switch {
	case c == nil || !c.Loses:
		return fmt.Errorf("%w: this match cannot be lost on time", ErrNotNow)
	case !s.waitsFor(a.Side):
		return s.notNow(a)
	}
	s.clock.left[a.Side], s.clock.used = 0, 0
	points := s.Cube
	if s.opts.Length > 0 {
		points = s.opts.Length - s.Score[1-a.Side]
	}
	s.endPoints(1-a.Side, points, 1, "time")
	return nil
}

// ClockView is the time of a match in milliseconds, the opponent's first. Used is that of
// the present turn before the last act.
type ClockView struct {
	Clock
	Left [2]int64 `json:"left_ms"`
	Used int64    `json:"used_ms"`
}
