// Package profile counts how players err: how much with the cube, how much by blunders, which
// hits they refuse, when they double. It lays the profile of a setting of the engine beside that
// of real players of the same performance rating.
//
// Decisions are judged by package analyse. A figure is a ratio of two sums over players, and its
// standard error that of a ratio over clusters (W. G. Cochran, Sampling Techniques, 1977,
// section 6.4), for the decisions of a player are not independent.
package profile
