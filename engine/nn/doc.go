// Package nn looks at a backgammon board the way a small neural network does
// and says how often each outcome of the game will happen.
//
// Three things live here. The inputs (Encoder, RaceEncoder) turn a
// board.Position into a short list of active rows, one for each occupied point
// of each side, and a vector of computed facts that players know by name: pips,
// shots, escapes, primes, anchors, timing. A Net holds the weights of one
// network: a wide first layer stored row by row so that the plays of one
// decision, which differ in few inputs, cost only their differences; then
// either five outputs at once or a second layer of 32 units before them. A Set
// is the nets of all classes with the manifest that says where they came from.
//
// Nets are evaluated in whole numbers: their values are the same to the bit on every
// processor of one Arithmetic.
//
// Everything is seen from the player on roll. A Net is immutable and may be
// shared; a Scratch belongs to one goroutine.
//
// The kinds of computed inputs (break contact, containment, escapes over twelve
// points, timing, back-game strength) have been common knowledge since the
// programs of the 1990s; the definitions here are this project's own and are
// written beside each name. The first layer that is updated by difference is the
// idea of Yu Nasu's NNUE for shogi (2018).
//
// The package imports only engine/board and its own kernels. It knows nothing
// of cubes, scores, or databases.
package nn
