// Package notify reports events to the operator: to a command, as JSON on its standard input,
// and to a web address, as a signed request.
//
//	Outbox.Add      takes an event; never blocks, never fails
//	state/notify.json   what is not delivered yet, at most maxWaiting events
//	Outbox.Run      delivers, tries again with growing waits for a day
//
// Notifications never delay a game or fill a disk. Events above a limit are only counted, and
// the next event of their kind has the number; events that cannot be delivered for a day are
// dropped. Both are logged.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package notify
