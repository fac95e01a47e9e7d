// Package person runs a person's account on a server: connection, journal, resume and archive of
// the bot, without its policy.
//
// The table's questions wait for Account.Answer, which a display calls. Everything else is an
// order to the table, such as an invitation. The engine decides nothing. The account has the same
// lock as a bot of its name, so the two never disconnect each other.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package person
