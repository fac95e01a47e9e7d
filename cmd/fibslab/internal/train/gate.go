package train

import (
	"fmt"
)

// GateResult is the outcome of Gate.
type GateResult struct {
	Passed bool   `json:"passed"`
	Reason string `json:"reason"`
	Losses []Loss `json:"losses"` // the candidate's, with the present net instead of gnubg
}

// Gate compares two judges on the same decisions. The candidate passes if its mean loss is
// smaller by more than sigmas standard errors of the paired difference and no tag of 100
// decisions or more got worse by more than two.
func Gate(ds []Problem, candidate, present Evaluator, sigmas float64) GateResult {
	v := GateResult{Losses: CompareLosses(ds, LossesOf(ds, candidate), LossesOf(ds, present))}
	if len(v.Losses) == 0 {
		v.Reason = "no decisions to compare"
		return v
	}
	for i, l := range v.Losses {
		worse := l.Mean - l.Teacher
		switch {
		case i == 0 && !(worse < -sigmas*l.Paired): // NaN does not pass
			v.Reason = fmt.Sprintf("%.2f against %.2f millipoints is not a clear gain (standard error of the difference %.2f)", l.Mean, l.Teacher, l.Paired)
			return v
		case i > 0 && l.Decisions >= 100 && worse > 2*l.Paired:
			v.Reason = fmt.Sprintf("%s got worse: %.2f against %.2f millipoints", l.Tag, l.Mean, l.Teacher)
			return v
		}
	}
	v.Passed = true
	v.Reason = fmt.Sprintf("passed: %.2f against %.2f millipoints", v.Losses[0].Mean, v.Losses[0].Teacher)
	return v
}
