// Package ratings measures how strong settings (package tune) play.
//
// The parts, in the order in which a figure travels:
//
//   - sim plays whole matches between two settings by package duel and judges their decisions.
//   - Plan says which settings meet at which match lengths. Measure plays them in blocks of
//     mirrored pairs into a Store of results that can be resumed, sharded and merged.
//   - AddDifferences adds duels to a Store that count not results but the decisions at
//     which two presets differ (package duel).
//   - Fit turns all results into ratings by maximum likelihood under the FIBS formula
//     (engine/rating), with intervals; its Table is what package tune keeps.
//   - Check plays the settings ordered for ratings against expert and returns the ratings they
//     achieved.
//
// File keeps a Store in a file, locked while it is written to; an incomplete last line of a killed
// process is dropped.
//
// By convention "expert" (0 plies without noise) has DefaultAnchor points.
package ratings
