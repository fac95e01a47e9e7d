// Package quiz asks about errors in the archive: a player's own, or any player's.
//
// A Deck finds the questions in analysed matches and records the answers in one file. Each
// correct answer lengthens the wait for the next repetition, a wrong one resets it
// (Leitner's boxes). Callers judge the answers.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package quiz
