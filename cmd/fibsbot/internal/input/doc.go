// Package input reads positions as people and scripts ask about them: one text in any of
// the known forms, or many of them, a line each, as text or as JSON, with what stands
// beside the board given apart. What the answer rests on and nobody said, the rules of
// money play for one, is listed with the question.
//
// The forms are those of package advice and the board: line of FIBS, which package
// fibs reads.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package input
