// Package recorded turns the results of rollouts into candidates and cube decisions of a
// record, with trials, standard errors and the settings in the words of gnubg's SGF.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package recorded
