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
// dice of its own. Without such a play, or with one alone, it is over. Where rival, unless nil, would
// make the teacher's best play too, branch makes none and returns false.
func (g *game) branch(s *selfSpec, rival Player, keys []board.Key, labels []Label) bool {
	type rated struct {
		at    int
		value float64
	}
	best, bestValue := 0, math.Inf(-1)
	for j := range g.plays {
		if v := -float64(labels[j].Probs().Money()); v > bestValue {
			best, bestValue = j, v
		}
	}
	other := -1 // the rival's play
	if rival != nil {
		if play, ok := rival.Play(g.pos, g.roll); ok {
			other = slices.IndexFunc(g.plays, func(p board.Play) bool { return p.Result == play.Result })
		}
		if other == best || other < 0 {
			return false
		}
	}
	var list []rated
	for j := range g.plays {
		x := siblingNoise * g.rng.NormFloat64()
		v := -float64(labels[j].Probs().Money())
		switch {
		case rival != nil && (j == best || j == other):
			list = append(list, rated{j, math.Inf(1)})
		case v >= bestValue-siblingLoss:
			list = append(list, rated{j, v + x})
		}
	}
	slices.SortStableFunc(list, func(a, b rated) int { return cmp.Compare(b.value, a.value) })
	g.path = g.path[:0]
	if g.over = g.place >= len(list) || len(list) == 1; g.over {
		return true
	}
	chosen := list[g.place].at
	g.rng = rand.New(rand.NewPCG(s.Seed, 0x51b1^g.dice))
	g.pos, g.group = g.plays[chosen].Result.Swap(), 1
	g.path = append(g.path, step{keys[chosen], labels[chosen].Probs(), true})
	return true
}
