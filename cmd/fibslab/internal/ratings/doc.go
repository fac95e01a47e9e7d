// Package ratings measures how strong settings (package tune) play.
//
// The parts, in the order in which a figure travels:
//
//   - Sim plays whole matches between two settings. At 0 plies its own fast player makes
//     the decisions of engine/search without the overhead of a search.
//   - Plan says which settings meet at which match lengths. Measure plays them in blocks of
//     mirrored pairs into a Store of results that can be resumed, sharded and merged.
//   - AddDifferences adds duels to a Store that count not results but the decisions at
//     which two presets differ (package duel).
//   - Fit turns all results into ratings by maximum likelihood under the FIBS formula
//     (engine/rating), with intervals; its Table is what package tune keeps.
//   - Achieve plays the setting ordered for a rating against others and returns the rating
//     it achieved.
//
// By convention "expert" (0 plies without noise) has DefaultAnchor points.
package ratings
