// Package linestest holds the lines of a match on FIBS, for tests of packages that store them.
package linestest

// OnePoint is a 1-point match: the lines of the server ("< ") and of the bot ("> "). It has
// an opening roll, two moves, and a resignation.
var OnePoint = []string{
	"< ** You are now playing a 1 point match with bob",
	"< Starting a new game with bob.",
	"< You rolled 6, bob rolled 2",
	"< It's your turn to move.",
	"< board:You:bob:1:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
	"> move 24-18 13-11",
	"< bob rolls 3 and 1.",
	"< bob moves 17-20 19-20 .",
	"< You roll 4 and 2.",
	"> move 8-4 6-4",
	"< bob wants to resign. You will win 1 point. Type 'accept' or 'reject'.",
	"> accept",
	"< You accept and win 1 point.",
	"< You win the 1 point match 1-0 .",
}
