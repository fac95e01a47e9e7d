package rating

import (
	"errors"
	"math"
)

// ErrorRates are one player's mean errors in a match or many, in normalised
// equity lost (not millipoints).
type ErrorRates struct {
	PerDecision float64 // checker and cube errors over all unforced decisions
	Checker     float64 // checker errors over unforced moves
	Cube        float64 // cube errors over unforced cube decisions
}

// LossByDecision estimates how many rating points a player gives up against
// perfect play in matches of length points, 1 or more, from the errors per decision:
// (11971 + 23681/N) * EPD. At length 1 the published value 37916 stands instead
// of the formula's, which the study found to fit badly there.
func LossByDecision(e ErrorRates, length int) float64 {
	n := math.Max(1, float64(length))
	if length == 1 {
		return 37916 * e.PerDecision
	}
	return (11971 + 23681/n) * e.PerDecision
}

// LossByMoveAndCube is the study's second model, which keeps checker and cube
// errors apart: (8798 + 25526/N) * EPM + (863 - 519/N) * EPC. At length 1,
// without a cube, the published 37916 holds.
func LossByMoveAndCube(e ErrorRates, length int) float64 {
	n := math.Max(1, float64(length))
	if length == 1 {
		return 37916 * e.Checker
	}
	return (8798+25526/n)*e.Checker + (863-519/n)*e.Cube
}

// PerfectRating is the rating that the estimates give to errorless play. The
// study leaves it open; with 2050 the estimates meet GNU Backgammon's own, whose
// strongest settings are reported at about 2000 on FIBS.
const PerfectRating = 2050

// EnoughDecisions is from how many decisions on (unforced plays, close or actual cube
// decisions) a rating should be estimated: one blunder in fewer weighs more than a match.
const EnoughDecisions = 10

// LowestEstimate is where the estimates end: the models are straight lines, which lead
// below every rating that exists where the errors are beyond what the study saw.
const LowestEstimate = 0

// Estimate returns the rating at which the errors were made, by the second
// model, which is the study's final one, but LowestEstimate at least.
func Estimate(e ErrorRates, length int) float64 {
	return max(LowestEstimate, PerfectRating-LossByMoveAndCube(e, length))
}

// level is a word for figures below a limit.
type level struct {
	limit float64
	word  string
}

// below is the word of the first level whose limit v is below, or rest.
func below(v float64, levels []level, rest string) string {
	for _, l := range levels {
		if v < l.limit {
			return l.word
		}
	}
	return rest
}

// Word names the level of an error rate (normalised equity per decision), with
// GNU Backgammon's limits.
func Word(perDecision float64) string {
	return below(perDecision, []level{
		{0.002, "Supernatural"}, {0.005, "World class"}, {0.008, "Expert"}, {0.012, "Advanced"},
		{0.018, "Intermediate"}, {0.026, "Casual player"}, {0.035, "Beginner"},
	}, "Awful!")
}

// PRWord names the level of a performance rating (PR, see analyse.Sums.PR) in the words of
// eXtreme Gammon, with its limits as commonly published; its makers document none.
func PRWord(pr float64) string {
	return below(pr, []level{
		{2.5, "World champion"}, {5, "World class"}, {7.5, "Expert"}, {12.5, "Advanced"},
		{17.5, "Intermediate"}, {22.5, "Casual player"}, {30, "Beginner"},
	}, "Distracted")
}

// LuckWord names the luck per move (normalised equity) in words of our own, with GNU
// Backgammon's limits; empty for ordinary dice.
func LuckWord(perMove float64) string {
	switch {
	case perMove > 0.10:
		return "Outrageous luck"
	case perMove > 0.06:
		return "Very lucky"
	case perMove > 0.02:
		return "Lucky"
	case perMove < -0.10:
		return "Cruel dice"
	case perMove < -0.06:
		return "Very unlucky"
	case perMove < -0.02:
		return "Unlucky"
	}
	return ""
}

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

// Result is one finished, rated match as a witness of a player's strength.
type Result struct {
	Opponent float64 // the opponent's rating before the match
	Length   int     // of the match in points; 0 counts as 1
	Won      bool
}

// Interval is an estimate with the bounds of its 90 % confidence interval.
type Interval struct {
	Estimate float64 `json:"estimate"` // rating points
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
}

// ErrNoResults is returned when there is nothing to estimate from.
var ErrNoResults = errors.New("no rated results")

// PriorSpread is the standard deviation of the prior that FromResults puts on a
// rating around StartRating. It is wide (FIBS ratings spread over some 150
// points) and keeps a player without losses from being rated infinite.
const PriorSpread = 250

// FromResults estimates the rating at which a player performed: the mode of the
// likelihood of all results under the FIBS formula with a wide prior, and the
// interval from its curvature. Opponents' ratings are taken as true; their own
// noise of some 50 points averages out over many opponents. Without results the error is
// ErrNoResults.
func FromResults(results []Result) (Interval, error) {
	if len(results) == 0 {
		return Interval{}, ErrNoResults
	}
	r, curvature := float64(StartRating), 0.0
	for range 100 {
		// Newton's method on the log posterior, which is concave.
		grad := (StartRating - r) / (PriorSpread * PriorSpread)
		curvature = 1.0 / (PriorSpread * PriorSpread)
		for _, g := range results {
			a := math.Sqrt(float64(max(1, g.Length))) * math.Ln10 / 2000
			p := WinChance(r-g.Opponent, max(1, g.Length))
			y := 0.0
			if g.Won {
				y = 1
			}
			grad += a * (y - p)
			curvature += a * a * p * (1 - p)
		}
		step := grad / curvature
		r += math.Max(-400, math.Min(400, step))
		if math.Abs(step) < 1e-6 {
			break
		}
	}
	half := Z90 / math.Sqrt(curvature)
	return Interval{Estimate: r, Low: r - half, High: r + half}, nil
}
