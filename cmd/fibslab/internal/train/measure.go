package train

import (
	"math"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// Errors is the distance of a net from the labels of a set of positions.
type Errors struct {
	Positions int     `json:"positions"`
	Equity    float64 `json:"equity_rms"` // root mean square of the money equity error
	EquityAbs float64 `json:"equity_mean_abs"`
	Win       float64 `json:"win_mean_abs"` // mean absolute error of the win chance
	Entropy   float64 `json:"cross_entropy"`
}

// Static is the part of eval.Evaluator that single positions need.
type Static interface {
	Eval(p *board.Position) eval.Probs
}

// MeasureErrors compares s with the labels.
func MeasureErrors(recs []Record, s Static) Errors {
	var e Errors
	for i := range recs {
		p := recs[i].Position()
		got, want := s.Eval(&p), recs[i].Label.Probs()
		d := float64(got.Money() - want.Money())
		e.Equity += d * d
		e.EquityAbs += math.Abs(d)
		e.Win += math.Abs(float64(got[eval.Win] - want[eval.Win]))
		for j := range got {
			e.Entropy += float64(outputWeights[j]) * divergence(float64(got[j]), float64(want[j]))
		}
		e.Positions++
	}
	if n := float64(e.Positions); n > 0 {
		e.Equity, e.EquityAbs, e.Win, e.Entropy = math.Sqrt(e.Equity/n), e.EquityAbs/n, e.Win/n, e.Entropy/n
	}
	return e
}

// divergence is the cross-entropy of the chance got under the label want, above the label's
// own entropy.
func divergence(got, want float64) float64 {
	const tiny = 1e-7
	got = min(max(got, tiny), 1-tiny)
	d := 0.0
	if want > 0 {
		d += want * math.Log(want/got)
	}
	if want < 1 {
		d += (1 - want) * math.Log((1-want)/(1-got))
	}
	return d
}

// Mean gathers the mean of numbers. The zero value has none.
type Mean struct{ n, sum, squares float64 }

// Add adds a number.
func (m *Mean) Add(x float64) {
	m.n++
	m.sum += x
	m.squares += x * x
}

// N returns how many numbers there are.
func (m *Mean) N() int { return int(m.n) }

// Value returns the mean, 0 of nothing.
func (m *Mean) Value() float64 { return m.sum / max(m.n, 1) }

// RMS returns the root mean square.
func (m *Mean) RMS() float64 { return math.Sqrt(m.squares / max(m.n, 1)) }

// StdErr returns the standard error of the mean.
func (m *Mean) StdErr() float64 {
	n, v := max(m.n, 1), m.Value()
	return math.Sqrt(max(m.squares/n-v*v, 0) / n)
}
