package tune

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/interp"
)

// The curve is that of gonum.
func TestSpline(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 2; n < 40; n++ {
		x, y := make([]float64, n), make([]float64, n)
		for i := 1; i < n; i++ {
			x[i], y[i] = x[i-1]+0.01+r.Float64(), y[i-1]+1e-4+300*r.ExpFloat64()
		}
		var want interp.FritschButland
		if err := want.Fit(x, y); err != nil {
			t.Fatal(err)
		}
		c := newSpline(x, y)
		for i := 0; i <= 1000; i++ {
			v := x[n-1] * float64(i) / 1000
			if got, w := c.at(v), want.Predict(v); math.Abs(got-w) > 1e-9*(1+w) {
				t.Fatalf("%d points: %v at %v, want %v", n, got, v, w)
			}
		}
	}
}
