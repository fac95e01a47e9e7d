// Package truth is the yardstick that owes nothing to another program: decisions
// whose near-best choices our own engine has rolled out, with the luck taken out,
// to a standard error of 0.006 points.
//
// Plays and cube decisions are drawn from self-play and from boards within game
// plans (cmd/fibslab/internal/train). Their choices are rolled out with common dice, and each
// trial ends after some plies (Settings, Long). Nothing is trained on them. Every second decision is reserved: it is looked at for releases alone,
// so that choosing nets and settings by the others does not wear the yardstick out.
//
// Files are lines of JSON, which Maker appends to and which goes on where it was
// stopped; the set in the binary is such a file, gzipped.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package reference
