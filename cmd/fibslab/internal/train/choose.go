package train

import (
	"fmt"
	"math"
	"slices"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/nn"
)

// Choice is the outcome of the candidate for one class of net. The changes are millipoints
// a decision, below 0 where the candidate is better, over the decisions with a play of its
// class, with their standard errors.
type Choice struct {
	Class     string  `json:"class"`
	Taken     bool    `json:"taken"`
	Decisions int     `json:"decisions"` // with a play of the class, in both halves
	Choosing  float64 `json:"choosing"`  // change on the half that chooses
	ChooseErr float64 `json:"choosing_error"`
	Reporting float64 `json:"reporting"` // change on the other half
	ReportErr float64 `json:"reporting_error"`
}

// ChooseNets tries the candidates, by class in the order of nn.Classes, and keeps each that
// lowers the loss of the whole set on the choosing half of the decisions by more than sigmas
// standard errors, beside those kept before: siblings of different plans are judged by
// different nets. The other half plays no part in the choice and reports its effect.
func ChooseNets(ds []Problem, base *nn.Set, db eval.BearoffSource, candidates map[string]*nn.Net, sigmas float64) (*nn.Set, []Choice, error) {
	losses := func(s *nn.Set) ([]float64, error) {
		m, err := eval.NewModel(s, db)
		if err != nil {
			return nil, err
		}
		return LossesOf(ds, m.Evaluator()), nil
	}
	classes := decisionClasses(ds)
	now, err := losses(base)
	if err != nil {
		return nil, nil, err
	}
	var out []Choice
	for _, class := range nn.Classes() {
		n := candidates[class]
		if n == nil {
			continue
		}
		with := base.With(class, n)
		next, err := losses(with)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", class, err)
		}
		var sum, squares, count [2]float64
		for i := range ds {
			if !slices.Contains(classes[i], class) {
				continue
			}
			d := next[i] - now[i]
			sum[i%2] += d
			squares[i%2] += d * d
			count[i%2]++
		}
		c := Choice{Class: class, Decisions: int(count[0] + count[1])}
		mean := func(h int) (m, e float64) {
			k := max(count[h], 1)
			m = sum[h] / k
			return m, math.Sqrt(max(squares[h]/k-m*m, 0) / k)
		}
		c.Choosing, c.ChooseErr = mean(0)
		c.Reporting, c.ReportErr = mean(1)
		if c.Choosing < -sigmas*c.ChooseErr {
			c.Taken = true
			base, now = with, next
		}
		out = append(out, c)
	}
	return base, out, nil
}

// decisionClasses lists the classes that occur among the plays of each decision.
func decisionClasses(ds []Problem) [][]string {
	out := make([][]string, len(ds))
	for i := range ds {
		for _, c := range ds[i].Candidates {
			p, err := board.FromKey(c.Key)
			if err != nil {
				continue
			}
			if class := ClassOf(&p); !slices.Contains(out[i], class) {
				out[i] = append(out[i], class)
			}
		}
	}
	return out
}

// Halves splits decisions as ChooseNets does: those that choose, and those that report.
func Halves(ds []Problem) (choosing, reporting []Problem) {
	for i := range ds {
		if i%2 == 0 {
			choosing = append(choosing, ds[i])
		} else {
			reporting = append(reporting, ds[i])
		}
	}
	return choosing, reporting
}
