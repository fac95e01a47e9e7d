// Package text writes a match for people to read: every decision with the board
// as it stood, the action, and what an analysis said about it.
//
// The layout follows GNU Backgammon's text export. It is for reading, not for
// programs: what has to be loaded again belongs in SGF.
package text
