// Package protocol is the seam between the bot and the servers it plays on.
//
// A server's protocol is one Protocol. It logs in (Dial, a Link), turns the server's lines into
// Events and Commands into lines, reads a journal of those lines (Reader), and knows the
// server's rules (Rules). The rest of the bot (table, archive, policy, watch, host) knows only
// this package and no server's words.
//
//	server -> Link.Events -> Event -> table, watch, host
//	server <- Link.Send   <- Command
//	journal: Event.Raw and Encode's lines; Reader turns them back
//
// bot/fibs and bot/bgammon implement it. If a server lacks what an Event or a Command assumes,
// its package makes up for it, not the table: a server without a command for the board answers
// AskBoard with the last board it sent; one without saved matches answers AskSaved with
// SavedBegins alone.
//
// To add a server, write a package with a Protocol and add it to the list that cmd/fibsbot
// gives to the host.
package protocol
