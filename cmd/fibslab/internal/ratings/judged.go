package ratings

import (
	"math"

	"fibsbot/engine/rating"
	"fibsbot/engine/tune"
)

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
