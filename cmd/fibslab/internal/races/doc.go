// Package races measures the chances that nets and others give in races against a one-sided
// bearoff database bigger than the engine's own, and makes races with such exact chances to
// train with ([Maker]).
package races
