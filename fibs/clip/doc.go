// Package clip knows the language of FIBS: what every line of the server
// means, and how the commands of a player are written.
//
// A [Parser] turns lines into values of type [Event]; a [Command] encodes
// itself into a line. Both are pure: no clock, no goroutine, no socket. A
// Parser belongs to one connection, for the meaning of a line depends on
// what came before it (login, message of the day, a list of moves).
//
//	bytes -> fibs/telnet -> line -> Parser.Append -> Event ... -> fibs/client
//	fibs/client <- Command.Encode <- the bot
//
// The numbering of points stays the server's: 1 to 24 as printed on the
// board, the same for both players; O moves down, X moves up. Turning that
// into an engine's position is the task of bot/fibs.
//
// Facts come from the FIBS client protocol reference (chapters 2 to 13), its
// catalogue of messages and the recorded transcripts that the tests replay.
// A board line is the only reliable state; texts are triggers.
package clip
