// Package history computes an account's strength over time from the matches of an archive:
// the rating after each match, estimates from results and errors, and charts.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package history

import (
	"context"
	"math"
	"slices"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/rating"
)

// Point is a match of the rating history.
type Point struct {
	At       time.Time `json:"at"`
	Opponent string    `json:"opponent"`
	Length   int       `json:"length"`
	Result   int       `json:"result"`
	Rating   float64   `json:"rating"` // after the match, else before it, 0 unknown
	ErrorEst *float64  `json:"rating_by_errors"`
	// PR is the performance rating of the match, PRMean that over the last prWindow matches;
	// nil without an analysis.
	PR     *float64 `json:"pr"`
	PRMean *float64 `json:"pr_mean"`
	// Shallow is that of the account, see index.Match.
	Shallow bool `json:"shallow,omitempty"`

	lost    float64
	counted int
}

// prWindow is the number of matches in the moving mean of PR.
const prWindow = 20

// Strength is the estimate from all matches of the history.
type Strength struct {
	Matches int      `json:"matches"`
	Results *Range   `json:"strength_by_results"`
	Errors  *float64 `json:"strength_by_errors"`
}

// Range is an estimate with its 90% interval.
type Range struct {
	Estimate float64 `json:"estimate"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
}

// errorSums sum the errors of analysed matches.
type errorSums struct{ checker, cube, unforced, close, matches, length float64 }

// add counts a match and returns the rating estimated from its errors.
func (s *errorSums) add(m *index.Match) float64 {
	s.checker += m.Checker[0].Or(0)
	s.cube += m.Cube[0].Or(0)
	s.unforced += float64(m.Unforced[0])
	s.close += float64(m.Close[0])
	s.length += float64(m.Length)
	s.matches++
	return rating.Estimate(rating.ErrorRates{
		Checker: m.Checker[0].Or(0) / float64(max(1, m.Unforced[0])), Cube: m.Cube[0].Or(0) / float64(max(1, m.Close[0])),
	}, m.Length)
}

// estimate returns the rating estimated from all errors at the mean length, or nil.
func (s *errorSums) estimate() *float64 {
	if s.matches == 0 {
		return nil
	}
	e := rating.Estimate(rating.ErrorRates{Checker: s.checker / math.Max(1, s.unforced), Cube: s.cube / math.Max(1, s.close)},
		int(math.Round(s.length/s.matches)))
	return &e
}

// Ratings returns the matches that fit and have a day, oldest first, and the strength that all
// of them show.
func Ratings(ctx context.Context, db *index.DB, filter index.Filter) ([]Point, Strength, error) {
	var points []Point
	var results []rating.Result
	var sum errorSums
	matches := 0
	err := db.List(ctx, filter, func(m *index.Match) error {
		p := Point{At: m.Started, Opponent: m.Opponent, Length: m.Length, Result: m.Result, Rating: m.RatingAfter[0], Shallow: m.Shallow[0]}
		if p.Rating == 0 {
			p.Rating = m.Rating[0]
		}
		if n := m.Unforced[0] + m.Close[0]; m.Checker[0].Known() && n > 0 && m.Length > 0 {
			if e := sum.add(m); n >= rating.EnoughDecisions {
				p.ErrorEst = &e
			}
		}
		if m.Result != 0 && m.Length > 0 && m.Rating[1] > 0 {
			results = append(results, rating.Result{Opponent: m.Rating[1], Length: m.Length, Won: m.Result > 0})
		}
		if m.Plies >= 0 {
			p.lost, p.counted = m.Error[0].Or(0), m.Counted[0]
		}
		if matches++; !p.At.IsZero() {
			points = append(points, p)
		}
		return nil
	})
	if err != nil {
		return nil, Strength{}, err
	}
	slices.Reverse(points) // List yields the newest first
	trend(points)
	rep := Strength{Matches: matches, Errors: sum.estimate()}
	if iv, err := rating.FromResults(results); err == nil {
		rep.Results = &Range{iv.Estimate, iv.Low, iv.High}
	}
	return points, rep, nil
}

// trend sets PR and PRMean.
func trend(points []Point) {
	var lost float64
	counted := 0
	var window []int // the analysed points in the mean
	for i := range points {
		p := &points[i]
		if p.counted == 0 {
			continue
		}
		window = append(window, i)
		lost, counted = lost+p.lost, counted+p.counted
		if len(window) > prWindow {
			first := &points[window[0]]
			lost, counted, window = lost-first.lost, counted-first.counted, window[1:]
		}
		pr, mean := 500*p.lost/float64(p.counted), 500*lost/float64(counted)
		p.PR, p.PRMean = &pr, &mean
	}
}
