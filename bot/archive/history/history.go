// Package history computes an account's strength over time from the matches of an archive:
// the rating after each match, estimates from results and errors, and charts.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package history

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/analyse"
	"fibsbot/engine/rating"
	"fibsbot/internal/figure"
)

// Point is a match of the rating history.
type Point struct {
	At       time.Time    `json:"at"`
	Opponent string       `json:"opponent"`
	Length   int          `json:"length"`
	Result   int          `json:"result"`
	Rating   index.Figure `json:"rating"` // after the match, else before it
	ErrorEst index.Figure `json:"rating_by_errors"`
	// PR is the performance rating of the match, PRMean that over the last prWindow matches.
	PR     index.Figure `json:"pr"`
	PRMean index.Figure `json:"pr_mean"`
	// Shallow is that of the account, see index.Match; MeanShallow says that a match of PRMean
	// has it.
	Shallow     bool `json:"shallow,omitempty"`
	MeanShallow bool `json:"mean_shallow,omitempty"`

	sums []fraction // by line
}

// fraction is what a match adds to a moving mean.
type fraction struct {
	sum, n  index.Figure
	shallow bool // see index.Match
}

// prWindow is the number of matches in the moving mean of PR.
const prWindow = 20

// Strength is the estimate from all matches of the history.
type Strength struct {
	Matches int              `json:"matches"`
	Results *rating.Interval `json:"strength_by_results"`
	Errors  index.Figure     `json:"strength_by_errors"`
	// Shallow counts the matches of Errors that are, see index.Match.
	Shallow int `json:"shallow"`
}

// errorSums sum the errors of analysed matches.
type errorSums struct{ checker, cube, unforced, close, matches, length float64 }

// add counts a match and returns the rating estimated from its errors.
func (s *errorSums) add(m *index.Match) float64 {
	one := errorSums{m.Checker[0].Or(0), m.Cube[0].Or(0), m.Unforced[0].Or(0), m.Close[0].Or(0), 1, float64(m.Length)}
	*s = errorSums{s.checker + one.checker, s.cube + one.cube, s.unforced + one.unforced, s.close + one.close, s.matches + 1, s.length + one.length}
	return float64(one.estimate())
}

// estimate returns the rating estimated from all errors at the mean length.
func (s *errorSums) estimate() index.Figure {
	if s.matches == 0 {
		return figure.Unknown
	}
	return index.Figure(rating.Estimate(rating.ErrorRates{Checker: s.checker / math.Max(1, s.unforced), Cube: s.cube / math.Max(1, s.close)},
		int(math.Round(s.length/s.matches))))
}

// chartLines are the moving means of a player's matches: scale times the sum of sums over that of n.
var chartLines = []struct {
	name  string
	scale index.Figure
	of    func(m *index.Match) fraction
}{
	{"pr", analyse.PRFactor, func(m *index.Match) fraction { return fraction{m.Error[0], m.Counted[0], m.Shallow[0]} }},
	{"opponent_pr", analyse.PRFactor, func(m *index.Match) fraction { return fraction{m.Error[1], m.Counted[1], m.Shallow[1]} }},
	{"checker_pr", analyse.PRFactor, func(m *index.Match) fraction { return fraction{m.Checker[0], m.Unforced[0], m.Shallow[0]} }},
	{"cube_pr", analyse.PRFactor, func(m *index.Match) fraction { return fraction{m.Cube[0], m.Counted[0] - m.Unforced[0], m.Shallow[0]} }},
	{"luck", 1, func(m *index.Match) fraction { return fraction{sum: m.Luck[0] - m.Luck[1], n: 1} }},
	{"not_doubling", 1, cubeLoss("missed double", "missed cash")},
	{"doubling", 1, cubeLoss("wrong double", "doubled too good")},
	{"answering", 1, cubeLoss("wrong take", "wrong pass")},
}

// cubeLoss is what the account gave up in a match by such errors.
func cubeLoss(faults ...string) func(m *index.Match) fraction {
	return func(m *index.Match) fraction {
		p := fraction{figure.If(m.Cube[0].Known(), 0), 1, m.Shallow[0]}
		for _, s := range m.Splits {
			if s.By == "cube" && s.Side == 0 && slices.Contains(faults, s.Name) {
				p.sum += index.Figure(s.Error)
			}
		}
		return p
	}
}

// moving returns the mean of line k at each match over the last span matches that have one;
// unknown at a match that has none. shallow reports for each whether a match of it is.
func moving(points []Point, k, span int) (out []index.Figure, shallow []bool) {
	out, shallow = make([]index.Figure, len(points)), make([]bool, len(points))
	var window []fraction
	for i := range points {
		p := points[i].sums[k]
		if out[i] = figure.Unknown; !p.sum.Known() || !(p.n > 0) {
			continue
		}
		if window = append(window, p); len(window) > span {
			window = window[1:]
		}
		// Sums that matches leave again would end at -6e-15 where no error is.
		var sum fraction
		for _, p := range window {
			sum.sum, sum.n, shallow[i] = sum.sum+p.sum, sum.n+p.n, shallow[i] || p.shallow
		}
		out[i] = chartLines[k].scale * sum.sum / sum.n
	}
	return out, shallow
}

// Ratings returns the matches that fit and have a day, oldest first, and the strength that all
// of them show.
func Ratings(ctx context.Context, db *index.DB, filter index.Filter) ([]Point, Strength, error) {
	var points []Point
	var results []rating.Result
	var sum errorSums
	var rep Strength
	err := db.List(ctx, filter, func(m *index.Match) error {
		p := point(m)
		if n := m.Unforced[0] + m.Close[0]; m.Checker[0].Known() && n > 0 && m.Length > 0 {
			if m.Shallow[0] {
				rep.Shallow++
			}
			if e := sum.add(m); n >= rating.EnoughDecisions {
				p.ErrorEst = index.Figure(e)
			}
		}
		if m.Result != 0 && m.Length > 0 && m.Rating[1].Known() {
			results = append(results, rating.Result{Opponent: float64(m.Rating[1]), Length: m.Length, Won: m.Result > 0})
		}
		if rep.Matches++; !p.At.IsZero() {
			points = append(points, p)
		}
		return nil
	})
	if err != nil {
		return nil, Strength{}, err
	}
	slices.Reverse(points) // List yields the newest first
	setMeans(points)
	rep.Errors = sum.estimate()
	if iv, err := rating.FromResults(results); err == nil {
		rep.Results = &iv
	}
	return points, rep, nil
}

func point(m *index.Match) Point {
	p := Point{At: m.Started, Opponent: m.Opponent, Length: m.Length, Result: m.Result, Shallow: m.Shallow[0], Rating: index.Figure(m.RatingAfter[0].Or(float64(m.Rating[0]))), ErrorEst: figure.Unknown}
	for k := range chartLines {
		p.sums = append(p.sums, chartLines[k].of(m))
	}
	return p
}

// setMeans sets PR, PRMean and MeanShallow.
func setMeans(points []Point) {
	each, _ := moving(points, 0, 1)
	mean, shallow := moving(points, 0, prWindow)
	for i := range points {
		points[i].PR, points[i].PRMean, points[i].MeanShallow = each[i], mean[i], shallow[i]
	}
}

// Trends are lines over the matches of a player that have a day, oldest first, for charts.
type Trends struct {
	// Account is whose matches they are, if they are of one account.
	Account string    `json:"account,omitempty"`
	First   time.Time `json:"first,omitzero"`
	Last    time.Time `json:"last,omitzero"`
	// Span is the number of matches in each mean.
	Span int `json:"span"`
	// Lines are means over Span matches, and at each match the rating and the wins less losses
	// so far (balance).
	Lines map[string][]index.Figure `json:"lines"`
	// Shallow names the lines that a match with an analysis no deeper than the player's own
	// search has part in.
	Shallow []string `json:"shallow"`
	// Splits are the sums by phase, plan and cube error.
	Splits   map[string][]index.SplitStats `json:"splits"`
	Headline Headline                      `json:"headline"`
}

// Headline says how a player does in a few figures.
type Headline struct {
	Matches  int `json:"matches"`
	Analysed int `json:"analysed"`
	Undated  int `json:"undated"` // those of them whose day is not known
	// PR is that of all matches, with its 95 % interval, and Level its word, empty unless plays and
	// cube decisions were analysed.
	PR       index.Figure     `json:"pr"`
	Interval *figure.Interval `json:"pr_interval"`
	Level    string           `json:"level,omitempty"`
	// Luck is the luck less that of the opponent, in points per analysed match.
	Luck index.Figure `json:"luck"`
	// Recent is the PR of the newest Window analysed matches with a day, Before that of as many
	// before them; both unknown with less than leastWindow of each.
	Recent index.Figure `json:"recent_pr"`
	Before index.Figure `json:"before_pr"`
	Window int          `json:"window"`
}

// Bounds of Headline.Window.
const leastWindow, mostWindow = 3, 10

// headlineOf sums up the matches that fit, of which points have a day, oldest first.
func headlineOf(ctx context.Context, db *index.DB, filter index.Filter, points []Point) (h Headline, err error) {
	h = Headline{PR: figure.Unknown, Luck: figure.Unknown, Recent: figure.Unknown, Before: figure.Unknown}
	var plays, cubes float64
	if err := db.List(ctx, filter, func(m *index.Match) error {
		if h.Matches++; m.Plies.Known() {
			h.Analysed++
			h.Undated += map[bool]int{true: 1}[m.Started.IsZero()]
			plays, cubes = plays+m.Unforced[0].Or(0), cubes+m.Counted[0].Or(0)-m.Unforced[0].Or(0)
		}
		return nil
	}); err != nil || h.Analysed == 0 {
		return h, err
	}
	sums, err := db.Stats(ctx, filter, "")
	if err != nil || len(sums) == 0 {
		return h, err
	}
	h.PR, h.Interval = sums[0].Get("pr"), sums[0].Interval("pr")
	h.Luck = (sums[0].Get("luck") - sums[0].Get("opponent_luck")) / index.Figure(h.Analysed)
	if h.PR.Known() && plays > 0 && cubes > 0 {
		h.Level = rating.PRWord(float64(h.PR))
	}
	judged := slices.DeleteFunc(slices.Clone(points), func(p Point) bool { return !p.sums[0].sum.Known() || !(p.sums[0].n > 0) })
	if h.Window = min(mostWindow, len(judged)/2); h.Window < leastWindow {
		return h, nil
	}
	means, _ := moving(judged, 0, h.Window)
	h.Recent, h.Before = means[len(means)-1], means[len(means)-1-h.Window]
	return h, nil
}

// smoothed is how many means over separate matches a line of Trends has at least.
const smoothed = 25

// TrendsOf returns the trends of the matches that fit.
func TrendsOf(ctx context.Context, db *index.DB, filter index.Filter) (Trends, error) {
	out := Trends{Lines: map[string][]index.Figure{}, Shallow: []string{}, Splits: map[string][]index.SplitStats{}}
	var points []Point
	accounts := map[string]string{}
	err := db.List(ctx, filter, func(m *index.Match) error {
		if accounts[strings.ToLower(m.Account)] = m.Account; !m.Started.IsZero() {
			points = append(points, point(m))
		}
		return nil
	})
	if err != nil {
		return out, err
	}
	slices.Reverse(points)
	if len(accounts) == 1 {
		for _, out.Account = range accounts {
		}
	}
	if n := len(points); n > 0 {
		out.First, out.Last = points[0].At, points[n-1].At
	}
	out.Span = max(1, int(math.Round(float64(len(points))/smoothed)))
	for k := range chartLines {
		var shallow []bool
		if out.Lines[chartLines[k].name], shallow = moving(points, k, out.Span); slices.Contains(shallow, true) {
			out.Shallow = append(out.Shallow, chartLines[k].name)
		}
	}
	balance := index.Figure(0)
	for i := range points {
		balance += index.Figure(points[i].Result)
		out.Lines["balance"], out.Lines["rating"] = append(out.Lines["balance"], balance), append(out.Lines["rating"], points[i].Rating)
	}
	if out.Headline, err = headlineOf(ctx, db, filter, points); err != nil {
		return out, err
	}
	for _, by := range index.SplitBy {
		if out.Splits[by], err = db.Splits(ctx, filter, by); err != nil {
			return out, err
		}
	}
	return out, nil
}
