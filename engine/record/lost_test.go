package record_test

import (
	"fmt"
	"strings"
	"testing"

	"fibsbot/engine/record/detect"
)

// Whatever a damaged file has and the match has not gives a warning, in every format
// that is text.
func TestRead_whatIsLostIsTold(t *testing.T) {
	const (
		room   = "BGF version 1.2\nGame 1 - anna (X) vs. bert (0)\n"
		party  = "BoardID=1\nMATCHLENGTH=3\nGAME_1_PLAYER_1=anna\nGAME_1_PLAYER_2=bert\n"
		sgg    = "bert vs. anna\n\nMatch Length: 3\n"
		sgf    = "(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[anna]PB[bert]"
		tmg    = "MatchID: 1\nPlayer1: 1 anna 4\nPlayer2: 2 bert 4\nLength: 3\nGame 1: 0-0\n"
		mat    = " 3 point match\n\n Game 1\n anna : 0                     bert : 0\n"
		gam    = " anna                          bert\n"
		gnubg  = "The score (after 0 games) is: anna 0, bert 0 (match to 3 points)\n\nMove number 1:  anna to play 31\n\n* anna moves 8/5 6/5\n\n"
		fibs   = "Score is 0-0 in a 3 point match.\nanna is X - bert is O\n"
		replay = "i 1717228800 anna bert 3 0 0 0 0 0\n"
	)
	for _, c := range []struct{ name, text, want string }{
		{"oldmoves, the head is damaged", "Sco is 0-0 in a 3 point match.\nanna is X - bert is O\nX: (3 1) 8-5 6-5\n\n" + fibs + "X: (3 1) 8-5 6-5\n", "(3 1) 8-5 6-5"},
		{"oldmoves, two lines in one", fibs + "X: (3 1) 8-5 6-5O: (6 1) 12-18 17-18\n", "O: (6 1)"},
		{"oldmoves, two lines in one with a blank", fibs + "X: (3 1) 8-5 6-5 O: (6 1) 12-18 17-18\n", "O: (6 1)"},
		{"oldmoves, a line behind a dance", fibs + "X: (3 1) 8-5 6-5\nO: (6 1) can't move X: (2 1) 6-5\n", "X: (2 1)"},
		{"sgf, moves behind the end", sgf + ";W[31hefe])\n;B[52mrmo])\n", "outside of every game"},
		{"sgf, a game without its mark", sgf + ";W[31hefe])\n(;FF[4]MI[length:3][game:1];B[52mrmo])", "not marked as backgammon"},
		{"sgf, a bracket is missing", strings.TrimSuffix(sgf, "]") + ";W[31hefe];B[52mrmo]\n;W[31hefe])", "should have closed"},
		{"sgf, a node's beginning is missing", sgf + ";W[31hefe]B[52mrmo])", "more than one move"},
		{"sgf, beginning and name are missing", sgf + ";W[31hefe][52mrmo])", "more than one move"},
		{"sgg, the head of the game is damaged", sgg + "Gam 1.0-0/3\n1\t31: \n1\t31: 8/5, 6/5\nGame 2.0-0/3\n1\t52: 13/8, 13/11\n", "31: 8/5, 6/5"},
		{"sgg, the head of a later game is damaged", sgg + "Game 1.0-0/3\n1\t31: 8/5, 6/5\n\nbert  wins 1 points.\n\nGame) 2.0-1/3\n1\t52: 13/8, 13/11\n", "52: 13/8"},
		{"sgg, blanks for tabs", sgg + "Game 1.0-0/3\n1\t31: 8/5, 6/5\n2  52: 13/8, 13/11\n", "52: 13/8"},
		{"bkg, two lines in one", "Black  3 1   8-5; 6-5 White  5 2   12-17; 12-14\n", "White"},
		{"bkg, a double behind a play", "Black  3 1   8-5; 6-5 White Doubles         Declined\n", "White Doubles"},
		{"bkg, a colour is damaged", "Black  3 1   8-5; 6-5\nWhi(te  5 2   12-17; 12-14\n", "12-17"},
		{"bkg, a double without a player", "Black  3 1   8-5; 6-5\nWhit Doubles         Accepted\n", "Whit Doubles"},
		{"bgammon, two lines in one", replay + "1 r 3-1 8/5 6/5 2 r 5-2 12/17 12/14\n", "2 r 5-2"},
		{"room, an action in the head", room + "Single match1.X:(3 1)8/5 6/5\n2.0:(5 2)13/8 13/11\n", "1.X:(3 1)"},
		{"room, an action behind a double", room + "Single match\n1.X:(3 1)8/5 6/5\n2.0:Double3.X:(5 2)13/8 13/11\n", "3.X:(5 2)"},
		{"party, plays twice", party + "GAME_1_GAMEPLAY=1 31 8/5 6/5#2 52 13/8 13/11\nGAME_1_GAMEPLAY=1 31 8/5 6/5\n", "stand twice"},
		{"party, two lines in one", party + "GAME_2_PLAYER_1=annaGAME_2_GAMEPLAY=1 31 8/5 6/5\nGAME_1_GAMEPLAY=1 31 8/5 6/5\n", "GAME_2_GAMEPLAY"},
		{"party, the key is damaged", party + "GAME_1_GAMEPLAY=1 31 8/5 6/5\nGAME_2_GAMEPAY=1 31 8/5 6/5#2 52 13/8 13/11\n", "GAMEPAY"},
		{"party, a game without its score", party + "GAME_1_GAMEPLAY=1 31 8/5 6/5\nGAME_1_SCORE1=0\nGME_1_SCORE2=1\n", "GME_1_SCORE2"},
		{"party, a game is missing", strings.ReplaceAll(party, "GAME_1", "GAME_2") + "GAME_2_GAMEPLAY=1 31 8/5 6/5\n", "game 1 is not in the file"},
		{"party, a game without plays", party + "GAME_1_SCORE1=0\nGAME_1_SCORE2=1\n", "no plays"},
		{"room, a line is missing", room + "Single match\n1.X:(3 1)8/5 6/5\n3.X:(5 2)13/8 13/11\n", "action 3 follows action 1"},
		{"room, the last line is missing", room + "Single match\n1.X:(3 1)8/5 6/5\n\nWin the Match\n", "who won"},
		{"sgg, lines are missing", sgg + "Game 1.0-0/3\n1\t31: \n1\t31: 8/5, 6/5\n3\t\t52: 13/8, 13/11\n", "turn 3 follows turn 1"},
		{"sgg, another game's lines", sgg + "Game 1.0-0/3\n1\t31: \n1\t31: 8/5, 6/5\n2\t\t52: 13/8, 13/11\n1\t63: 24/15\n", "turn 1 follows turn 2"},
		{"tmg, a play behind its roll", tmg + "1 1 31:   1 4 8/5 6/5\n-2 1 52:\n-2 4 13/8 13/11\n", "1 4 8/5"},
		{"tmg, two lines in one", tmg + "1 1 31:\n1 4 8/5 6/5 -2 1 52:\n-2 4 13/8 13/11\n", "-2 1 52"},
		{"tmg, lines are missing", tmg + "1 1 31:\n1 4 8/5 6/5\n3 1 52:\n3 4 13/8 13/11\n", "turn 3 follows turn 1"},
		{"bkg, the end of a game is damaged", "Black  3 1   8-5; 6-5\nBla3ck wins\n", "Bla3ck wins"},
		{"bkg, colour and dice are damaged", "Black  3 1   8-5; 6-5\nWhit 2   12-17; 12-14\n", "Whit 2"},
		{"bkg, a double is damaged", "Black  3 1   8-5; 6-5\nWhiubles         Declined\n", "Whiubles"},
		{"bkg, a roll behind the end", "Black  3 1   8-5; 6-5\nBlack wins\nWhite  6 6   \n", "no game begins"},
		{"mat, a row becomes a comment", mat + "  1) 31: 8/5 6/5                52: 13/8 13/11\n  #2) 61: 13/7 8/7               41: 24/20 6/5\n", "2) 61: 13/7"},
		{"mat, the dice are damaged", mat + "  1) 31: 8/5 6/5                2: 13/8 13/11\n", "2: 13/8"},
		{"mat, the dice are gone", mat + "  1) 31: 8/5 6/5                x/8 13/11\n", "x/8"},
		{"mat, a row behind the names", strings.TrimSuffix(mat, "\n") + "  1) 31: 8/5 6/5   52: 13/8 13/11\n  2) 61: 13/7 8/7\n", "1) 31: 8/5"},
		{"mat, a row is missing", mat + "  1) 31: 8/5 6/5                52: 13/8 13/11\n  3) 61: 13/7 8/7\n", "row 3 follows row 1"},
		{"mat, a game is missing", strings.TrimSuffix(mat, " anna : 0                     bert : 0\n") + " Game 2\n anna : 0                     bert : 0\n  1) 31: 8/5 6/5\n", "game 1 has nothing"},
		{"gam, a row behind the names", strings.TrimSuffix(gam, "\n") + "\t1) 31: 8/5 6/5   52: 13/8 13/11\n" + gam + "  1) 31: 8/5 6/5\n  2) 61: 13/7 8/7\n", "1) 31: 8/5"},
		{"gam, the end of a game is missing", gam + "  1) 31: 8/5 6/5\n\n" + gam + "  1) 31: 8/5 6/5\n", "has no result"},
		{"oldmoves, the length is gone", strings.Replace(fibs, "3 point", "point", 1) + "X: (3 1) 8-5 6-5\n", "how long"},
		{"oldmoves, a name is damaged", fibs + "X: (3 1) 8-5 6-5\nX: wins 1\n\nScore is 1-0 in a 3 point match.\nann is X - bert is O\nX: (3 1) 8-5 6-5\n", "another match"},
		{"oldmoves, behind the end", fibs + "X: (3 1) 8-5 6-5\nX: wins 1\nX: rejects\nO: wins 1\n", "the game is over"},
		{"sgf, a result ran into the rules", strings.TrimSuffix(sgf, "]") + "]RU[Crawf[W+1]\n;W[31hefe])\n", "Crawf"},
		{"sgf, the result is missing", sgf + "\n;W[31hefe])\n(;FF[4]GM[6]MI[length:3][game:1][ws:1][bs:0]PW[anna]PB[bert]\n;B[52mrmo])", "no result"},
		{"sgf, a second value", sgf + "RU[Crawford][W+1]\n;W[31hefe])\n", "RU has more"},
		{"sgf, the answer to a double is missing", sgf + "RE[W+1]\n;W[31hefe];B[52mrmo];W[double])\n", "no answer"},
		{"gnubg text, an action twice", gnubg + "* bert moves 13/8\n\nMove number 2:  bert to play 52\n\n* bert moves 13/8 13/11\n", "bert moves 13/8\""},
		{"gnubg text, a move is missing", gnubg + "Move number 3:  bert to play 52\n\n* bert moves 13/8 13/11\n", "move number 3"},
	} {
		_, f, ws, err := detect.Read(strings.NewReader(c.text))
		if err != nil || !strings.Contains(strings.ReplaceAll(fmt.Sprint(ws), `\t`, " "), c.want) {
			t.Errorf("%s (%s): %v %v, want a warning with %q", c.name, f, err, ws, c.want)
		}
	}
}
