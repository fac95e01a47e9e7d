package ratings

import "math"

// moments gathers mean and variance of n numbers from their sum and the sum of their squares.
type moments struct {
	n           int
	sum, square float64
}

func (m *moments) mean() float64 {
	if m.n == 0 {
		return 0
	}
	return m.sum / float64(m.n)
}

// variance is the estimated variance of one number; 0 for fewer than two.
func (m *moments) variance() float64 {
	if m.n < 2 {
		return 0
	}
	mean := m.mean()
	return max(0, (m.square-float64(m.n)*mean*mean)/float64(m.n-1))
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
