// Package terminal lets somebody play against the engine in a terminal: on a
// screen of its own with a board that is drawn (Screen), or in plain lines that a
// script can write and read (Lines). Both speak the same commands (Parse), and both
// leave the rules, the dice and the opponent to package play.
//
//	keys, typed commands -> Parse -> Table -> play.Match
//	                          Table: think, tutor, hint, save, file, review
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package terminal
