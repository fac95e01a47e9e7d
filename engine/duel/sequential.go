package duel

import (
	"errors"
	"math"

	"fibsbot/internal/figure"
)

// Test is Wald's sequential probability ratio test of a duel: is A's mean result, as Pair has it,
// Low or High? Both errors are 5 %. It looks at the pairs in order, without the luck where that
// was judged, and takes their mean for normal with the variance seen so far.
type Test struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Check reports what makes no sense.
func (t Test) Check() error {
	if !(t.Low < t.High) || math.IsInf(t.Low, 0) || math.IsInf(t.High, 0) {
		return errors.New("the first figure must be below the second (as 0,0.02)")
	}
	return nil
}

// bound is the log likelihood ratio that decides: log(0.95/0.05).
var bound = math.Log(19)

// leastPairs is how many pairs a verdict needs: from fewer the spread of results is not known.
const leastPairs = 32

// Sequence is a Test in progress.
type Sequence struct {
	Test
	pairs tally
}

// Add adds the next pair; luck tells that it was judged.
func (s *Sequence) Add(p *Pair, luck bool) {
	if luck {
		s.pairs.add(p.adjusted())
	} else {
		s.pairs.add(p.raw())
	}
}

// Ratio is the log likelihood ratio of High to Low; unknown before the first verdict can be.
func (s *Sequence) Ratio() figure.Figure {
	spread := s.pairs.stderr()
	if s.pairs.n < leastPairs || spread == 0 {
		return figure.Unknown
	}
	return figure.Figure((s.High - s.Low) * (s.pairs.mean() - (s.High+s.Low)/2) / (spread * spread))
}

// Verdict is "high", "low", or "" while neither is shown.
func (s *Sequence) Verdict() string {
	switch r := float64(s.Ratio()); {
	case r >= bound:
		return "high"
	case r <= -bound:
		return "low"
	}
	return ""
}
