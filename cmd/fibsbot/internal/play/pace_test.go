package play

import (
	"testing"
	"time"
)

// The opponent's time to think is bounded, short where there is no choice, and the same whenever it
// is asked; at the other's turn it is 0.
func TestPace(t *testing.T) {
	m, e := newMatch(t, Options{Length: 3, Seed: 11}), anEngine(t)
	seen := map[time.Duration]bool{}
	for range 60 {
		v := m.View()
		if v.Result != nil {
			break
		}
		got, err := m.Pace(t.Context(), e, v.Turn)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := m.Pace(t.Context(), e, v.Turn)
		if got != again || got < forcedThought || got > mostThought {
			t.Fatalf("%s: %v, then %v", v.Phase, got, again)
		}
		if len(v.Moves) == 1 && got != forcedThought {
			t.Errorf("a forced play takes %v", got)
		}
		if other, err := m.Pace(t.Context(), e, 1-v.Turn); other != 0 || err != nil {
			t.Errorf("%s: the other side thinks %v, %v", v.Phase, other, err)
		}
		seen[got] = true
		if done, err := m.ThinkFor(t.Context(), e, v.Turn); err != nil || !done {
			t.Fatal(done, err)
		}
		if m.View().Phase == GameOver {
			break
		}
	}
	if len(seen) < 5 {
		t.Errorf("only %d different times", len(seen))
	}
}
