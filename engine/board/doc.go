// Package board knows where the checkers are and which plays the dice allow.
//
// A Position is a small comparable value: the checkers of the player on roll
// (Me) and of the other player (Opp), each counted from its owner's own side.
// Index i of a Checkers array is that player's own point i+1, so index 0 is the
// ace point, 23 the 24 point, and index 24 (Bar) is the bar. Checkers that were
// borne off are what is missing from 15. My point i is my opponent's point
// 23-i. This is the numbering of the GNU Backgammon Position ID; every other
// numbering (FIBS colours and directions, file formats) is converted at the
// edge of the program and never reaches this package's callers.
//
// The package imports only a hash of this project, and its only state are tables built
// once.
package board
