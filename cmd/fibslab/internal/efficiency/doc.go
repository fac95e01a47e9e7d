// Package efficiency measures how live the cube is in a class of positions: the x of
// Janowski's formula (R. Janowski, "Take-Points in Money Games", 1993), which mixes
// the equity with a dead cube and that with a live one.
//
// A [Meter] draws positions from games that the nets play against themselves, rolls out "no
// double" and "double, take" of each, or looks up exact equities, and fits x by least squares.
// Then it computes the losses of static cube decisions with several values of x.
package efficiency
