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
		// 43+1+2 = 46, a sixth more 53.67; 42+1+1 = 44
		{"Isight", Isight(&p), Count{Me: 46 * 7.0 / 6, Opp: 44, Take: true}},
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

// The terms of Isight, one by one, and its limits: 6 for a double, 5 for a redouble, 2 for
// a take.
func TestIsight(t *testing.T) {
	for _, c := range []struct {
		name    string
		me, opp board.Checkers
		a, b    float64 // before the sixth of the player on roll
	}{
		{"more checkers", board.Checkers{0: 2, 1: 2}, board.Checkers{0: 1}, 6 + 3, 1},
		{"the ace point", board.Checkers{0: 4}, board.Checkers{5: 4}, 4 + 4 + 1, 24},
		{"the deuce", board.Checkers{1: 4}, board.Checkers{1: 4}, 8 + 2, 8 + 2},
		{"the 3 point", board.Checkers{2: 5}, board.Checkers{2: 5}, 15 + 2, 15 + 2},
		{"gaps that the other side has, too", board.Checkers{0: 2}, board.Checkers{0: 2}, 2, 2},
		{"gaps", board.Checkers{0: 1, 3: 1}, board.Checkers{4: 1, 5: 1}, 5 + 2, 11 + 1},
		{"crossovers", board.Checkers{12: 1, 5: 1}, board.Checkers{6: 1, 5: 1}, 19 + 1, 13},
		{"crossovers from the 24 point and the bar", board.Checkers{23: 1, 24: 1}, board.Checkers{5: 2}, 49 + 7 + 1, 12},
	} {
		p := board.Position{Me: c.me, Opp: c.opp}
		if got := Isight(&p); math.Abs(got.Me-c.a*7/6) > 1e-9 || got.Opp != c.b {
			t.Errorf("%s: %.3f and %v, want %.3f and %v", c.name, got.Me, got.Opp, c.a*7/6, c.b)
		}
	}
	for _, c := range []struct {
		opp                    board.Checkers
		double, redouble, take bool
	}{ // against 36 pips with the upper points held, a sixth more 42
		{board.Checkers{1: 1, 3: 1, 4: 1, 5: 4}, false, false, true}, // 35
		{board.Checkers{2: 1, 3: 1, 4: 1, 5: 4}, true, false, true},  // 36
		{board.Checkers{3: 2, 4: 1, 5: 4}, true, true, true},         // 37
		{board.Checkers{3: 1, 4: 1, 5: 5}, true, true, true},         // 39
		{board.Checkers{4: 1, 5: 6}, true, true, false},              // 41, no 4 point
	} {
		p := board.Position{Me: board.Checkers{2: 1, 3: 1, 4: 1, 5: 4}, Opp: c.opp}
		if got := Isight(&p); got.Double != c.double || got.Redouble != c.redouble || got.Take != c.take {
			t.Errorf("%v: %+v", c.opp, got)
		}
	}
}
