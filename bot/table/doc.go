// Package table sits at the board and plays one match after the other.
//
// Events of the server (package bot/protocol) go in; what is now due comes out:
// commands to send, a question for the engine, lines for the journal. The record
// of the match is a Sheet (package bot/sheet), kept event by event; the Table is
// the state machine: what is due now, and what to do when it does not come.
//
// Every question carries the generation of the state it was asked for; an answer
// to an older generation is thrown away, so a slow engine never plays on a board
// that is gone. One command is outstanding at a time. When its effect does not
// show in time the table asks for the board and decides again, because FIBS
// loses commands, sends no board after doubles, dances and refused resignations,
// and sometimes forgets to roll.
//
// The package holds no clock and starts no goroutine: every method that depends
// on time is told the time.
package table
