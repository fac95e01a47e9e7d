package human

import (
	"math"

	"fibsbot/engine/board"
	"fibsbot/internal/splitmix"
)

// Style says how a weaker player errs. The zero value never errs.
type Style struct {
	// Checker and Cube are the amounts for the two kinds of decision, 0 to MaxAmount: about the
	// performance rating of such a player over 100.
	Checker, Cube float64
	// Character is how the errors lean.
	Character Character
}

// MaxAmount is the largest amount with a meaning: beyond it equity hardly counts.
const MaxAmount = 1.0

// Choose picks one of several plays from p, in the generator's order. losses[i] is the loss of
// plays[i] against the best one, in EMG, at least 0, without noise; some play must lose 0. The
// result is an index and depends on the arguments alone; seed changes from decision to decision.
func (s Style) Choose(p *board.Position, plays []board.Play, losses []float64, seed uint64) int {
	if s.Checker <= 0 {
		for i, loss := range losses {
			if loss <= 0 {
				return i
			}
		}
		return 0
	}
	m, lean := &fitted.Checker, s.Character.lean()
	plan, crowded := PlanOf(p), crowd(len(losses))
	overlooks := uniform(seed, overlookStream) < m.overlooking(plan, crowded, s.Checker)
	weight := math.Exp(m.sharpness(plan, crowded, s.Checker, overlooks))
	w, was := m.natural(s.Checker, &lean.natural), look(&p.Me, &p.Opp)
	best, top := 0, math.Inf(-1)
	for i, loss := range losses {
		f := featuresOf(p, &plays[i].Result, &was)
		// A Gumbel deviate on each value makes the choice a softmax over the plays (R. D. Luce's
		// choice axiom).
		if v := attraction(weight, loss, &w, &f) + gumbel(seed, uint64(i)); v > top {
			best, top = i, v
		}
	}
	return best
}

// The streams of random numbers of a decision besides those of its plays.
const (
	overlookStream = 1 << 32
	cubeStream     = 2 << 32
)

// No one doubles too early at a no-double equity below leastDouble or a loss above mostLoss, and
// no one passes at a loss above mostPass, or takes at one above mostTake and perTake for each unit
// of the amount.
const (
	leastDouble = -0.1
	mostLoss    = 0.4
	mostPass    = 0.5
	mostTake    = 0.3
	perTake     = 2.5
)

// Doubles decides a double.
func (s Style) Doubles(v *CubeView, seed uint64) bool {
	gain := v.Gain()
	switch {
	case s.Cube <= 0:
		return gain > 1e-7
	case gain < 0 && v.NoDouble < leastDouble, gain < -mostLoss:
		return false
	}
	return acts(v.Chance(&fitted.Cube.Double, true, s.Cube), s.Character.lean().double, seed)
}

// Takes answers a double; v is the doubler's view.
func (s Style) Takes(v *CubeView, seed uint64) bool {
	gain := v.DoublePass - v.DoubleTake
	if s.Cube <= 0 || gain > mostPass || gain < -mostTake-perTake*s.Cube {
		return gain >= 0
	}
	return acts(v.Chance(&fitted.Cube.Take, false, s.Cube), s.Character.lean().take, seed)
}

// acts draws an act of that chance, whose log odds the character changes by lean.
func acts(chance, lean float64, seed uint64) bool {
	odds := math.Log(chance/(1-chance)) + lean
	return uniform(seed, cubeStream) < logistic(odds)
}

func gumbel(seed, i uint64) float64 { return -math.Log(-math.Log(uniform(seed, i))) }

// uniform is a number strictly between 0 and 1.
func uniform(seed, i uint64) float64 {
	return (float64(splitmix.At(seed, i)>>11) + 0.5) / (1 << 53)
}
