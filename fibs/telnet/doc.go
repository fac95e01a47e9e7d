// Package telnet carries lines between the bot and a FIBS server: it dials,
// cuts the byte stream into lines, strips telnet commands, and gives up on a
// server that is silent, stuck or sends a line without end.
//
//	net.Conn -> filter (stray telnet commands) -> go-telnet -> lines
//
// The telnet work is go-telnet's, on a connection that we dial ourselves: it
// is handed to go-telnet's server through a listener that accepts once, and
// the reader and writer that its handler receives are used here. That keeps
// deadlines, contexts and any net.Conn possible, which go-telnet's own dialler
// hides. Its reader is given one byte at a time, because it waits until the
// slice it is given is full; and a filter below it drops the telnet commands
// that it takes for corruption.
//
// The package knows nothing about the meaning of a line. A [Conn] is read by
// one goroutine and written by one goroutine; Close may be called by any.
package telnet
