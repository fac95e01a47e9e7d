// Package races measures the chances that nets and others give in races against a
// one-sided bearoff database bigger than any the engine has at hand, and makes races
// with such exact chances to train with ([Maker]).
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package races
