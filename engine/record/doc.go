// Package record holds a whole match as it was played: who, by which rules,
// every roll, play and cube action of every game, and what analysis said about
// them.
//
// A Match has Games, a Game has Actions, an Action may carry an Analysis. The
// two players are numbered as in GNU Backgammon's files: player 0 is White, O,
// the upper side and the left column of a .mat file; player 1 is Black, X, the
// lower side. The archive puts the bot's own account at player 1. Checkers and
// steps are always in the numbering of the player who acts (package board).
//
// A record is what a file said, right or wrong: an illegal play is kept. A Replay walks
// through a game, follows the position and the cube, and reports for each action whether the
// rules allowed it; it never fails on bad records.
//
// The file formats live in the folders below: sgf, mat, oldmoves, snowie, text and others.
package record
