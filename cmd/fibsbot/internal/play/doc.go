// Package play is a match between a person and the engine, for the terminal and the web
// pages. It knows neither.
//
// A Match is a list of Acts: rolls, plays, doubles, answers. The position, the turn and the
// legal acts follow from the list. A saved match is the list, undo shortens it, and a file
// whose list breaks a rule is damaged. The dice of a roll depend on the seed and on the
// number of rolls before it, so undo does not change them.
//
// The person is side You, the engine side Opponent: players 1 and 0 of the archive's
// records. Do carries out an act of the person, Think the engine's next one. A display
// calls Think until it is the person's turn again. Hint and Cost are the tutor.
//
// A Store saves unfinished matches in a folder, one file each, and archives finished ones.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package play
