// Package rating turns results and errors into playing strength: the rating
// formula of FIBS, the chance to win a match that a difference in rating means,
// and the published estimates of rating from error rates.
//
// Sources: the FIBS help text "formula" (update and expectation); Kees van den
// Doel's studies in the GNU Backgammon manual, "Estimating absolute rating"
// (the two models of rating against errors per decision).
package rating
