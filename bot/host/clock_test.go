package host

import (
	"testing"
	"time"
	"unsafe"
)

// wallMoved returns t as a process reads it after its clock was set: another wall clock, the
// same monotonic one. Package time cannot make such a time; its first word has 33 bits of
// seconds above 30 of nanoseconds.
func wallMoved(t time.Time, d time.Duration) time.Time {
	*(*uint64)(unsafe.Pointer(&t)) += uint64(d/time.Second) << 30
	return t
}

func TestClock_setWhileAMatchRuns(t *testing.T) {
	began := time.Now()
	for _, set := range []time.Duration{0, 30 * time.Second, time.Hour, -time.Hour, 8760 * time.Hour, -8760 * time.Hour} {
		end := wallMoved(began.Add(20*time.Minute), set)
		if got := end.Sub(began); got != 20*time.Minute {
			t.Fatalf("the times of this test are wrong: %v", got)
		}
		if got := clockSet(began, end); got != set {
			t.Errorf("set by %v, seen %v", set, got)
		}
		started := startedBy(began, end)
		if set.Abs() < clockSlack {
			if !started.IsZero() {
				t.Errorf("set by %v: started %v", set, started)
			}
			continue
		}
		if got := end.UTC().Round(0).Sub(started); got != 20*time.Minute {
			t.Errorf("set by %v: a match of %v", set, got)
		}
	}
	if !startedBy(time.Time{}, began).IsZero() || !startedBy(began.Round(0), began.Add(time.Hour)).IsZero() {
		t.Error("a match of another process has a start")
	}
}

// TestToday_clockSetBack: matches in the future do not count for today.
func TestToday_clockSetBack(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.Local)
	s := &history{ends: []time.Time{now.AddDate(1, 0, 0), now.Add(-time.Hour), now.Add(time.Hour), now.AddDate(0, 0, -1), now.AddDate(0, 0, 1)}}
	if n := s.today(now); n != 2 {
		t.Errorf("%d matches today, want 2: the last hour's and the next's", n)
	}
}
