// Package oldmoves reads and writes the lists of moves that a FIBS server gives
// with the command oldmoves and that gnubg imports.
//
// A file may hold several games and several matches. In the first game of a
// match the player called X becomes player 0. Games may exchange X and O, count
// upwards or downwards, and give the score either way round; the reader puts
// that right. The format has only dice, plays, doubles and who won.
package oldmoves
