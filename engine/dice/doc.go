// Package dice says where rolls come from: a generator of pseudo-random numbers with a
// seed, or a file of rolls that somebody wrote down. It knows no rule of the game.
//
// The generators are those of Go's math/rand/v2. Both give the same numbers in every
// version of the program and on every machine; neither favours anybody: who doubts it
// plays with the other, with dice of a file or with dice thrown by hand.
package dice
