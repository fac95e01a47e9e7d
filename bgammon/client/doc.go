// Package client keeps one account logged in to a bgammon.org server: it logs in with JSON
// events, answers pings, passes events up and commands down, in order and not too fast.
//
//	TCP or WebSocket -> lines -> wire.Parse -> Events() -> the bot
//	TCP or WebSocket <- pace  <- Send(command)
//
// [Dial] connects and logs in; the [Session] it returns lasts until the connection
// ends or Close. Whether and when to log in again is for the caller to decide, by the kind of
// error.
//
// Two goroutines per session, one that reads and one that serves. All times are of package
// time, so that tests run inside testing/synctest.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package client
