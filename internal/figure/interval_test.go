package figure

import (
	"math"
	"testing"
)

// The quantiles are those of printed tables.
func TestStudentT(t *testing.T) {
	for df, want := range map[float64]float64{1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 10: 2.228, 30: 2.042, 120: 1.980} {
		if got := studentT(df); math.Abs(got/want-1) > 0.0013 {
			t.Errorf("%v degrees: %.4f, want %v", df, got, want)
		}
	}
}

func TestRatio_interval(t *testing.T) {
	var mean, ratio Ratio
	for i, x := range []float64{1, 2, 4} {
		mean.Add(x, 1)
		ratio.Add(3*float64(i+1), float64(i+1)) // the same ratio each time
	}
	// 7/3 ± 4.3027 * 1.5275 / sqrt(3)
	if iv := mean.Interval(1); math.Abs(float64(iv[0])+1.4613) > 1e-3 || math.Abs(float64(iv[1])-6.1279) > 1e-3 {
		t.Errorf("mean: %v", *iv)
	}
	if iv := ratio.Interval(500); math.Abs(float64(iv[0])-1500) > 1e-3 || math.Abs(float64(iv[1])-1500) > 1e-3 {
		t.Errorf("ratio: %v", *iv)
	}
	var one Ratio
	one.Add(1, 1)
	if one.Interval(1) != nil || Share(1, 1) != nil || (Ratio{N: 2, X: math.NaN(), Y: 2}).Interval(1) != nil {
		t.Error("an interval from one sample, or of nothing known")
	}
	if iv := Share(10, 10); math.Abs(float64(iv[0])-0.6615) > 1e-3 || math.Abs(float64(iv[1])-1) > 1e-9 { // all won is not certainty
		t.Errorf("10 of 10: %v", *iv)
	}
}
