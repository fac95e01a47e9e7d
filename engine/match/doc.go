// Package match knows what a game is worth: the score, the cube, the Crawford
// rule, and the chance to win the match from any score (match equity tables).
package match
