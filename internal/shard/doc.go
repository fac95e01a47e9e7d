// Package shard defines the shape of every heavy job: it is split into pieces, each piece
// is run by itself, and the results are added up in the order of the pieces.
//
// A job makes [Piece] values and gives them to a [Crew]. The crew runs them on goroutines of this
// process ([Local]) or on other machines (internal/farm) and returns the results in order. A
// piece's result depends on its Ask alone, and floating point sums are made in the order of the
// pieces, so results are equal to the bit for any number of threads or machines.
//
// The package knows no kind of job and no network.
package shard
