package train

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"fibsbot/engine/board"
)

// MaxSiblings bounds the plays of a decision that are traced, MaxHorizon the plies after it.
const (
	MaxSiblings = 8
	MaxHorizon  = 200
)

// siblingLoss is what a traced sibling loses at most, in points. siblingNoise is the noise by which
// they are chosen: a judgement is not sure of their order.
const (
	siblingLoss  = 0.15
	siblingNoise = 0.03
)

// branch makes the play of g's place among the best ones of the decision. The game goes on with
// dice of its own. Without such a play, or with one alone, it is over.
func (g *game) branch(s *selfSpec, keys []board.Key, labels []Label) {
	type rated struct {
		at    int
		value float64
	}
	best := math.Inf(-1)
	for j := range g.plays {
		best = max(best, -float64(labels[j].Probs().Money()))
	}
	var list []rated
	for j := range g.plays {
		x := siblingNoise * g.rng.NormFloat64()
		if v := -float64(labels[j].Probs().Money()); v >= best-siblingLoss {
			list = append(list, rated{j, v + x})
		}
	}
	slices.SortStableFunc(list, func(a, b rated) int { return cmp.Compare(b.value, a.value) })
	g.path = g.path[:0]
	if g.over = g.place >= len(list) || len(list) == 1; g.over {
		return
	}
	chosen := list[g.place].at
	g.rng = rand.New(rand.NewPCG(s.Seed, 0x51b1^g.dice))
	g.pos, g.group = g.plays[chosen].Result.Swap(), 1
	g.path = append(g.path, step{keys[chosen], labels[chosen].Probs(), true})
}
