// Package bench measures an engine: its speed ([Measure]) and what it plays
// ([Signature]). The positions are those of games that the static engine plays on
// fixed dice, so that every engine with the same nets is asked the same.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package bench
