// Package races makes races with the exact chances of a one-sided bearoff database bigger than the
// engine's own, to train with ([Maker]).
package races
