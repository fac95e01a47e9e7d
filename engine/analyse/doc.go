// Package analyse judges how well a match was played: what each play and cube
// action gave up, how the dice fell, and what both say about the players.
//
// The work has two halves. Analyst evaluates the decisions of a match and stores
// what it finds in the record itself (package record), in the form that match
// files keep. Summarise reads those numbers, wherever they came from, and adds
// them up by the definitions of GNU Backgammon: error rates, close cube
// decisions, Snowie rate, luck, luck-adjusted result, rating estimates. So a
// file that gnubg analysed is summed up exactly as gnubg does.
//
// Errors and luck are in normalised equity (EMG) and, beside it, in what they
// cost: points in money play, match winning chance in matches. Sources: the GNU
// Backgammon manual's chapter on analysis (definitions), D. Zare (luck-adjusted
// result), K. van den Doel (rating estimates).
package analyse
