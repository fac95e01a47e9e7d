// Package review imports and analyses matches of an archive, and lists their errors.
//
// Importer imports match files. Reviewer analyses matches, newest first; it writes and
// indexes each when it is done, so a stopped run can be resumed. Decisions yields those
// of analysed matches that fit a Query. Cards writes decisions as quiz cards: CSV, Anki's
// text import, or a page. StatsTable, WriteCSV and the others print what the index has.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package review
