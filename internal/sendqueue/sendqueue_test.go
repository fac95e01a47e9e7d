package sendqueue

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestQueue_neverBeforeItsTime: lines wanted at any moment keep to the limit to the
// nanosecond, counted apart, and do not wait a millisecond longer than it asks.
func TestQueue_neverBeforeItsTime(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		p := Pace{Every: time.Duration(1 + rng.Int64N(int64(3*time.Second))), Burst: 1 + rng.IntN(6)}
		q := New(p)
		now := time.Date(2026, 11, 22, 0, 0, 0, rng.IntN(1e9), time.UTC)
		spent, last := 0.0, now // lines that the bucket lacks
		for range 100 {
			now = now.Add(time.Duration(rng.Float64() * rng.Float64() * 2 * float64(p.Every)))
			if !q.Add(Item{Line: "who"}) {
				t.Fatal("the queue is full")
			}
			waited := false
			for {
				_, wait, ok := q.Next(now)
				if ok {
					break
				}
				if wait <= 0 {
					t.Fatalf("%+v: neither sent nor to wait for", p)
				}
				now, waited = now.Add(wait), true
			}
			q.Sent(now)
			spent = max(0, spent-now.Sub(last).Seconds()/p.Every.Seconds()) + 1
			last = now
			early := time.Duration((spent - float64(p.Burst)) * float64(p.Every))
			if early > 100*time.Nanosecond { // what floating point is off by
				t.Fatalf("%+v: %v before its time", p, early)
			}
			if waited && early < -time.Millisecond {
				t.Fatalf("%+v: %v late", p, -early)
			}
		}
	}
}
