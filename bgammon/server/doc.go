// Package server is a stand-in for a bgammon.org server, written from measured facts
// alone: whole matches between two clients over TCP or WebSocket, with the faults of
// the real server to be switched on. Tests and `fibsbot demo --protocol bgammon` play
// on it.
//
//	conn (reader, writer) -> Server (one lock, no input or output under it) -> table -> game
//	                                                                    \-> Record, what happened
//
// Who leaves, or loses his line, may come back. Without an opponent little is done; after
// a while the server ends the match, and who was away when the other left has lost it.
//
// It keeps nothing on disk and has no ratings, variants, history or spectators. Its
// rules are its own, so that a client is not tested against itself; what a match was
// is told by [Server.Matches].
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package server
