// Package client keeps one FIBS account logged in: it logs in, sets the switches that a bot
// needs, keeps the connection alive, passes events up and commands down, in order and not too
// fast.
//
//	socket -> telnet -> clip.Parser -> Events (or Options.Deliver) -> the bot
//	socket <- telnet <- queue and pace <- Send <- the bot
//
// [Dial] connects, logs in and sets up. From then on the [Client] serves the connection until
// it ends; [Client.Err] says why. A Client is one connection. Whether and when to log in again
// is for the caller to decide, by the kind of error: never after [ErrBadLogin], later after
// [ErrShutdown].
//
// Three goroutines per client: one reads lines and delivers events, one writes, one is
// go-telnet's. All times are of package time, so that tests run inside testing/synctest.
//
// Facts come from the FIBS client protocol reference, chapters 3 to 6 and 13.
package client
