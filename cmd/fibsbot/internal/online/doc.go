// Package online shows a person's account on a server, and obeys the person.
//
// A Room is the account for a display: its match as a play.View, what was said, and who is there.
// Lines is the display of a terminal. Nothing here asks the engine about a match that is played.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package online
