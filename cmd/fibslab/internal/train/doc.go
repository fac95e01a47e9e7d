// Package train teaches the nets how to play: it makes positions, has a stronger or slower
// judge label them, fits nets to the labels and measures whether the new net decides better
// than the old one.
//
// The steps are separate and resumable. SelfPlay generates varied positions without
// duplicates, Teacher labels them (GNU Backgammon from outside, or our own search), Fit fits
// a net by mini-batches, TD learns from nothing by temporal differences, and the bench
// measures the points lost per decision.
//
// Labelled positions are fixed records of 20 bytes (Record), the format of shared/positions.
package train
