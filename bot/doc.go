// Package bot runs an account: it logs in, plays, keeps the archive, and reconnects when
// the connection breaks.
//
// Account.Run owns the connection (a protocol.Link), the table (bot/table), the journal
// (bot/archive) and at most one running decision of the engine. Only the goroutine of Run
// touches them. The engine's answer arrives over a channel and is dropped if the table's
// state has changed.
//
//	server -> link -> event -> table -> due: notes    -> journal, synced before
//	                                           commands -> link -> server
//	                                           question -> engine -> answer -> table
//
// This package alone decides whether to try again after a failure: never after a refused
// login, slowly after a shutdown or when another client took the account over, otherwise
// with growing, jittered waits.
//
// A Conduct (Plain by default) decides which invitations to accept, whom to invite and
// everything else apart from playing. A table.Decider (rules of thumb by default) plays.
package bot
