// Package review judges the matches of an archive and finds their errors again.
//
// Reviewer works through what is unjudged, newest first; each match is written and indexed
// when it is done, so that a stopped run goes on where it was. Errors goes through the
// judged matches and yields the decisions that fit a Query. Cards writes decisions as a
// deck of quiz cards: CSV, Anki's text import, or a page.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package review
