// Package terminal plays a match in a terminal: on a screen with a drawn board (Screen), or
// in plain lines for scripts (Lines). Both have the same commands (Parse). Rules, dice and
// opponent are in package play.
//
//	keys, typed commands -> Parse -> Table -> play.Match
//	                          Table: think, tutor, hint, save, file, review
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package terminal
