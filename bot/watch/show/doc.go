// Package show prints what a spectator sees, as `fibsbot watch` does: decisions with the
// engine's opinion as lines, boards or JSON, and what games and matches came to.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package show
