// Package strength leads from the configuration to the preset that plays: own presets
// on their bases, ratings by the measured table, and what holds for every preset.
// Which strength a match is given is a matter of bot/policy.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package strength
