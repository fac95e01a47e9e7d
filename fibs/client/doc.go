// Package client sits at a FIBS server for one account: it logs in, sets the
// switches a bot needs, keeps the connection alive, and passes events up and
// commands down, in order and not too fast.
//
//	                 journal (first)
//	                    ^
//	telnet -> Parser -> Run -> Events() -> the bot
//	telnet <- pace  <-  Run <- Send(command)
//
// [Dial] connects, logs in and sets up; [Client.Run] serves the connection
// until it ends and says why; [Client.Start] does so in a goroutine of its own,
// as a [Session]. A Client is one connection's life: whether and
// when to come back is decided above, by the kind of error ([ErrBadLogin]
// never, [ErrShutdown] gently, and so on).
//
// Three goroutines per client: one reads lines, one is Run itself, one is
// go-telnet's; a Session has one more, which hands the lines on. No time is taken from anywhere but package time, so that tests
// run inside testing/synctest.
//
// Facts come from the FIBS client protocol reference, chapters 3 to 6 and 13.
package client
