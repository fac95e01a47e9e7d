package human

import (
	"math"

	"fibsbot/engine/board"
	"fibsbot/internal/splitmix"
)

// Style says how a weaker player errs. Amounts are in normalised equity (EMG): about by how much
// such a player misjudges a play in an ordinary position. The zero value never errs.
type Style struct {
	// Checker and Cube are the amounts for the two kinds of decision, 0 to
	// MaxAmount.
	Checker, Cube float64
}

// MaxAmount is the largest amount with a meaning: beyond it every play within
// the limit is as likely as any other.
const MaxAmount = 1.0

// Limit is the largest loss (EMG) that the style's checker play may cost in one
// decision. It grows with the amount: a beginner's worst plays are worse than an
// expert's.
func (s Style) Limit() float64 { return math.Min(0.45, 0.08+0.8*s.Checker) }

// Choose picks one of several plays. losses[i] is the loss of play i against the best one, in EMG,
// at least 0, without noise; some play must lose 0. p is the position before the play. The result is
// an index of losses and depends on the arguments alone; seed changes from decision to decision.
func (s Style) Choose(p *board.Position, losses []float64, seed uint64) int {
	amount := s.Checker * PlanOf(p).hardness() * Difficulty(losses)
	limit := s.Limit()
	best, top := 0, math.Inf(-1)
	for i, loss := range losses {
		if loss > limit && loss > 0 {
			continue
		}
		if amount <= 0 {
			if -loss > top {
				best, top = i, -loss
			}
			continue
		}
		// A Gumbel deviate on each value makes the choice a softmax over the
		// plays (R. D. Luce's choice axiom) with temperature amount.
		if v := -loss + amount*gumbel(seed, uint64(i)); v > top {
			best, top = i, v
		}
	}
	return best
}

// near is how far behind the best, in EMG, a play counts as a rival.
const near = 0.08

// Difficulty is how hard it is to see the best of several plays: about 0.4 if one play stands out, 1
// with two close rivals, up to 1.6 in a crowd. losses are as for Choose.
func Difficulty(losses []float64) float64 {
	rivals := -1.0 // not counting the best play itself
	for _, loss := range losses {
		if loss < 4*near {
			rivals += math.Exp(-loss / near)
		}
	}
	return 0.4 + 1.2*(1-math.Exp(-math.Max(0, rivals)/2.9))
}

// caution is the share of the amount by which people avoid turning the cube and taking it.
const caution = 0.3

// Doubles decides a double. gain is the EMG gained by doubling over rolling,
// negative when rolling is better. Decisions that are wrong by more than four
// amounts are never made.
func (s Style) Doubles(p *board.Position, gain float64, seed uint64) bool {
	return gain+s.doubt(p, gain, seed) > 1e-7
}

// Takes answers a double. gain is the EMG gained by taking over passing, for the
// taker, negative when passing is better.
func (s Style) Takes(p *board.Position, gain float64, seed uint64) bool {
	return gain+s.doubt(p, gain, seed) >= 0
}

// doubt is by how much a cube decision with that gain is misjudged.
func (s Style) doubt(p *board.Position, gain float64, seed uint64) float64 {
	amount := s.Cube * PlanOf(p).hardness()
	if amount <= 0 || math.Abs(gain) > 4*amount {
		return 0
	}
	u := uniform(seed, 0xc0be)
	return amount * (math.Log(u/(1-u)) - caution)
}

func gumbel(seed, i uint64) float64 { return -math.Log(-math.Log(uniform(seed, i))) }

// uniform is a number strictly between 0 and 1.
func uniform(seed, i uint64) float64 {
	return (float64(splitmix.At(seed, i)>>11) + 0.5) / (1 << 53)
}
