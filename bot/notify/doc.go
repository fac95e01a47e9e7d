// Package notify tells an operator what happened while he was away: an event goes
// to a command, as JSON on its standard input, and to a web address, signed.
//
//	Outbox.Add      takes an event; never blocks, never fails
//	state/notify.json   what is not delivered yet, at most maxWaiting events
//	Outbox.Run      delivers, tries again with growing waits for a day
//
// Nothing here may hold the game up or fill a disk: what comes too often is counted
// and told with the next one of its kind, what cannot be delivered for a day is
// dropped, and both are logged.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package notify
