// Package sheet keeps the score sheet of one match: every roll, play, cube action and
// result, as far as it was seen.
//
// The sheet knows the rules of backgammon but no server. The reader of a server's lines
// calls Rolled, Moved, DoubledBy, GameWon and so on, with the sides Us and Them.
//
//	enter.go      events while nothing is missing
//	told.go       less precise events, and what we have sent ourselves
//	reconcile.go  boards: a Board is the truth and proves what was missed
//	unseen.go     games that ended unseen: what score and position prove
//	ends.go       announced ends of games that turn out to be false; points: the server's
//	              sentence against cube, position and score
//	list.go       reading a server's list of moves; mend.go: filling holes with it
//	seen.go       what was announced: a list that lacks it is not taken
//	standing.go   the state before each act
//	record.go     the sheet as a match of package record
//
// Missed events are filled in if exactly one legal play explains them. Otherwise the game
// is marked Torn: it has a hole until a list of moves mends it. The next board is recorded
// after the hole, so that what follows is legal from there. The sheet has no clock, no
// connection and no file, and never asks for anything.
package sheet
