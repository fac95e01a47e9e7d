// Package efficiency measures how live the cube is in a class of positions: the x of
// Janowski's formula (R. Janowski, "Take-Points in Money Games", 1993), which mixes
// the equity with a dead cube and that with a live one.
//
// A [Meter] draws positions from games that the nets play against themselves, rolls
// out "no double" and "double, take" of each, or looks exact equities up, and fits x by
// least squares. Then it counts what static cube decisions with this or that x give up.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package efficiency
