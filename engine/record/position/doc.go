// Package position reads and writes single positions as text: XGID, OGID (the
// position ID of OpenGammon) and the pages of text that eXtreme Gammon and BGBlitz
// make of a position, of which the ID is taken and the rest kept as a comment.
//
// A position becomes a match of one game that begins with it. XGID's X and OGID's
// Black are player 1.
package position
