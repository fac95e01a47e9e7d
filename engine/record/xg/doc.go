// Package xg reads the binary files of eXtreme Gammon: matches (.xg) and positions
// (.xgp), with its analysis, rollouts and comments.
//
// A file is a header, a picture, and an archive of compressed members; the match is a
// row of records of 2560 bytes. XG's player 1 becomes player 0 here, the left column
// of the .mat that XG writes of the same match. The layout is the one that XG's author
// published, checked on files of the versions 30 and 32.
//
// Positions, not the coded steps, say what was played; errors and luck are kept as XG
// states them (record.Stated), so that its figures can be shown and compared.
package xg
