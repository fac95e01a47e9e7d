// Package table is the state machine of an account that plays one match after the other.
//
// Events of the server (package bot/protocol) go in. What is due comes out: commands to
// send, a question for the engine, lines for the journal. A Sheet (package bot/sheet)
// records the match, event by event.
//
// Every question carries the generation of its state. An answer to an older generation is
// dropped, so a slow engine never plays on a board that is gone. One command is outstanding
// at a time. If its effect does not show in time, the table asks for the board and decides
// again: FIBS loses commands, sends no board after doubles, dances and refused
// resignations, and sometimes forgets to roll.
//
// The package has no clock and starts no goroutine: methods that depend on time take it as
// an argument.
package table
