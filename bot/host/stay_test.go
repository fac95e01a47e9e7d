package host

import (
	"testing"
	"time"
)

func TestStay_played(t *testing.T) {
	var s stay
	for range 3 {
		s.played(0)
	}
	if s.leaving.Load() || s.finished != 3 {
		t.Errorf("without a limit: %+v", &s)
	}
	if s.played(5); s.leaving.Load() {
		t.Error("leaves after four of five")
	}
	if s.played(5); !s.leaving.Load() {
		t.Error("stays after five of five")
	}
	if s.played(0); !s.leaving.Load() {
		t.Error("a match takes an owner's word back")
	}
}

// TestStay_goodbye: the account waits for its last texts to be sent, up to a limit.
func TestStay_goodbye(t *testing.T) {
	now := time.Unix(1000, 0)
	var s stay
	if _, yes := s.goodbye(0, now); !yes {
		t.Error("nothing to say, and stays")
	}
	s.till = time.Time{}
	wake, yes := s.goodbye(2, now)
	if yes || !wake.Equal(now.Add(lastWordsLimit)) {
		t.Errorf("goes %v, wakes at %s", yes, wake)
	}
	if again, yes := s.goodbye(1, now.Add(time.Second)); yes || !again.Equal(wake) {
		t.Errorf("a second later: goes %v, wakes at %s", yes, again)
	}
	if _, yes := s.goodbye(1, wake); !yes {
		t.Error("waits for ever")
	}
	if !s.ending() {
		t.Error("is not ending while it says its last words")
	}
	s.paused.Store(true)
	if s.resume(); s.leaving.Load() || s.paused.Load() {
		t.Error("still leaving or paused after resume")
	}
}

func TestAlarm(t *testing.T) {
	var a alarm
	if a.set(time.Time{}); !a.at.IsZero() {
		t.Errorf("set to %s by nothing", a.at)
	}
	early, late := time.Unix(10, 0), time.Unix(20, 0)
	for _, at := range []time.Time{late, early, {}, late} {
		a.set(at)
	}
	if !a.at.Equal(early) {
		t.Errorf("wakes at %s", a.at)
	}
}
