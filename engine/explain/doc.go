// Package explain says in players' words why one play is better than another, and why a cube
// action is right.
//
// Plays and Cube find facts: shots, points, anchors, rolls of the next turn, gammons, market
// losers. Each fact is counted on the board or taken from the figures of the decision. Facts are
// put in the order of what they explain: the engine values the 21 rolls at 0 plies after either
// play, which measures what the rolls are worth that hit, make a point or an anchor, escape or
// break the board; chances measure gammons; lasting features share the rest by their usual value.
//
// A Reason writes two or three sentences (Text), or every fact with its rolls (Long), in the
// language of a catalogue. It needs no text of the language it is asked for but templates.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package explain
