// Package gnubgtext reads what GNU Backgammon exports as text: games, matches and
// positions with their boards drawn (export game text, export match text, export
// position text), and boards as its terminal draws them.
//
// gnubg writes one file a game; files that were joined are one match again. The Position
// ID and Match ID above each board say who is on roll and where the checkers stand, so
// that positions set up by hand are read; where the boards were left out, the words are
// enough. Of the analysis the evaluations of plays and cube decisions are taken over, with
// the digits that are printed; statistics, luck and rollouts are left.
//
// The form is that of gnubg's English text, seen in what gnubg 1.07.001 writes.
package gnubgtext
