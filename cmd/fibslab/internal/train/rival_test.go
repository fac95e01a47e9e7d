package train

import (
	"math/rand/v2"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// makes is a player who makes play number n of a decision.
type makes int

func (n makes) Play(p board.Position, d board.Dice) (board.Play, bool) {
	return board.AppendPlays(nil, p, d)[n], true
}

// TestBranch_rival: plays are traced where the rival makes another one than the teacher, and these
// two first; elsewhere the game goes on.
func TestBranch_rival(t *testing.T) {
	roll := board.Dice{A: 3, B: 1}
	plays := board.AppendPlays(nil, board.Start, roll)
	labels := make([]Label, len(plays))
	var keys []board.Key
	for i := range plays {
		keys = append(keys, plays[i].Result.Swap().Key())
		labels[i] = LabelOf(eval.Probs{0.6}) // of the opponent
	}
	const best, other, bad = 3, 5, 7
	labels[best] = LabelOf(eval.Probs{0.4})
	labels[bad] = LabelOf(eval.Probs{0.9}) // loses more than a sibling may
	branch := func(rival Player, place int) (*game, bool) {
		g := &game{rng: rand.New(rand.NewPCG(1, 2)), pos: board.Start, roll: roll, plays: plays, place: place}
		return g, g.branch(&selfSpec{Siblings: 3}, rival, keys, labels)
	}
	if g, done := branch(makes(best), 0); done || g.over || g.pos != board.Start {
		t.Errorf("an equal play was traced: %v, over %v, %s", done, g.over, g.pos.ID())
	}
	for _, n := range []makes{other, bad} {
		made := map[board.Position]bool{}
		for place := range 2 {
			g, done := branch(n, place)
			if !done || g.over || g.group != 1 || len(g.path) != 1 {
				t.Fatalf("rival's play %d, place %d: %v, over %v, group %d, %d steps", n, place, done, g.over, g.group, len(g.path))
			}
			made[g.pos] = true
		}
		if !made[plays[best].Result.Swap()] || !made[plays[n].Result.Swap()] {
			t.Errorf("rival's play %d: traced are %v", n, made)
		}
	}
}
