// Package collection keeps positions in named collections and finds positions by their
// structure.
//
// A Store is one JSON file beside the archive. Every change reads the file, changes it and
// replaces it, under a lock, so several windows and commands can work on it.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package collection
