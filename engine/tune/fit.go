package tune

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"fibsbot/engine/rating"
)

// DefaultAnchor is the rating that "expert", 0 plies without noise, is given at
// every match length. Ratings are relative; this figure ties ours to FIBS: gnubg,
// whose 0-ply play our expert level is modelled on, is reported there at 1900 to
// 2000 (its manual's anchors), and its strongest settings at about 2000.
const DefaultAnchor = 1900

// Kind says what a parameter of the fit stands for.
type Kind string

// The kinds. The loss of a 0-ply setting is the sum of its checker and its cube
// part; a setting that looks ahead has one of its own (negative, as a rule).
const (
	NoiseChecker Kind = "noise checker"
	NoiseCube    Kind = "noise cube"
	HumanChecker Kind = "human checker"
	HumanCube    Kind = "human cube"
	DeepPreset   Kind = "preset"
)

// Param is one loss in rating points against the anchor, at one match length.
type Param struct {
	Kind   Kind    `json:"kind"`
	At     float64 `json:"at,omitempty"`     // the amount
	Preset string  `json:"preset,omitempty"` // of DeepPreset
	Length int     `json:"length"`
}

// weighted is a share of a parameter.
type weighted struct {
	Param
	share float64
}

// paramsOf lists what the rating of s at a length is made of. Amounts between
// two measured ones take from both. Looking ahead in a share of the decisions gains
// that share of what it gains in all of them: what a match is won by is the sum of
// what the choices made in it are worth (see package duel), and those that look ahead
// are drawn whatever the position.
func paramsOf(s Setting, length int) []weighted {
	if s.Deep != "" {
		return []weighted{{Param{Kind: DeepPreset, Preset: s.Deep, Length: length}, s.ahead()}}
	}
	checker, cube := NoiseChecker, NoiseCube
	if s.Style == Human {
		checker, cube = HumanChecker, HumanCube
	}
	out := between(nil, checker, s.Checker, length)
	if length > 1 { // no cube in matches of a point
		out = between(out, cube, s.Cube, length)
	}
	return out
}

// steps are the amounts that are measured, by kind.
func steps(k Kind) []float64 {
	switch k {
	case NoiseChecker:
		return noiseSteps
	case NoiseCube:
		return cubeSteps
	case HumanChecker:
		return humanSteps
	}
	return humanCubeSteps
}

func between(out []weighted, k Kind, v float64, length int) []weighted {
	if v == 0 {
		return out
	}
	list := steps(k)
	i := sort.SearchFloat64s(list, v)
	if i == len(list) || list[i] == v {
		return append(out, weighted{Param{Kind: k, At: v, Length: length}, 1})
	}
	share := (v - list[i-1]) / (list[i] - list[i-1])
	if list[i-1] > 0 {
		out = append(out, weighted{Param{Kind: k, At: list[i-1], Length: length}, 1 - share})
	}
	return append(out, weighted{Param{Kind: k, At: list[i], Length: length}, share})
}

// Z90 is the half width of a 90 % interval in standard errors.
const Z90 = 1.6448536269514722

// Fitted is the result of Fit.
type Fitted struct {
	Anchor float64
	Params []Param
	Loss   []float64 // of each parameter, rating points
	index  map[Param]int
	cov    *mat.SymDense
	Cells  []Residual
	// Freedom is how many degrees of freedom the residuals have: cells less
	// parameters, of which those count for less than 1 that the prior determines.
	Freedom float64
}

// Residual compares one cell with the fit.
type Residual struct {
	Total      Total
	Expected   float64 // the first setting's share under the fit
	Difference float64 // rating difference the cell alone shows; infinite at 0 and 1
	Fit        float64 // rating difference under the fit
	Z          float64 // (mean - expected) in standard errors
}

// ErrFit is wrapped when results cannot be fitted.
var ErrFit = errors.New("cannot fit ratings")

// priorSpread is the standard deviation, in points, of the weak prior on each
// parameter. It only matters for what no result speaks of.
const priorSpread = 1500

// dispersion is the variance of a pair's share over the binomial one. Mirrored
// dice make it smaller than 1, luck taken off much smaller, and differences in the
// place of results smaller still.
func dispersion(t *Total, expected float64) float64 {
	return t.Variance / (math.Max(expected*(1-expected), 1e-3) / 2)
}

// Few pairs say little about the dispersion, so it is mixed with that of doubtful
// imagined ones: the dispersion of the same two settings at all lengths, which is
// itself mixed with as many that have the usual one. By differences that is what
// pairs that seldom differ, or by chance alike, cannot fall below by much.
const (
	doubtful   = 20
	luckless   = 0.05 // usual with luck taken off, else 1
	leastPhi   = 0.002
	leastShare = 0.02 // expected shares nearer to 0 count as this
	// By differences: the usual one, and one that no number of pairs goes below.
	differing = 0.001
	leastEdge = 1e-5
)

// dispersions returns that of each cell, given the expected shares.
func dispersions(totals []Total, expected func(i int) float64) []float64 {
	type pool struct{ n, sum float64 }
	type sides struct {
		a, b        Setting
		differences bool
	}
	of := func(t *Total) sides { return sides{t.Cell.A, t.Cell.B, t.Differences} }
	pools := map[sides]pool{}
	own := make([]float64, len(totals))
	for i := range totals {
		t := &totals[i]
		own[i] = dispersion(t, math.Max(leastShare, math.Min(1-leastShare, expected(i))))
		p := pools[of(t)]
		pools[of(t)] = pool{p.n + float64(t.Pairs), p.sum + float64(t.Pairs)*own[i]}
	}
	for i := range totals {
		t := &totals[i]
		usual, least := 1.0, leastPhi
		switch {
		case t.Differences:
			usual, least = differing, leastEdge
		case t.Luck:
			usual = luckless
		}
		p, n := pools[of(t)], float64(t.Pairs)
		pooled := (p.sum + doubtful*usual) / (p.n + doubtful)
		own[i] = math.Max(least, (n*own[i]+doubtful*pooled)/(n+doubtful))
	}
	return own
}

// Fit finds the losses that make the results likeliest when matches are won by
// the FIBS formula, and losses change smoothly with the match length (see tie).
// Results need not be independent wins: the share of each cell counts with its
// measured variance (quasi-likelihood; R. W. M. Wedderburn, Biometrika 61, 1974),
// and what a cell gave as played and by differences are two observations. The
// error wraps ErrFit.
func Fit(totals []Total, anchor float64) (*Fitted, error) {
	f := &Fitted{Anchor: anchor, index: map[Param]int{}}
	for _, t := range totals {
		if t.Pairs < 1 {
			return nil, fmt.Errorf("%w: %s without results", ErrFit, t.Cell)
		}
		for _, s := range [2]Setting{t.Cell.A, t.Cell.B} {
			for _, p := range paramsOf(s, t.Cell.Length) {
				f.index[p.Param] = 0
			}
		}
	}
	if len(f.index) == 0 {
		return nil, fmt.Errorf("%w: no results", ErrFit)
	}
	for p := range f.index {
		f.Params = append(f.Params, p)
	}
	slices.SortFunc(f.Params, func(a, b Param) int {
		return cmp.Or(cmp.Compare(a.Length, b.Length), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Preset, b.Preset), cmp.Compare(a.At, b.At))
	})
	for i, p := range f.Params {
		f.index[p] = i
	}
	m := newModel(f, totals)
	x := make([]float64, len(f.Params))
	// The weights depend on the expected shares; a few rounds settle them.
	for range 4 {
		problem := optimize.Problem{Func: m.cost, Grad: m.gradient, Hess: m.hessian}
		res, err := optimize.Minimize(problem, x, &optimize.Settings{GradientThreshold: 1e-7, MajorIterations: 200}, &optimize.Newton{})
		if res == nil || (err != nil && !nearlyFlat(m, res.X)) {
			return nil, fmt.Errorf("%w: %w", ErrFit, err)
		}
		x = res.X
		m.reweigh(x)
	}
	f.Loss = x
	h := mat.NewSymDense(len(x), nil)
	m.hessian(h, x)
	var chol mat.Cholesky
	if !chol.Factorize(h) {
		return nil, fmt.Errorf("%w: the results do not determine the ratings", ErrFit)
	}
	f.cov = mat.NewSymDense(len(x), nil)
	if err := chol.InverseTo(f.cov); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFit, err)
	}
	f.Freedom = float64(len(totals))
	for i, t := range totals {
		p := m.share(i, x)
		for _, a := range m.terms[i] {
			for _, b := range m.terms[i] {
				f.Freedom -= m.weight(i) * m.slope[i] * m.slope[i] * p * (1 - p) * a.sign * b.sign * f.cov.At(a.param, b.param)
			}
		}
		f.Cells = append(f.Cells, Residual{
			Total: t, Expected: p, Fit: m.diff(i, x),
			Difference: rating.Difference(math.Max(0, math.Min(1, t.Mean)), t.Cell.Length),
			Z:          (t.Mean - p) / math.Sqrt(m.phi[i]*p*(1-p)/2/float64(t.Pairs)),
		})
	}
	return f, nil
}

// nearlyFlat accepts a point at which the line search found no further step: where
// many pairs weigh heavily the cost is too large a number to show one. What Newton's
// step would still gain must be far less than what chance makes of the likelihood.
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

// model is the likelihood: cell i's rating difference is the sum of sign times
// loss over its terms.
type model struct {
	totals []Total
	terms  [][]term
	phi    []float64
	ties   []tie
	spread []float64 // of each tie, at the losses of the last reweigh
	slope  []float64 // of the log odds in the difference
	n      int
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
		m.spread[i] = priorSpread // until there are losses to go by
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

// estimate returns rating and standard error.
func (f *Fitted) estimate(s Setting, length int) (r, se float64, ok bool) {
	r = f.Anchor
	v := 0.0
	var at []term
	for _, p := range paramsOf(s, length) {
		i, known := f.index[p.Param]
		if !known {
			return 0, 0, false
		}
		r -= p.share * f.Loss[i]
		at = append(at, term{i, p.share})
	}
	for _, a := range at {
		for _, b := range at {
			v += a.sign * b.sign * f.cov.At(a.param, b.param)
		}
	}
	return r, math.Sqrt(v), true
}

// spread is the standard error of parameter i.
func (f *Fitted) spread(i int) float64 { return math.Sqrt(f.cov.At(i, i)) }
