// Package input reads a position with its state: from a text in any known form, from JSON,
// from flags, or many of them, one per line. Commands, the HTTP API and the standard input
// of commands share its one type, so names, defaults and refusals are the same everywhere.
//
// The forms of a text are those of package advice and the board: line of FIBS, which
// package fibs reads.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package input
