package policy

import (
	"testing"
	"time"

	"fibsbot/config"
)

// TestStanding_Pause: pauses double up to the longest, and a good match takes one off.
func TestStanding_Pause(t *testing.T) {
	c := config.Default()
	now := noon
	var s Standing
	for i, want := range []time.Duration{0, 5 * time.Minute, 10 * time.Minute, 20 * time.Minute} {
		copied := s
		s.Mark(Stalls, 1, now)
		if copied.Marks[Stalls].N != i {
			t.Errorf("a copy changed to %+v", copied)
		}
		if wait, why := s.Pause(c, now); wait != want || (want > 0) != (why == Stalls) {
			t.Errorf("stall %d: %v because of %q, want %v", i+1, wait, why, want)
		}
	}
	if wait, _ := s.Pause(c, now.Add(20*time.Minute)); wait != 0 {
		t.Errorf("still %v", wait)
	}
	if why, until := s.Words(c, now); why != "matches left because he did not move, 4 in all" || !until.Equal(now.Add(20*time.Minute)) {
		t.Errorf("described as %q until %v", why, until)
	}
	s.Mark(Stalls, -1, now.Add(time.Hour))
	if got := s.Marks[Stalls]; got != (Count{3, now}) {
		t.Errorf("after a good match %+v", got)
	}
	for range 100 {
		s.Mark(Stalls, 1, now)
	}
	if wait, _ := s.Pause(c, now); wait != 24*time.Hour {
		t.Errorf("the longest pause is %v", wait)
	}
	s.Mark(Stalls, 1, now.Add(forgiven))
	if got := s.Marks[Stalls].N; got != 1 {
		t.Errorf("%d stalls after a month", got)
	}
	for n, want := range map[int]time.Duration{0: 5 * time.Minute, 1: 5 * time.Minute, 2: 10 * time.Minute, 9: 1280 * time.Minute, 10: 24 * time.Hour, 1 << 40: 24 * time.Hour} {
		s.Marks = map[Mark]Count{Ignored: {n, now}}
		if got := s.pause(c, Ignored); got != want {
			t.Errorf("%d requests to resume: %v, want %v", n, got, want)
		}
	}
	c.Opponents.Pause.First = 0
	s.Marks = map[Mark]Count{Stalls: {9, now}}
	if wait, _ := s.Pause(c, now); wait != 0 {
		t.Errorf("switched off, but %v", wait)
	}
}
