package rating

import (
	"errors"
	"math"
)

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
	const z90 = 1.6448536269514722
	half := z90 / math.Sqrt(curvature)
	return Interval{Estimate: r, Low: r - half, High: r + half}, nil
}
