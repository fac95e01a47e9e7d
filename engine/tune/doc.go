// Package tune knows how strong every setting of the engine is, in rating points
// of FIBS, and finds the setting that plays at a wanted rating.
//
// The parts, in the order in which a figure travels:
//
//   - Setting is a strength to be measured: an amount of noise, or of human-like
//     error (package human), for checker play and for the cube, or a preset that
//     looks ahead.
//   - Sim plays whole matches between two settings with a lean 0-ply player that
//     makes the same decisions as engine/search without its overhead.
//   - Plan says which settings meet at which match lengths. Measure plays it in
//     blocks of mirrored pairs, sequentially, into a Store of results that can be
//     resumed, shared out and merged.
//   - AddDifferences takes duels into a Store that were not counted by their results
//     but by the decisions at which two presets differ (package duel).
//   - Fit turns all results into ratings by maximum likelihood under the FIBS
//     formula (engine/rating), with intervals.
//   - Surface is what was fitted, kept in the program (measured.json); At reads a
//     rating from it, PresetForRating goes the other way.
//   - Hold is the feedback that keeps an account's own rating near a target.
//   - Sprt decides whether one setting or net is stronger than another.
//
// Ratings are relative by nature. The anchor is a convention: "expert" (0 plies
// without noise) is given DefaultAnchor, see there.
//
// The package reads and writes nothing but what it is handed.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package tune
