package rating

import "math"

// Meeting is what two players of a field scored against each other, seen by A.
type Meeting struct {
	A, B   int     // numbers of the players, from 0
	Mean   float64 // share of the matches won, or points a money game
	Stderr float64 // above 0
}

// Z90 is the half width of a 90 % interval in standard errors.
const Z90 = 1.6448536269514722

// Field estimates how far each of n players is above the mean of the field: in rating points by
// the FIBS formula in matches of length points, in points a game in money play (length 0). It
// is the mode of the likelihood of all meetings, with the prior of [FromResults] in matches; the
// intervals come from its curvature. Who met no one has NaN.
func Field(n, length int, meetings []Meeting) []Interval {
	out := make([]Interval, n)
	r := make([]float64, n)
	met := make([]bool, n)
	slope := math.Ln10 / 2000 * math.Sqrt(float64(length))
	var cov [][]float64
	var pin float64
	for range 100 {
		// Newton's method on the log posterior, which is concave.
		grad, curve := make([]float64, n), make([][]float64, n)
		for i := range n {
			grad[i] = -r[i] / (PriorSpread * PriorSpread)
			curve[i] = make([]float64, n)
			curve[i][i] = 1.0 / (PriorSpread * PriorSpread)
		}
		for _, m := range meetings {
			met[m.A], met[m.B] = true, true
			weight := 1 / (m.Stderr * m.Stderr)
			up, bend := weight*(m.Mean-(r[m.A]-r[m.B])), weight
			if length > 0 {
				share := math.Max(leastShare, math.Min(1-leastShare, m.Mean))
				weight *= share * (1 - share) // independent matches that say as much
				p := WinChance(r[m.A]-r[m.B], length)
				up, bend = weight*slope*(m.Mean-p), weight*slope*slope*p*(1-p)
			}
			grad[m.A], grad[m.B] = grad[m.A]+up, grad[m.B]-up
			curve[m.A][m.A], curve[m.B][m.B] = curve[m.A][m.A]+bend, curve[m.B][m.B]+bend
			curve[m.A][m.B], curve[m.B][m.A] = curve[m.A][m.B]-bend, curve[m.B][m.A]-bend
		}
		// Only differences are measured, and the gradient adds up to 0: what is added here to fix
		// the mean changes no step, and is taken off the variances again.
		pin = 0
		for i := range n {
			pin += curve[i][i] / float64(n)
		}
		for i := range n {
			for k := range n {
				curve[i][k] += pin
			}
		}
		cov = inverse(curve)
		moved := 0.0
		for i := range n {
			step := 0.0
			for k, g := range grad {
				step += cov[i][k] * g
			}
			r[i] += math.Max(-400, math.Min(400, step))
			moved = math.Max(moved, math.Abs(step))
		}
		if moved < 1e-9 {
			break
		}
	}
	for i := range out {
		mean := 1 / (float64(n) * (1.0/(PriorSpread*PriorSpread) + pin*float64(n)))
		half := Z90 * math.Sqrt(math.Max(0, cov[i][i]-mean))
		if out[i] = (Interval{r[i], r[i] - half, r[i] + half}); !met[i] {
			out[i] = Interval{math.NaN(), math.NaN(), math.NaN()}
		}
	}
	return out
}

// leastShare is what a share of matches won counts as at least where its weight is reckoned.
const leastShare = 0.02

// inverse of a symmetric positive definite matrix, which it overwrites.
func inverse(m [][]float64) [][]float64 {
	n := len(m)
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, n)
		out[i][i] = 1
	}
	for k := range m {
		by := m[k][k]
		for j := range m {
			m[k][j], out[k][j] = m[k][j]/by, out[k][j]/by
		}
		for i := range m {
			f := m[i][k]
			if i == k || f == 0 {
				continue
			}
			for j := range m {
				m[i][j], out[i][j] = m[i][j]-f*m[k][j], out[i][j]-f*out[k][j]
			}
		}
	}
	return out
}
