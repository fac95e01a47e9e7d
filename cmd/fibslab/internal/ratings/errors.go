package ratings

import "math"

// Errors counts the decisions of one side and their losses, in EMG, judged by the noiseless
// 0-ply evaluation. Forced plays do not count; of the cube decisions, doubles, answers to
// doubles and those within closeCube of a right double count.
type Errors struct {
	Moves      int     `json:"moves"`
	MoveLoss   float64 `json:"move_loss"`
	Blunders   int     `json:"blunders"` // plays that lose more than Blunder
	Absurd     int     `json:"absurd"`   // plays that lose more than Absurd
	BigLoss    float64 `json:"big_loss"` // total loss of the blunders
	CubeCases  int     `json:"cube_cases"`
	CubeLoss   float64 `json:"cube_loss"`
	WorstMove  float64 `json:"worst_move"`
	MovesWrong int     `json:"moves_wrong"`
	// Lost is the winning chance of matches that all decisions lost.
	Lost float64 `json:"lost,omitempty"`
}

// Add adds the counts of o.
func (e *Errors) Add(o *Errors) {
	e.Moves += o.Moves
	e.MoveLoss += o.MoveLoss
	e.Blunders += o.Blunders
	e.Absurd += o.Absurd
	e.BigLoss += o.BigLoss
	e.CubeCases += o.CubeCases
	e.CubeLoss += o.CubeLoss
	e.WorstMove = math.Max(e.WorstMove, o.WorstMove)
	e.MovesWrong += o.MovesWrong
	e.Lost += o.Lost
}

// PerMove and PerCube are the mean errors of a decision, in EMG.
func (e *Errors) PerMove() float64 { return ratio(e.MoveLoss, e.Moves) }

// PerCube is the mean error of a cube decision.
func (e *Errors) PerCube() float64 { return ratio(e.CubeLoss, e.CubeCases) }

func ratio(sum float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// move counts a play that loses so much; chance is the winning chance of one EMG.
func (e *Errors) move(loss, chance float64) {
	e.Moves++
	e.Lost += loss * chance
	e.MoveLoss += loss
	e.WorstMove = max(e.WorstMove, loss)
	if loss > 1e-9 {
		e.MovesWrong++
	}
	if loss > Blunder {
		e.Blunders++
		e.BigLoss += loss
	}
	if loss > Absurd {
		e.Absurd++
	}
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
	for _, n := range [...]int{e.Moves, e.Blunders, e.Absurd, e.CubeCases, e.MovesWrong} {
		if n < 0 {
			return false
		}
	}
	for _, x := range [...]float64{e.MoveLoss, e.BigLoss, e.CubeLoss, e.WorstMove, e.Lost} {
		if !(x >= 0 && x < 1e12) {
			return false
		}
	}
	return e.Blunders <= e.Moves && e.MovesWrong <= e.Moves && e.Absurd <= e.Blunders
}

// The limits of Errors, in EMG.
const (
	Blunder   = 0.2
	Absurd    = 0.5
	closeCube = 0.16
)
