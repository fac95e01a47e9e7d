// Package quiz asks people about decisions that went wrong: their own, or anybody's
// in the archive.
//
// A Deck finds the questions in analysed matches and keeps a record of the answers in
// one file. What was answered rightly comes back later each time, what was not comes
// back soon (Leitner's boxes). It knows no engine: callers judge the answers.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package quiz
