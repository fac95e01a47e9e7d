// Package strength leads from the configuration to the preset that plays: own presets
// on their bases, ratings by the measured table, and what holds for every preset.
// Which strength a match is given is a matter of bot/policy.
package strength
