// Package bench measures an engine: its speed ([Measure]) and its play ([Signature]). The positions
// are those of games that the static engine plays on fixed dice, so that every engine with the same
// nets gets the same questions.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package bench
