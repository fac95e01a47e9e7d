// Package owner holds the user's names in an archive, and decides under which player an
// imported match is filed.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package owner
