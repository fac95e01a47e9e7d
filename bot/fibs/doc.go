// Package fibs is FIBS, and what speaks like it, for the bot: the first
// implementation of package protocol. It is the only package of the bot, the demo apart, that
// knows the server's grammar (fibsbot/fibs/clip) and its client.
//
//	event.go    clip.Event -> protocol.Event
//	command.go  protocol.Command -> clip.Command, and our own lines read again
//	board.go    a board line in the engine's terms: colours and directions end here
//	steps.go    moves in the server's numbering of points
//	link.go     logging in; why connections end
package fibs
