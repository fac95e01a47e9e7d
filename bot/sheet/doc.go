// Package sheet keeps the score sheet of one match: every roll, play, cube and
// result, as far as it was seen.
//
// The sheet knows the rules of backgammon and nothing of a server. Whoever reads
// a server's lines tells the sheet what they say: Rolled, Moved, DoubledBy,
// GameWon and the like. Two sides are told apart, Us and Them.
//
//	enter.go      what is told while nothing is missing
//	told.go       what is told less plainly, and what we have sent ourselves
//	reconcile.go  boards: a Board is the truth, and proves what was missed
//	unseen.go     games that ended unseen: what score and position tell of the end
//	worth.go      points: the server's sentence against cube, position and score
//	ends.go       ends of games that were told and are taken back
//	list.go       a server's list of moves, read; mend.go: used to fill holes
//	standing.go   what stood on the table before each act
//	record.go     the sheet as a match of package record
//
// What was missed is filled in when one legal play explains it. Otherwise the game is
// marked Torn until a list of moves mends it: there is a hole, and the next board goes
// on the sheet behind it, so that what follows is legal from there. The sheet holds no clock,
// no connection and no file, and never asks for anything.
package sheet
