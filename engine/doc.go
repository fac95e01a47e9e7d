// Package engine answers what a player asks: which play, double or not, take or
// not, resign or not.
//
// It is the front of everything below: Open wires the nets (weights), the
// bearoff databases (bearoff), the match equity table (engine/match) and the
// search (engine/search) into one Engine, which all accounts and commands of a
// process share. Each question takes a preset.Preset, which says how strong the
// answer shall be. The zero match.State is money play with the cube in the middle.
package engine
