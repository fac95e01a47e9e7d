// Package tournament has a field of players meet in duels, and says who is stronger by how much.
//
// [Tournament] holds who meets whom and what was played. Each meeting is a duel (package duel)
// with dice of its own; [Tournament.Play] plays the meetings in turn, some pairs at a time, and
// the log keeps each pair, so that a killed tournament goes on where it was. The result depends
// on the seed alone, never on kills or on how many pairs are played at a time; measured times
// do. [Tournament.Report] is the result so far.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package tournament
