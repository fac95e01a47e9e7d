// Package index finds matches: who played whom, when, how it ended, how well it
// was played, and in which file it lies.
//
// The match files of the archive are the truth and the index is made from them:
// Rebuild reads a folder again in constant memory, Add takes one file, and an
// identity computed from the moves themselves keeps the same match from being
// counted twice, whatever the format it came in. Matches that were played here have
// their start in the ID as well: they are never taken for one. What a match file cannot hold
// (preset, ratings after the match, exact times) lies beside it as a small JSON
// file, see Meta.
//
// Of a match whose files were pruned the row alone is kept, in PrunedName; Rebuild
// takes it from there.
//
// The index is an SQLite database in the archive's folder or, for people with
// many bots, a PostgreSQL database. Both have the same schema, grown by numbered
// migrations.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package index
