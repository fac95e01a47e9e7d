// Package search looks ahead: it ranks the plays of a roll and weighs the cube
// by imagining every roll of the dice, 0 to 4 turns deep.
//
// Depth is counted as gnubg does: at 0 plies a play is judged by the static
// evaluation of the position after it; each further ply averages over the 21
// rolls of the next player, who answers each with the play that looks best
// statically. The parts:
//
//   - Engine holds what all decisions share: evaluators, exact databases, the
//     match equity table, worker threads and the cache. It is safe for
//     concurrent use.
//   - Settings say how deep and how well to look; a Filter which plays are worth
//     a deeper look.
//   - plan is made once per decision: which states of the cube have to be valued
//     at each depth, so that one pass over the tree serves all of them, and what
//     turning the cube there is worth.
//   - worker walks the tree with its own evaluator and buffers.
//
// Results are the same for any number of threads and whatever the cache holds:
// every node's value is a pure function of the position and the plan, sums are
// made in a fixed order, and only whole nodes are cached.
package search
