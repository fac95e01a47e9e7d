package search

import (
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
)

// Evaluator judges positions statically. An Evaluator serves one goroutine at a
// time. Its answers must depend on its arguments alone.
type Evaluator interface {
	// Eval returns the chances of p.Me, who is on roll.
	Eval(p *board.Position) eval.Probs
	// EvalPlays writes to out, for each of the plays of one roll, the chances of
	// the mover after it, the opponent being on roll.
	EvalPlays(plays []board.Play, out []eval.Probs)
}

// ExactSource knows exact money equities with the cube of some positions; ok is
// false for all others. It is safe for concurrent use.
type ExactSource interface {
	Exact(p *board.Position) (e cube.Exact, ok bool)
}
