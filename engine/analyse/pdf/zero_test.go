package pdf

import (
	"math"
	"testing"

	"fibsbot/engine/record"
)

// TestResult: a result that is printed as zero has no sign, an unknown one no figure.
func TestResult(t *testing.T) {
	match, money := &printer{m: &record.Match{Length: 7}}, &printer{m: &record.Match{}}
	for _, c := range []struct {
		p    *printer
		v    float64
		want string
	}{
		{match, 0.0004, "0.0%"}, {match, -0.0004, "0.0%"}, {match, -0.032, "−3.2%"}, {match, 0.5, "+50.0%"},
		{money, -0.004, "0.00"}, {money, 2, "+2.00"}, {match, math.NaN(), unknown},
	} {
		if got := c.p.result(c.v); got != c.want {
			t.Errorf("%v of a match of %d points: %q, want %q", c.v, c.p.m.Length, got, c.want)
		}
	}
}
