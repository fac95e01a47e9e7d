// Package names holds lists of players: a set of names and patterns, and the set of a
// file that an operator may edit while the bot runs.
package names
