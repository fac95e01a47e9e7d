// Package wire is the language of a bgammon.org server: lines to typed events,
// commands to lines. It is pure: no clock, no goroutine, no connection.
//
//	line -> [Parse] -> Event     (one JSON object a line, after one text greeting)
//	Command -> String -> line    (words separated by blanks)
//
// A board is always seen from its reader: he is Player1, his checkers are
// positive, and he plays from point 24 to point 1. A line that cannot be
// understood becomes an [Unknown] event that keeps the line and says why; Parse
// never fails and never panics.
//
// The facts were measured against a server built from its public source (March
// 2026) and are kept with the transcripts that the tests replay. Notices are
// translated by the server and carry no decision: whatever matters is read from
// the board and from typed events.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package wire
