package ratings

import (
	"errors"
	"fmt"
	"math"

	"fibsbot/engine/rating"
	"fibsbot/engine/tune"
)

// Sprt is a sequential test of two hypotheses about a rating difference: that the new side is Low
// points better than the old one, or High points. It ends as soon as the results are clear enough
// for one of them (A. Wald, Sequential Analysis, 1947), with the likelihood of the mean of many
// pairs, whose variance is estimated on the way.
type Sprt struct {
	Low, High float64 // rating points, Low < High
	// Alpha is the chance to accept High when Low is true, Beta the reverse.
	Alpha, Beta float64
	Length      int // of the matches
	// Least is the number of pairs before any decision.
	Least int
}

// Outcome is the state of a sequential test.
type Outcome string

// The verdicts.
const (
	GoOn     Outcome = "undecided"
	Stronger Outcome = "stronger" // High was accepted
	NoBetter Outcome = "no better"
)

// ErrSprt means an impossible test.
var ErrSprt = errors.New("no such test")

// Validate returns an error if the test is impossible.
func (t *Sprt) Validate() error {
	switch {
	case !(t.Low < t.High) || !finite(t.Low) || !finite(t.High):
		return fmt.Errorf("%w: from %v to %v rating points", ErrSprt, t.Low, t.High)
	case !(t.Alpha > 0 && t.Alpha < 0.5) || !(t.Beta > 0 && t.Beta < 0.5):
		return fmt.Errorf("%w: error chances %v and %v", ErrSprt, t.Alpha, t.Beta)
	case t.Length < 1 || t.Length > tune.MaxLength:
		return fmt.Errorf("%w: matches of %d points", ErrSprt, t.Length)
	}
	return nil
}

// LLR is the logarithm of the likelihood ratio of High against Low for n pairs
// of which the new side won the mean share with the given variance a pair.
func (t *Sprt) LLR(n int, mean, variance float64) float64 {
	low, high := rating.WinChance(t.Low, t.Length), rating.WinChance(t.High, t.Length)
	// Twenty imagined pairs of even matches keep a lucky start from looking certain.
	v := (float64(n)*variance + 20*0.125) / float64(n+20)
	return float64(n) / v * (high - low) * (mean - (low+high)/2)
}

// Bounds are the values of LLR at which Low and High are accepted.
func (t *Sprt) Bounds() (low, high float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// Outcome is the decision of n pairs with that mean and variance.
func (t *Sprt) Outcome(n int, mean, variance float64) Outcome {
	low, high := t.Bounds()
	switch l := t.LLR(n, mean, variance); {
	case n < max(t.Least, 2):
		return GoOn
	case l >= high:
		return Stronger
	case l <= low:
		return NoBetter
	}
	return GoOn
}

// GateReport is the outcome of a test of a new side against an old one.
type GateReport struct {
	Verdict    Outcome    `json:"verdict"`
	Old        string     `json:"old"`
	New        string     `json:"new"`
	Length     int        `json:"length"`
	Matches    int        `json:"matches"`
	Won        float64    `json:"new_share"` // of the matches, by the new side
	StdErr     float64    `json:"stderr"`    // of Won
	Difference float64    `json:"rating_difference"`
	Low        float64    `json:"low"` // of the 90 % interval of Difference
	High       float64    `json:"high"`
	LLR        float64    `json:"llr"`
	Bounds     [2]float64 `json:"llr_bounds"`
}

// Report is the outcome of the pairs of m for the sides called old and newer.
func (t *Sprt) Report(old, newer string, verdict Outcome, m DuelTotal) *GateReport {
	r := &GateReport{Verdict: verdict, Old: old, New: newer, Length: t.Length, Matches: 2 * m.Pairs, Won: m.Mean, StdErr: m.StdErr()}
	r.Difference, r.Low, r.High = m.Difference(t.Length)
	r.LLR = t.LLR(m.Pairs, m.Mean, m.Variance)
	r.Bounds[0], r.Bounds[1] = t.Bounds()
	return r
}

// String is the report in one line.
func (r *GateReport) String() string {
	return fmt.Sprintf("%s: %s v %s: %d matches of %d points, %.2f %% won (standard error %.2f), %+.0f rating points, 90 %% interval %+.0f to %+.0f; LLR %.2f of %.2f to %.2f",
		r.Verdict, r.New, r.Old, r.Matches, r.Length, 100*r.Won, 100*r.StdErr, r.Difference, r.Low, r.High, r.LLR, r.Bounds[0], r.Bounds[1])
}
