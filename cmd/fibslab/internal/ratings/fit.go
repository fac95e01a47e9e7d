package ratings

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"fibsbot/engine/rating"
	"fibsbot/engine/tune"
)

// DefaultAnchor is the rating of "expert", 0 plies without noise, at every match length. Ratings
// are relative; this figure ties ours to FIBS: gnubg, on whose 0-ply play our expert level is
// modelled, is reported there at 1900 to 2000 (its manual's anchors), and its strongest settings
// at about 2000.
const DefaultAnchor = 1900

// Fitted is the result of Fit.
type Fitted struct {
	Anchor float64
	Params []tune.Param
	Loss   []float64 // of each parameter, rating points
	index  map[tune.Param]int
	cov    *mat.SymDense
	Cells  []Residual
	// Freedom is the degrees of freedom of the residuals: cells less parameters, where a parameter
	// that the prior determines counts for less than 1.
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

// ErrFit means that results cannot be fitted.
var ErrFit = errors.New("cannot fit ratings")

// priorSpread is the standard deviation, in points, of the weak prior on each parameter. It
// matters only for parameters without results.
const priorSpread = 1500

// dispersion is the variance of a pair's share over the binomial one. Mirrored dice make it
// smaller than 1, luck subtracted much smaller, and differences instead of results smaller
// still.
func dispersion(t *Total, expected float64) float64 {
	return t.Variance / (math.Max(expected*(1-expected), 1e-3) / 2)
}

// Few pairs say little about the dispersion, so it is mixed with that of so many imagined pairs:
// the dispersion of the same two settings at all lengths, itself mixed with as many pairs of the
// usual one. By differences this bounds from below the dispersion of pairs that seldom differ,
// or that agree by chance.
const (
	doubtful   = 20
	luckless   = 0.05 // usual with luck subtracted, else 1
	leastPhi   = 0.002
	leastShare = 0.02 // expected shares nearer to 0 count as this
	// By differences: the usual one, and a lower bound for any number of pairs.
	differing = 0.001
	leastEdge = 1e-5
)

// dispersions returns the dispersion of each cell, given the expected shares.
func dispersions(totals []Total, expected func(i int) float64) []float64 {
	type pool struct{ n, sum float64 }
	type sides struct {
		a, b        tune.Setting
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

// Fit finds the losses that make the results likeliest when matches are won by the FIBS formula,
// and losses change smoothly with the match length (see tie). Results need not be independent
// wins: the share of each cell counts with its measured variance (quasi-likelihood; R. W. M.
// Wedderburn, Biometrika 61, 1974), and results as played and by differences of a cell are two
// observations. The error wraps ErrFit.
func Fit(totals []Total, anchor float64) (*Fitted, error) {
	f := &Fitted{Anchor: anchor, index: map[tune.Param]int{}}
	for _, t := range totals {
		if t.Pairs < 1 {
			return nil, fmt.Errorf("%w: %s without results", ErrFit, t.Cell)
		}
		for _, s := range [2]tune.Setting{t.Cell.A, t.Cell.B} {
			for _, p := range paramsOf(s, t.Cell.Length) {
				f.index[p.Param] = 0
			}
		}
		if t.isJudged() {
			f.index[tune.Param{Kind: judgedLoss, Length: t.Cell.Length}] = 0
		}
	}
	if len(f.index) == 0 {
		return nil, fmt.Errorf("%w: no results", ErrFit)
	}
	for p := range f.index {
		f.Params = append(f.Params, p)
	}
	slices.SortFunc(f.Params, compareParams)
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

func compareParams(a, b tune.Param) int {
	return cmp.Or(cmp.Compare(a.Length, b.Length), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Preset, b.Preset), cmp.Compare(a.At, b.At))
}

// estimate returns rating and standard error.
func (f *Fitted) estimate(s tune.Setting, length int) (r, se float64, ok bool) {
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
