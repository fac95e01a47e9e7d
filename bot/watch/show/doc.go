// Package show prints what `fibsbot watch` shows: decisions with the engine's analysis as
// lines, boards or JSON, and the results of games and matches.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package show
