// Package opening is the table of opening plays and replies: the 15 opening rolls and all
// 21 replies to each reasonable opening play, rolled out at four scores.
//
// The table in the program is openings.tsv.gz. Each line is one play, with its fields
// separated by tabs:
//
//	score    money, dmp, gammon-go or gammon-save, of the player to decide
//	first    the opening roll and play that is replied to, as "31 8/5 6/5", or "-" for openings
//	roll     the roll to play, the larger die first
//	play     the play in notation
//	equity   its rolled out equity (EMG), and stderr, the standard error
//	loss     how much worse it is than the best play, and losserr, the standard error of that
//	win, wg, wbg, lg, lbg   chances to win, win a gammon and backgammon, lose them
//	trials   games rolled out
//	plies    plies after which a trial ended, 0 for the end of the game
//	early    plies at the start of each trial that a 2-ply search played
//
// The plays of a decision follow one another, the best first. The command fibslab openings
// makes the file; it can resume and sharpen it.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package opening
