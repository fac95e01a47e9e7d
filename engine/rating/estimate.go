package rating

import "math"

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
