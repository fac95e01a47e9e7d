// Package protocol is the seam between the bot and the servers it plays on.
//
// A server's protocol is one Protocol: it logs in (Dial, a Link), turns what the
// server says into Events and Commands into the server's lines, reads a journal of
// those lines again (Reader), and says which rules hold there (Rules). Everything
// of the bot above it (table, archive, policy, watch, host) knows only this
// package, and nothing of any server's words.
//
//	server -> Link.Events -> Event -> table, watch, host
//	server <- Link.Send   <- Command
//	journal: Event.Raw and Encode's lines; Reader turns them back
//
// The first implementation is bot/fibs. A server that lacks something an Event or a
// Command here assumes is made up for in its own package, not in the table: a
// server without a command for the board answers AskBoard from the last board it
// sent, one without saved matches answers AskSaved with SavedBegins alone.
//
// To add a server: write a package with a Protocol, and add it to the list that
// cmd/fibsbot hands to the host.
package protocol
