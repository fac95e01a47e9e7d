// Package mat reads and writes the match text that Jellyfish began and that
// nearly every backgammon program exchanges: two columns, player 0 left and
// player 1 right, one row for a turn of each.
//
// The reader goes by the words in a row and uses the columns only to tell left
// from right, so it takes files of many programs, also single games without a
// header and Snowie's match text. The writer gives what GNU Backgammon exports.
// The format has no place for automatic doubles, the Egyptian rule, set-up positions,
// marks, analysis or comments on a play, and the one of gnubg none for a match without a
// cube, Jacoby and beavers: Lost, LostXG and LostGam list which of these a match has.
package mat
