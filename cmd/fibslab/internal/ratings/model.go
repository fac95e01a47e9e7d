package ratings

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"fibsbot/engine/rating"
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

// How near losses are to a straight line over the logarithm of the match length,
// from 3 points on: within bendBase points and bendShare of the loss (standard
// deviation). Matches of one point have no cube and go their own way, but what
// looking ahead gains there is about what it gains at 3 points.
const (
	bendBase, bendShare = 3, 0.01
	stepBase, stepShare = 5, 0.2
)

// ties lists the priors on the change of losses from one match length to the next: those of one amount, or one preset, at several lengths. For presets
// that look ahead it ties the steps from one to the next, not their whole gains: that would count
// the belief about the first preset once for every preset, as if it were so much evidence.
func (f *Fitted) ties() (out []prior) {
	type line struct {
		kind   tune.Kind
		at     float64
		preset string
	}
	var order []line
	at := map[line][]int{} // parameters by rising length
	for i, p := range f.Params {
		if p.Kind == judgedLoss {
			continue
		}
		key := line{p.Kind, p.At, p.Preset}
		if at[key] == nil {
			order = append(order, key)
		}
		at[key] = append(at[key], i)
	}
	for _, key := range order {
		list := at[key]
		length := func(k int) float64 { return float64(f.Params[list[k]].Length) }
		// add ties list[k], at the given factors, less the nearest weaker preset with all of these
		// lengths; the sd is a share of list[of].
		add := func(factors map[int]float64, of int, base, share float64) {
			t := prior{base: base, share: share}
			below := f.below(key.preset, slices.Collect(maps.Keys(factors)), list)
			for _, k := range slices.Sorted(maps.Keys(factors)) {
				step := f.step(list[k], below)
				if k == of {
					t.of = step
				}
				for _, s := range step {
					t.terms = append(t.terms, term{s.param, s.sign * factors[k]})
				}
			}
			out = append(out, t)
		}
		if key.kind == tune.DeepPreset && len(list) > 1 && length(0) == 1 {
			add(map[int]float64{0: 1, 1: -1}, 1, stepBase, stepShare)
		}
		for k := 1; k+1 < len(list); k++ {
			if length(k-1) == 1 {
				continue
			}
			s := math.Log(length(k)/length(k-1)) / math.Log(length(k+1)/length(k-1))
			add(map[int]float64{k: 1, k - 1: s - 1, k + 1: -s}, k, bendBase, bendShare)
		}
	}
	return append(out, f.humanTies()...)
}

// How near losses of the style human are, at one length, to a straight line over the logarithm
// of the amount between its neighbours: they are measured with fewer matches than noise.
const amountBase, amountShare = 12, 0.03

// humanTies lists the priors on losses of amounts of the style human, for checker play and cube
// together.
func (f *Fitted) humanTies() (out []prior) {
	for _, n := range Lengths {
		loss := func(k int) (terms []term, ok bool) {
			for _, p := range paramsOf(tune.Setting{Style: tune.Human, Checker: humanSteps[k], Cube: humanSteps[k]}, n) {
				i, has := f.index[p.Param]
				if !has {
					return nil, false
				}
				terms = append(terms, term{i, p.share})
			}
			return terms, true
		}
		for k := 2; k+1 < len(humanSteps); k++ {
			before, ok1 := loss(k - 1)
			here, ok2 := loss(k)
			after, ok3 := loss(k + 1)
			if !ok1 || !ok2 || !ok3 {
				continue
			}
			s := math.Log(humanSteps[k]/humanSteps[k-1]) / math.Log(humanSteps[k+1]/humanSteps[k-1])
			t := prior{base: amountBase, share: amountShare, of: here}
			for _, x := range []struct {
				terms  []term
				factor float64
			}{{before, s - 1}, {here, 1}, {after, -s}} {
				for _, w := range x.terms {
					t.terms = append(t.terms, term{w.param, x.factor * w.sign})
				}
			}
			out = append(out, t)
		}
	}
	return out
}

// below returns the strongest weaker preset that has parameters at the lengths of the given
// members of list, or "" for expert, which loses nothing at any length.
func (f *Fitted) below(preset string, members, list []int) string {
	for i := slices.Index(tune.DeepPresets, preset) - 1; i >= 0; i-- {
		has := func(k int) bool {
			_, ok := f.index[tune.Param{Kind: tune.DeepPreset, Preset: tune.DeepPresets[i], Length: f.Params[list[k]].Length}]
			return ok
		}
		if !slices.ContainsFunc(members, func(k int) bool { return !has(k) }) {
			return tune.DeepPresets[i]
		}
	}
	return ""
}

// step is the loss of a parameter less that of a preset at its length.
func (f *Fitted) step(param int, preset string) []term {
	out := []term{{param, 1}}
	if preset != "" {
		out = append(out, term{f.index[tune.Param{Kind: tune.DeepPreset, Preset: preset, Length: f.Params[param].Length}], -1})
	}
	return out
}

// judgedLoss is the kind of parameter that says how much the judged losses of decisions weigh: by
// how many rating points two settings differ for each point by which their judged losses differ. It
// is about 1, and one at each length for all settings of the style human. Results of all of them
// determine it together, and what luck leaves open in the results of a pair then hardly matters.
const judgedLoss tune.Kind = "judged loss"

// How near the factor is to 1, to that at the next length from 1 point (no cube, no gammons) and
// from longer matches (standard deviations); and by what share of the difference a pair may depart
// from it.
const (
	judgedSpread = 0.3
	judgedFirst  = 0.03
	judgedStep   = 0.015
	judgedDepart = 0.015
)

// isJudged reports whether a total says something by judged losses: only settings that err as
// people do, and expert, share the factor. Noise errs where its own view is wrong.
func (t *Total) isJudged() bool {
	ok := func(s tune.Setting) bool { return s == tune.Expert || s.Style == tune.Human }
	return t.Judged.n > leastJudged && ok(t.Cell.A) && ok(t.Cell.B)
}

// leastJudged is how many judged pairs have a variance to rely on.
const leastJudged = 20

// judge adds the judged losses of the totals as priors on the losses.
func (m *model) judge(f *Fitted) {
	last := -1
	for i, p := range f.Params {
		if p.Kind != judgedLoss {
			continue
		}
		m.priors = append(m.priors, prior{terms: []term{{i, 1}}, mean: 1, base: judgedSpread})
		if last >= 0 {
			step := judgedStep
			if f.Params[last].Length == 1 {
				step = judgedFirst
			}
			m.priors = append(m.priors, prior{terms: []term{{i, 1}, {last, -1}}, base: step})
		}
		last = i
	}
	for i := range m.totals {
		t := &m.totals[i]
		k, ok := f.index[tune.Param{Kind: judgedLoss, Length: t.Cell.Length}]
		if !ok || !t.isJudged() {
			continue
		}
		share := math.Max(leastShare, math.Min(1-leastShare, t.Judged.mean()))
		d := rating.Difference(share, t.Cell.Length)
		perPoint := m.slope[i] * share * (1 - share)
		se := math.Sqrt(t.Judged.variance()/float64(t.Judged.n)) / perPoint
		terms := append([]term{{k, -d}}, m.terms[i]...)
		m.priors = append(m.priors, prior{terms: terms, base: math.Hypot(se, judgedDepart*d)})
	}
}
