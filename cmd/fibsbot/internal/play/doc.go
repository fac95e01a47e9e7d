// Package play is a match between a person and the engine: what a terminal and a
// web page need to let somebody play, without knowing anything of either.
//
// A Match is a list of Acts: rolls, plays, doubles, answers. Everything else (the
// position, whose turn it is, what is allowed) follows from the list, so a saved
// match is the list, going back is a shorter list, and a damaged file is one whose
// list breaks a rule. The dice of a roll depend on the match's seed and on how many
// rolls were before it: who takes a play back rolls the same again.
//
// The person is side You, the engine side Opponent; they are players 1 and 0 of the
// archive's records. One Do carries out what the person wants, one Think what the
// engine does next; a display calls Think until it is the person's turn again and
// shows each act as it likes. Hint and Judge are the tutor.
//
// A Store keeps matches in a folder, one file each, and files finished ones in the
// archive.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package play
