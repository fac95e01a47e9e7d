// Package bot runs an account: it logs in, sits down at the table, plays, keeps
// the archive, and comes back when the connection breaks.
//
// One Account is one supervisor. Its Run method owns everything the account has:
// the connection (a protocol.Link), the table (bot/table), the journal
// (bot/archive) and at most one decision of the engine in flight. All of it is
// touched by the one goroutine of Run; the engine's answer comes back over a
// channel and is thrown away when the table has moved on.
//
//	server -> link -> event -> table -> due: notes    -> journal, synced before
//	                                           commands -> link -> server
//	                                           question -> engine -> answer -> table
//
// Whether to try again after a failure is decided here and nowhere else, by the
// kind of error: never after a refused login, slowly after a shutdown or when
// the account was taken over, with growing jittered waits after anything else.
//
// What to accept, whom to invite and everything else beside playing is the business
// of a Conduct, Plain by default; how to play is that of a table.Decider, rules of
// thumb by default.
package bot
