// Package human errs as real players do. Its model is fitted to matches between people
// (fibslab profile fit).
//
//   - Checker play: a play attracts by its equity and by what it shows at first glance: hits, points
//     made and given up, shots, escapes (Features). The choice is a softmax over the plays.
//   - Overlooking: with a chance that depends on the plan of the game the player hardly weighs the
//     equity. That gives errors a tail of blunders, in hard positions more than in easy ones.
//   - Cube: the chance to double or take depends on the gain, on gammons, on the winning chance and
//     on who holds the cube. People double late, and miss the cash the more the weaker they are.
//
// A Style has an amount of error for each kind of decision, about the performance rating over 100,
// and a Character, which leans the errors one way.
//
// The package chooses among given evaluations; it evaluates nothing.
package human
