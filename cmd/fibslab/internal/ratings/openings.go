package ratings

import (
	"sync"
	"sync/atomic"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// openings caches the evaluations of all plays of a roll in positions near the start. Every game
// passes through some of them: three plays of about forty, and those with the most choice. It is
// safe for concurrent use; the zero value is ready.
type openings struct {
	known sync.Map // opening to []eval.Probs in the generator's order
	n     atomic.Int64
}

type opening struct {
	p board.Key
	d board.Dice
}

const (
	// unmoved is how many of the 30 checkers must be at their start.
	unmoved = 24
	// maxOpenings bounds the memory to some 6 MB. The first positions are the frequent ones: of all
	// hits of 32,000 entries, 8,000 get nine in ten.
	maxOpenings = 1 << 13
)

// isOpening reports whether p is worth caching.
func isOpening(p *board.Position) bool {
	still := 0
	for i, v := range board.Start.Me {
		still += int(min(v, p.Me[i])) + int(min(v, p.Opp[i]))
	}
	return still >= unmoved
}

// evaluate is ev.EvalPlays for the plays of roll d at p.
func (o *openings) evaluate(ev eval.Evaluator, p *board.Position, d board.Dice, plays []board.Play, out []eval.Probs) {
	if !isOpening(p) {
		ev.EvalPlays(plays, out)
		return
	}
	key := opening{p.Key(), d.Sorted()} // the order of the dice does not matter to the generator
	if v, ok := o.known.Load(key); ok {
		copy(out, v.([]eval.Probs))
		return
	}
	ev.EvalPlays(plays, out)
	if o.n.Load() < maxOpenings {
		if _, there := o.known.LoadOrStore(key, append([]eval.Probs(nil), out[:len(plays)]...)); !there {
			o.n.Add(1)
		}
	}
}
