// Package server is a whole FIBS-compatible backgammon server that runs
// inside the program: bots and people log in over plain TCP, invite each
// other, and play matches with FIBS's rules, texts and boards.
//
// It serves `fibsbot server`, the demo, and the client's tests. To be a judge in those tests it
// shares nothing with the engine: rules.go is an independent referee in FIBS's own board numbers.
//
// # Picture
//
//	Server   one world under one mutex: accounts, users on line, matches
//	conn     one TCP connection: a reader that hands lines to the world and a
//	         writer that empties a bounded queue; the world never waits for it
//	user     a player who is logged in on a conn; session holds settings and state
//	match    score, cube, layout and dice of two players; may be running,
//	         between games, or saved
//	Layout   25 points and two trays in FIBS numbers; the rules are its methods
//	store    accounts and saved matches in SQLite, written beside the game
//	limiter  what one address or one user may do; see Limits
//
// A line from a client is handled under the mutex. Effects outside of the world (text for a
// connection, the end of one, a call of a hook, a line of the log) go into an outbox, which is
// carried out in order after the mutex is unlocked. Writers and the store run concurrently. See
// line.go.
//
// # Faults on purpose
//
// Options.Quirks switches on the defects that real FIBS has (glued board
// lines, lost commands, missing boards, forgotten rolls); they are off by
// default. Package chaos damages the byte stream instead.
//
// # Sources
//
// Texts and order of lines follow the project's protocol reference (FIBS help
// texts, the CLIP specification and logged sessions). Ratings follow FIBS's
// published formula; see rating.go.
package server
