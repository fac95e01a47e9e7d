// Package sites reads the match files of servers and programs that are gone or small:
// GamesGrid (.sgg), TrueMoneyGames (.tmg), Hans Berliner's BKG (.bkg), PartyGammon,
// BackGammonRoom (.bgf, the one that is text) and bgammon.org (.match).
//
// Sides are those that GNU Backgammon gives them, where it reads the format: the left
// name of an .sgg and Player1 of a .tmg become player 1.
package sites
