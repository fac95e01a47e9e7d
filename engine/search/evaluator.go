package search

import (
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
)

// Evaluator judges positions statically, one goroutine at a time. Its answers
// must depend on its arguments alone.
type Evaluator = eval.Evaluator

// ExactSource knows exact money equities with the cube of some positions; ok is
// false for all others. It is safe for concurrent use.
type ExactSource interface {
	Exact(p *board.Position) (e cube.Exact, ok bool)
}
