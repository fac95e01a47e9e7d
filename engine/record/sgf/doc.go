// Package sgf reads and writes matches in the dialect of SGF that GNU
// Backgammon saves: one game tree a game, with set-up positions, comments,
// marks and analysis.
//
// Reading goes through the file once and holds one node at a time besides the
// match itself; only the first variation of a tree is followed. What does not
// parse as SGF is an error with line and column; what parses but makes no sense
// is kept, marked and reported as a warning. Writing gives the same text that
// GNU Backgammon gives for the same match, so that it loads there.
//
// The layout was read off files written by GNU Backgammon 1.07.
package sgf
