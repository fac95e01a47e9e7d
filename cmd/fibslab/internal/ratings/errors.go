package ratings

import "math"

// Errors counts the decisions of one side and their losses, in EMG, judged by the noiseless
// 0-ply evaluation. Forced plays do not count; of the cube decisions, doubles, answers to
// doubles and those within closeCube of a right double count.
type Errors struct {
	Moves     int     `json:"moves"`
	MoveLoss  float64 `json:"move_loss"`
	CubeCases int     `json:"cube_cases"`
	CubeLoss  float64 `json:"cube_loss"`
	// Lost is the winning chance of matches that all decisions lost.
	Lost float64 `json:"lost,omitempty"`
}

// closeCube is how much a double may lose, in EMG, for the decision not to double to count.
const closeCube = 0.16

// Add adds the counts of o.
func (e *Errors) Add(o *Errors) {
	e.Moves += o.Moves
	e.MoveLoss += o.MoveLoss
	e.CubeCases += o.CubeCases
	e.CubeLoss += o.CubeLoss
	e.Lost += o.Lost
}

// move counts a play that loses so much; chance is the winning chance of one EMG.
func (e *Errors) move(loss, chance float64) {
	e.Moves++
	e.Lost += loss * chance
	e.MoveLoss += loss
}

// cube counts a cube decision; acting would gain so much.
func (e *Errors) cube(gain, chance float64, yes, doubling bool) {
	if doubling && !yes && gain < -closeCube {
		return // not a close decision
	}
	e.CubeCases++
	if yes != (gain > 0) {
		e.CubeLoss += math.Abs(gain)
		e.Lost += math.Abs(gain) * chance
	}
}

func (e *Errors) valid() bool {
	for _, x := range [...]float64{float64(e.Moves), float64(e.CubeCases), e.MoveLoss, e.CubeLoss, e.Lost} {
		if !(x >= 0 && x < 1e12) {
			return false
		}
	}
	return true
}

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
