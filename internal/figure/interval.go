package figure

import "math"

// Interval is a 95 % confidence interval by Student's t: its low and high end.
type Interval [2]Figure

// Ratio sums two figures x and y of each of N samples, for the interval of the ratio of their
// sums. With y = 1 that is the mean of x.
type Ratio struct{ N, X, Y, XX, XY, YY float64 }

// Add adds a sample.
func (r *Ratio) Add(x, y float64) {
	*r = Ratio{r.N + 1, r.X + x, r.Y + y, r.XX + x*x, r.XY + x*y, r.YY + y*y}
}

// Value is X/Y, NaN or infinite without data.
func (r Ratio) Value() float64 { return r.X / r.Y }

// StdErr is the standard error of Value, NaN or infinite below two samples.
func (r Ratio) StdErr() float64 {
	v := r.Value()
	return math.Sqrt(math.Max(0, r.XX-2*v*r.XY+v*v*r.YY)*r.N/(r.N-1)) / r.Y
}

// Interval is that of Value times scale, or nil below two samples.
func (r Ratio) Interval(scale float64) *Interval {
	half := studentT(r.N-1) * r.StdErr()
	if !(r.N >= 2 && r.Y > 0) || math.IsNaN(half) {
		return nil
	}
	return &Interval{Figure(scale * (r.Value() - half)), Figure(scale * (r.Value() + half))}
}

// Share is the interval of a share of which k of n samples were found (Wilson), or nil below two.
func Share(k, n float64) *Interval {
	if !(n >= 2) {
		return nil
	}
	t := studentT(n - 1)
	middle, half := k+t*t/2, t*math.Sqrt(k*(n-k)/n+t*t/4)
	return &Interval{Figure(math.Max(0, middle-half) / (n + t*t)), Figure((middle + half) / (n + t*t))}
}

// studentT is the 97.5 % quantile of Student's t, by the expansion of Cornish and Fisher, which
// is right to 0.1 % from 3 degrees of freedom on.
func studentT(df float64) float64 {
	switch df {
	case 1:
		return 12.7062
	case 2:
		return 4.30265
	}
	const z = 1.959964
	const z3, z5, z7, z9 = z * z * z, z * z * z * z * z, z * z * z * z * z * z * z, z * z * z * z * z * z * z * z * z
	return z + (z3+z)/4/df + (5*z5+16*z3+3*z)/96/df/df + (3*z7+19*z5+17*z3-15*z)/384/df/df/df +
		(79*z9+776*z7+1482*z5-1920*z3-945*z)/92160/df/df/df/df
}
