// Package index finds the matches of an archive: players, time, result, quality of play and
// file of each.
//
// Match files are authoritative; Rebuild makes the index from them in constant memory, and
// Add adds one file. An identity computed from the moves keeps a match from being counted
// twice, whatever its format. The ID of a match that a bot played also has its start, so two
// such matches never count as one. What a match file cannot hold (preset, ratings after the
// match, exact times, tags) is in a small JSON file beside it, see Meta.
//
// The row of a match whose files were pruned is kept in PrunedName, from which Rebuild
// takes it.
//
// The index is an SQLite database in the archive's folder, or a PostgreSQL database with the
// same tables; in a browser it is in memory. Its columns are listed once, in columns, its filters
// in conditions, its statistics in Statistics. A database only finds rows, the sums are made here.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package index
