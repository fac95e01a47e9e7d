package ratings

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"fibsbot/engine/tune"
)

// nearlyFlat accepts a point at which the line search found no further step: with many heavily
// weighted pairs the cost is too large a number to show one. Newton's step must gain far less
// than the random error of the likelihood.
func nearlyFlat(m *model, x []float64) bool {
	g, h := make([]float64, len(x)), mat.NewSymDense(len(x), nil)
	m.gradient(g, x)
	m.hessian(h, x)
	var chol mat.Cholesky
	var step mat.VecDense
	if !chol.Factorize(h) || chol.SolveVecTo(&step, mat.NewVecDense(len(g), g)) != nil {
		return false
	}
	return mat.Dot(mat.NewVecDense(len(g), g), &step) < 1e-4
}

// model is the likelihood: cell i's rating difference is the sum of sign times loss over its
// terms.
type model struct {
	totals []Total
	terms  [][]term
	phi    []float64
	ties   []tie
	spread []float64 // of each tie, at the losses of the last reweigh
	slope  []float64 // of the log odds in the difference
	n      int
	known  []prior
}

// prior is what is known of a sum of losses.
type prior struct {
	terms    []term
	mean, sd float64
}

// know makes priors of the ratings of a table of earlier results, of settings whose parameters
// have results here too.
func (m *model) know(f *Fitted, t *tune.Table) {
	if t == nil {
		return
	}
	for _, p := range t.Ratings {
		var terms []term
		// One rating for each amount: those of checker play and cube apart rest on the same results.
		ok := p.StdErr > 0 && p.Setting.Deep == "" && (p.Setting.Checker == p.Setting.Cube || p.Length == 1)
		for _, w := range paramsOf(p.Setting, p.Length) {
			i, has := f.index[w.Param]
			ok = ok && has
			terms = append(terms, term{i, w.share})
		}
		if ok && len(terms) > 0 {
			m.known = append(m.known, prior{terms, t.Anchor - p.Rating, p.StdErr})
		}
	}
}

type term struct {
	param int
	sign  float64 // or a factor
}

func newModel(f *Fitted, totals []Total) *model {
	m := &model{totals: totals, n: len(f.Params)}
	for i := range totals {
		c := &totals[i].Cell
		var ts []term
		for _, p := range paramsOf(c.A, c.Length) {
			ts = append(ts, term{f.index[p.Param], -p.share})
		}
		for _, p := range paramsOf(c.B, c.Length) {
			ts = append(ts, term{f.index[p.Param], p.share})
		}
		m.terms = append(m.terms, ts)
		m.slope = append(m.slope, math.Ln10*math.Sqrt(float64(c.Length))/2000)
	}
	m.phi = dispersions(totals, func(i int) float64 { return totals[i].Mean })
	m.ties = f.ties()
	m.spread = make([]float64, len(m.ties))
	for i := range m.spread {
		m.spread[i] = priorSpread // until losses are known
	}
	return m
}

func (m *model) reweigh(x []float64) {
	for i := range m.ties {
		m.spread[i] = m.ties[i].sd(x)
	}
	m.phi = dispersions(m.totals, func(i int) float64 { return m.share(i, x) })
}

func (m *model) diff(i int, x []float64) float64 { return total(m.terms[i], x) }

func total(terms []term, x []float64) (sum float64) {
	for _, t := range terms {
		sum += t.sign * x[t.param]
	}
	return sum
}

func (m *model) share(i int, x []float64) float64 {
	return 1 / (1 + math.Exp(-m.slope[i]*m.diff(i, x)))
}

// weight is how many independent matches cell i counts for.
func (m *model) weight(i int) float64 { return 2 * float64(m.totals[i].Pairs) / m.phi[i] }

func (m *model) cost(x []float64) (sum float64) {
	for _, v := range x {
		sum += v * v / (2 * priorSpread * priorSpread)
	}
	for i := range m.ties {
		v := total(m.ties[i].terms, x) / m.spread[i]
		sum += v * v / 2
	}
	for i := range m.known {
		v := (total(m.known[i].terms, x) - m.known[i].mean) / m.known[i].sd
		sum += v * v / 2
	}
	for i := range m.totals {
		z := m.slope[i] * m.diff(i, x)
		// log(1+e^z) without overflow.
		soft := math.Max(z, 0) + math.Log1p(math.Exp(-math.Abs(z)))
		sum -= m.weight(i) * (m.totals[i].Mean*z - soft)
	}
	return sum
}

func (m *model) gradient(g, x []float64) {
	for i, v := range x {
		g[i] = v / (priorSpread * priorSpread)
	}
	for i := range m.ties {
		v := total(m.ties[i].terms, x) / (m.spread[i] * m.spread[i])
		for _, t := range m.ties[i].terms {
			g[t.param] += t.sign * v
		}
	}
	for i := range m.known {
		k := &m.known[i]
		v := (total(k.terms, x) - k.mean) / (k.sd * k.sd)
		for _, t := range k.terms {
			g[t.param] += t.sign * v
		}
	}
	for i := range m.totals {
		r := m.weight(i) * m.slope[i] * (m.share(i, x) - m.totals[i].Mean)
		for _, t := range m.terms[i] {
			g[t.param] += t.sign * r
		}
	}
}

func (m *model) hessian(h *mat.SymDense, x []float64) {
	h.Zero()
	for i := range x {
		h.SetSym(i, i, 1.0/(priorSpread*priorSpread))
	}
	for i := range m.ties {
		bend(h, m.ties[i].terms, 1/(m.spread[i]*m.spread[i]))
	}
	for i := range m.known {
		bend(h, m.known[i].terms, 1/(m.known[i].sd*m.known[i].sd))
	}
	for i := range m.totals {
		p := m.share(i, x)
		bend(h, m.terms[i], m.weight(i)*m.slope[i]*m.slope[i]*p*(1-p))
	}
}

// bend adds the curvature w of a sum of parameters.
func bend(h *mat.SymDense, terms []term, w float64) {
	for _, a := range terms {
		for _, b := range terms {
			// Each pair of parameters is met in both orders; a sum may name a
			// parameter twice.
			if a.param <= b.param {
				h.SetSym(a.param, b.param, h.At(a.param, b.param)+a.sign*b.sign*w)
			}
		}
	}
}
