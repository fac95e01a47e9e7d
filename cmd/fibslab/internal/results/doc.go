// Package results keeps measured strength in files: the results of `tune measure`,
// the pairs of `tune gate`, and the duels that `tune import` takes in. A file is locked
// while it is written to, and a line that a kill cut off is dropped.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package results
