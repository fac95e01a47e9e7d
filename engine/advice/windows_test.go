package advice

import (
	"math"
	"strings"
	"testing"

	"fibsbot/engine/match"
)

// TestWindowsAt_money: the textbook points of money play without gammons.
func TestWindowsAt_money(t *testing.T) {
	w, err := WindowsAt(match.DefaultTable(), match.Money(false, 3), shares([2]float64{}, [2]float64{}), 0.68)
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("dead take", w.Dead.Take, 0.25)
	near("dead cash", w.Dead.Cash, 0.75)
	near("live take", w.Live.Take, 0.2)
	near("live cash", w.Live.Cash, 0.8)
	near("beaver with a dead cube", w.Dead.Beaver, 0.5)
	near("opponent's live take", w.Opponent.Live.Take, 0.2)
	near("opponent redoubles with a dead cube from", w.After.Dead.Double, 0.5)
	crawford := match.State{Length: 3, Score: [2]int{2, 1}, Cube: 1, Crawford: true}
	if w, err = WindowsAt(match.DefaultTable(), crawford, shares([2]float64{}, [2]float64{}), 0.68); err != nil || w.After != nil {
		t.Errorf("a double in the Crawford game: %+v, %v", w, err)
	} else if text := w.Text(); strings.Contains(text, "%") || !strings.HasPrefix(text, "the Crawford game") {
		t.Errorf("cube points in the Crawford game:\n%s", text)
	}
}
