// Package dice supplies rolls: from a generator of pseudo-random numbers with a seed, or
// from a file of written-down rolls. It knows no rule of the game.
//
// Every generator gives the same numbers in every version of the program and on every
// machine, and none favours a side. To check that, play with another generator, with dice
// of a file or with dice thrown by hand.
package dice
