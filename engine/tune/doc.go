// Package tune knows how strong every setting of the engine plays, in rating points of
// FIBS, and finds the setting that plays at a wanted rating.
//
//   - Setting is a strength: an amount of noise, or of human-like error (package human),
//     for checker play and for the cube, or a preset that looks ahead.
//   - Surface is the table of measured strength in the program (measured.json); At reads a
//     rating from it, Find and PresetForRating go the other way.
//   - Hold is the feedback that keeps an account's own rating near a target.
//
// fibslab measures the table. Ratings are relative: by convention "expert" (0 plies without
// noise) has the table's Anchor.
//
// The package reads and writes nothing but its arguments.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package tune
