package pace

import (
	"math"
	"testing"
	"time"
)

func TestOfPlays(t *testing.T) {
	for _, tt := range []struct {
		equities []float64
		want     Difficulty
	}{
		{nil, Difficulty{Forced: true}},
		{[]float64{0.3}, Difficulty{Forced: true}},
		{[]float64{0.1, 0.3, 0.25, -0.5}, Difficulty{Gap: 0.05, Good: 2}},
		{[]float64{0.3, 0.3, 0.2}, Difficulty{Gap: 0, Good: 3}},
	} {
		got := OfPlays(tt.equities)
		if got.Forced != tt.want.Forced || got.Good != tt.want.Good || math.Abs(got.Gap-tt.want.Gap) > 1e-9 {
			t.Errorf("%v: %+v, want %+v", tt.equities, got, tt.want)
		}
	}
}

// What a person thinks about longer is harder.
func TestHard_order(t *testing.T) {
	rising := []Difficulty{
		{Forced: true}, {Gap: 0.5, Good: 1}, {Gap: 0.06, Good: 2}, {Gap: 0.01, Good: 2}, {Gap: 0.01, Good: 5},
	}
	for i := 1; i < len(rising); i++ {
		if a, b := rising[i-1].Hard(), rising[i].Hard(); a > b {
			t.Errorf("%+v is as hard as %v, %+v as %v", rising[i-1], a, rising[i], b)
		}
	}
	if far, near := OfDouble(-0.5), OfDouble(-0.03); !far.Forced || near.Forced || OfDouble(0.5).Forced {
		t.Errorf("doubles: far from the window %+v, near it %+v", far, near)
	}
	if OfTake(0.01).Hard() <= OfTake(-0.4).Hard() {
		t.Error("a close take is no harder than a clear pass")
	}
}

func TestTime_bounds(t *testing.T) {
	lo, hi := time.Second, 6*time.Second
	for _, d := range []Difficulty{{}, {Gap: 0.01, Good: 6}, {Gap: 1, Good: 1}, {Forced: true}} {
		last := time.Duration(0)
		for _, u := range []float64{-1, 0, 0.3, 0.5, 0.9, 0.9999999, 2} {
			got := d.Time(lo, hi, u)
			if got < lo || got > hi || got < last {
				t.Errorf("%+v at %v: %v", d, u, got)
			}
			last = got
		}
	}
	hard, easy := Difficulty{Gap: 0.005, Good: 5}.Time(lo, hi, 0.5), Difficulty{Gap: 0.4, Good: 1}.Time(lo, hi, 0.5)
	if hard < 3*time.Second || easy > 1500*time.Millisecond {
		t.Errorf("medians: hard %v, easy %v", hard, easy)
	}
	if got := (Difficulty{}).Time(hi, lo, 0.5); got != hi {
		t.Errorf("without room: %v", got)
	}
}
