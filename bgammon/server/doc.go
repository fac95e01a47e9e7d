// Package server is a stand-in for a bgammon.org server, written from measurements alone. Two
// clients play whole matches over TCP or WebSocket, and faults of the real server can be
// switched on. Tests and `fibsbot demo --protocol bgammon` use it.
//
//	conn (reader, writer) -> Server (one lock, no input or output under it) -> table -> game
//	                                                                    \-> Record, what happened
//
// A player who leaves or loses the connection may come back. Meanwhile the opponent can do
// little; after a while the server ends the match, and the player who was away first loses it.
//
// It keeps nothing on disk and has no ratings, variants or history. Its rules of
// backgammon are its own, so that a client is not tested against itself. [Server.Matches]
// returns what was played.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package server
