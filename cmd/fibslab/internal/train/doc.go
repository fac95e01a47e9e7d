// Package train teaches the nets how to play: it makes positions, has them
// labelled by a stronger or slower judge, fits nets to the labels and measures
// whether the new net decides better than the old one.
//
// The steps are separate and resumable. SelfPlay generates varied positions
// without duplicates, Teacher labels them (GNU Backgammon from outside, or our
// own search), Fitter fits a net by mini-batches, TD learns from nothing by
// temporal differences, and Bench measures the points given up per decision.
//
// Positions with labels are kept as fixed records of 20 bytes (Record), the
// format of shared/positions. Nothing here is needed to play.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package train
