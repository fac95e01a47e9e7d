package tune

import "slices"

// spline is a smooth rising curve through rising points: piecewise cubic with the slopes of
// F. Fritsch and J. Butland (1984), SIAM J. Sci. Statist. Comput. 5(2). That of gonum is the same, but
// brings its linear algebra along, which browsers would have to load.
type spline struct{ x, y, slope []float64 }

// newSpline needs two points or more.
func newSpline(x, y []float64) spline {
	m := len(x) - 1
	secant := make([]float64, m)
	for i := range secant {
		secant[i] = (y[i+1] - y[i]) / (x[i+1] - x[i])
	}
	c := spline{x, y, make([]float64, m+1)}
	if m == 1 {
		c.slope[0], c.slope[1] = secant[0], secant[0]
		return c
	}
	for i := 1; i < m; i++ {
		w, v := x[i]-x[i-1], x[i+1]-x[i]
		c.slope[i] = 3 * (w + v) / ((w+2*v)/secant[i-1] + (2*w+v)/secant[i])
	}
	c.slope[0] = edgeSlope(x[1]-x[0], x[2]-x[1], secant[0], secant[1])
	c.slope[m] = edgeSlope(x[m]-x[m-1], x[m-1]-x[m-2], secant[m-1], secant[m-2])
	return c
}

// edgeSlope is the slope at an end, from the widths and secants of the interval there and the next one.
func edgeSlope(w, next, secant, nextSecant float64) float64 {
	return max(0, ((2*w+next)*secant-w*nextSecant)/(w+next))
}

// at is the value at v, which is between the first point and the last.
func (c *spline) at(v float64) float64 {
	i, found := slices.BinarySearch(c.x, v)
	if found {
		return c.y[i]
	}
	i--
	w, rise := c.x[i+1]-c.x[i], c.y[i+1]-c.y[i]
	square := (3*rise - (2*c.slope[i]+c.slope[i+1])*w) / w / w
	cube := (-2*rise + (c.slope[i]+c.slope[i+1])*w) / w / w / w
	d := v - c.x[i]
	return ((cube*d+square)*d+c.slope[i])*d + c.y[i]
}
