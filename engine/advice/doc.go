// Package advice is what the engine says about a position, as documents: the JSON that
// scripts rely on, from the command line and from the HTTP API alike, and the words
// that people read.
//
// Equities are normalised (EMG) and those of the player on roll, chances between 0
// and 1. The fields are a contract: they are added to, never changed.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package advice
