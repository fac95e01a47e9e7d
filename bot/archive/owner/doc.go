// Package owner knows which players of an archive the user is: a list of names and
// patterns, and under whom imported matches are filed.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package owner
