package ratings

import (
	"math"

	"gonum.org/v1/gonum/mat"
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
	slope  []float64 // of the log odds in the difference
	priors []prior
}

// prior is what is believed of a sum of losses: its mean, within a standard deviation of base
// points and a share of the loss that is the sum of of.
type prior struct {
	terms             []term
	mean, base, share float64
	of                []term
	sd                float64 // at the losses of the last reweigh
}

type term struct {
	param int
	sign  float64 // or a factor
}

func newModel(f *Fitted, totals []Total) *model {
	m := &model{totals: totals}
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
	for i := range f.Params {
		m.priors = append(m.priors, prior{terms: []term{{i, 1}}, base: priorSpread})
	}
	m.priors = append(m.priors, f.ties()...)
	m.judge(f)
	for i := range m.priors {
		p := &m.priors[i]
		if p.sd = p.base; len(p.of) > 0 {
			p.sd = priorSpread // until losses are known
		}
	}
	return m
}

func (m *model) reweigh(x []float64) {
	for i := range m.priors {
		p := &m.priors[i]
		p.sd = p.base + p.share*math.Abs(total(p.of, x))
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
	for i := range m.priors {
		v := (total(m.priors[i].terms, x) - m.priors[i].mean) / m.priors[i].sd
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
	clear(g)
	add := func(terms []term, v float64) {
		for _, t := range terms {
			g[t.param] += t.sign * v
		}
	}
	for i := range m.priors {
		p := &m.priors[i]
		add(p.terms, (total(p.terms, x)-p.mean)/(p.sd*p.sd))
	}
	for i := range m.totals {
		add(m.terms[i], m.weight(i)*m.slope[i]*(m.share(i, x)-m.totals[i].Mean))
	}
}

func (m *model) hessian(h *mat.SymDense, x []float64) {
	h.Zero()
	for i := range m.priors {
		bend(h, m.priors[i].terms, 1/(m.priors[i].sd*m.priors[i].sd))
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
