// Package reference is the yardstick independent of other programs: decisions whose near-best
// choices our own engine has rolled out, without luck, to a standard error of 0.006 points.
//
// Plays and cube decisions are drawn from self-play and from boards within game plans (package
// train). Their choices are rolled out with common dice, and each trial ends after some plies
// (Settings, Long). Nothing is trained on them. Every second decision is reserved for
// releases, so that choosing nets and settings by the others does not wear out the yardstick.
//
// Files are lines of JSON, to which Maker appends and which it resumes; the set in the binary
// is such a file, gzipped.
package reference
