package rating

import "math"

// StartRating is the rating of a new FIBS account; its experience is 0.
const StartRating = 1500

// WinChance returns the chance that a player who is diff rating points better
// wins a match of length points: 1 - 1/(10^(diff*sqrt(length)/2000)+1), the
// FIBS formula. diff may be negative; length is 1 or more.
func WinChance(diff float64, length int) float64 {
	return 1 - 1/(math.Pow(10, diff*math.Sqrt(float64(length))/2000)+1)
}

// Difference is the inverse of WinChance: the rating difference at which a match
// of length points is won with chance p. It is infinite for p 0 and 1.
// length is 1 or more.
func Difference(p float64, length int) float64 {
	return 2000 / math.Sqrt(float64(length)) * math.Log10(p/(1-p))
}

// factor is K of the FIBS formula: 5 for a new account, falling to 1 at an
// experience of 400.
func factor(experience int) float64 { return math.Max(1, 5-float64(experience)/100) }

// Account is a rating with the experience that decides how fast it moves.
type Account struct {
	Rating     float64 // StartRating for a new account
	Experience int     // points of the lengths of all finished matches
}

// Update returns both accounts after a finished match of length points. The
// points won beyond the length do not matter; unlimited matches (length 0) are
// not rated and change nothing.
func Update(winner, loser Account, length int) (w, l Account) {
	if length <= 0 {
		return winner, loser
	}
	// The winner gains the loser's chance to win, which is P of the formula in
	// both of its cases.
	p := WinChance(loser.Rating-winner.Rating, length)
	step := 4 * math.Sqrt(float64(length)) * p
	winner.Rating, winner.Experience = winner.Rating+step*factor(winner.Experience), winner.Experience+length
	loser.Rating, loser.Experience = loser.Rating-step*factor(loser.Experience), loser.Experience+length
	return winner, loser
}
