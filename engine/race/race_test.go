package race

import (
	"math"
	"testing"

	"fibsbot/engine/board"
)

func TestKleinman(t *testing.T) {
	// K = 1.2 is the border of the take: about 78 %.
	for _, c := range []struct {
		me, opp int
		want    float64
	}{{100, 112, 0.7845}, {100, 108, 0.724}, {100, 96, 0.5}, {80, 80, 0.5885}, {3, 3, 0.977}, {1, 2, 1}} {
		if got := Kleinman(c.me, c.opp); math.Abs(got-c.want) > 0.003 {
			t.Errorf("Kleinman(%d, %d) = %.4f, want %.4f", c.me, c.opp, got, c.want)
		}
	}
	if k := KleinmanMetric(84, 96); math.Abs(k-256.0/176) > 1e-9 {
		t.Errorf("KleinmanMetric(84, 96) = %v, want 1.4545 (Chuck Bower's example)", k)
	}
	if k := KleinmanMetric(100, 90); k != 0 {
		t.Errorf("KleinmanMetric of the one behind: %v", k)
	}
}

func TestCounts(t *testing.T) {
	p := board.Position{
		Me:  board.Checkers{0: 3, 1: 2, 3: 2, 4: 2, 5: 3}, // 43 pips, 12 checkers, no 3 point
		Opp: board.Checkers{0: 2, 2: 4, 4: 2, 5: 3},       // 42 pips, 11 checkers, no 2 and 4 point
	}
	for _, c := range []struct {
		name string
		got  Count
		want Count
	}{
		// 43+24+3-5 = 65, a tenth more 71.5; 42+22+2-4 = 62
		{"Thorp", Thorp(&p), Count{Me: 71.5, Opp: 62}},
		// 43+4+1 = 48, a seventh more 54; 42+2+1+1 = 46
		{"Keith", Keith(&p), Count{Me: 48 * 8.0 / 7, Opp: 46, Take: true}},
		// 43+2+2-1 = 46, a tenth more 50.6; 42
		{"Ward", Ward(&p), Count{Me: 50.6, Opp: 42, Take: true}},
	} {
		if c.name == "Thorp" {
			c.want.Take = true
		}
		if math.Abs(c.got.Me-c.want.Me) > 1e-9 || math.Abs(c.got.Opp-c.want.Opp) > 1e-9 ||
			c.got.Double != c.want.Double || c.got.Redouble != c.want.Redouble || c.got.Take != c.want.Take {
			t.Errorf("%s: %+v, want %+v", c.name, c.got, c.want)
		}
	}
}
