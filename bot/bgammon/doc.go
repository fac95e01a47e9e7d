// Package bgammon is bgammon.org for the bot: an implementation of package protocol
// over the wire and the client of fibsbot/bgammon. It is the only package of the bot
// that knows that server's events.
//
//	reader.go   what the server says -> protocol.Event, live and from a journal
//	board.go    its boards in the engine's terms
//	command.go  protocol.Command -> lines, and our own lines read again
//	turn.go     a play made hop by hop, taken back, and the turn ended
//	link.go     logging in, what is sent when, what the server has no command for
//
// The server shows every single hop; the bot decides whole turns. A board in the middle of a
// turn is skipped, and the one after it is explained by a play, as on any server. The bot opens
// matches and waits for players.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package bgammon
