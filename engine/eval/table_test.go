package eval

import (
	"math/rand/v2"
	"testing"

	"fibsbot/engine/board"
)

// One checker moved, or the sides exchanged, makes another key; the same position the same.
func TestHashOf_tellsPositionsApart(t *testing.T) {
	seen := map[[2]uint64]board.Position{}
	note := func(p board.Position) {
		high, low := hashOf(&p)
		if old, ok := seen[[2]uint64{high, low | 1}]; ok && old != p {
			t.Fatalf("%s and %s have the same key", old.ID(), p.ID())
		}
		seen[[2]uint64{high, low | 1}] = p
	}
	r := rand.New(rand.NewPCG(4, 4))
	p := board.Start
	for range 300 {
		plays := board.AppendPlays(nil, p, board.Dice{A: uint8(1 + r.IntN(6)), B: uint8(1 + r.IntN(6))})
		for i := range plays {
			note(plays[i].Result)
			note(plays[i].Result.Swap())
		}
		if len(plays) > 0 {
			p = plays[r.IntN(len(plays))].Result
		}
		if p = p.Swap(); p.Result() != 0 {
			p = board.Start
		}
	}
	for i := range p.Me {
		for n := range uint8(16) {
			q := board.Position{}
			q.Me[i] = n
			note(q)
			note(q.Swap())
		}
	}
	if len(seen) < 5000 {
		t.Errorf("%d positions are few", len(seen))
	}
}
