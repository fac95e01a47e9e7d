package report

import (
	"fmt"
	"math"

	"fibsbot/engine/analyse"
	"fibsbot/engine/rating"
	"fibsbot/engine/record"
	"fibsbot/internal/figure"
)

// row is one line of the summary, or with Group the heading of some.
type row struct {
	Group  bool
	Name   string
	Values [2]string
}

// summaryRows is the summary in the order in which GNU Backgammon prints it. Both
// the text and the page are made of it.
func summaryRows(m *record.Match, s *analyse.Summary) []row {
	r := &rowMaker{m: m, s: s}
	r.kinds()
	r.overall()
	return r.rows
}

// rowMaker makes the rows of a summary.
type rowMaker struct {
	m    *record.Match
	s    *analyse.Summary
	rows []row
}

func (r *rowMaker) add(name string, value func(p int) string) {
	r.rows = append(r.rows, row{Name: name, Values: [2]string{value(0), value(1)}})
}

func (r *rowMaker) group(name string) { r.rows = append(r.rows, row{Group: true, Name: name}) }

// known is text for players of whom what asks for is known, and "n/a" for others.
func (r *rowMaker) known(what func(*analyse.Sums) bool, text func(p int) string) func(p int) string {
	return func(p int) string {
		if !what(&r.s.Players[p]) {
			return unknown
		}
		return text(p)
	}
}

// unknown stands where nothing was measured.
const unknown = "n/a"

// orUnknown writes a figure, or says that it is not known where it is NaN.
func orUnknown(x float64, text func(float64) string) string {
	if math.IsNaN(x) {
		return unknown
	}
	return text(x)
}

func (r *rowMaker) count(f func(*analyse.Sums) int) func(int) string {
	return func(p int) string { return fmt.Sprint(f(&r.s.Players[p])) }
}

// value writes a cost in both units.
func (r *rowMaker) value(c record.Cost) string {
	if r.m.Length > 0 {
		return fmt.Sprintf("%s (%s%%)", signed(c.EMG), signed(100*c.Value))
	}
	return fmt.Sprintf("%s (%s)", signed(c.EMG), signed(c.Value))
}

func minus(c record.Cost) record.Cost { return record.Cost{EMG: -c.EMG, Value: -c.Value} }

// kinds are the rows of checker play, cube and luck.
func (r *rowMaker) kinds() {
	s, add, group, count, known, value := r.s, r.add, r.group, r.count, r.known, r.value
	group("Checker play")
	add("Total moves", count(func(x *analyse.Sums) int { return x.Moves }))
	add("Unforced moves", count(func(x *analyse.Sums) int { return x.Unforced }))
	add("Marked very bad / bad / doubtful", known((*analyse.Sums).PlaysKnown, func(p int) string {
		x := &s.Players[p]
		return fmt.Sprintf("%d / %d / %d", x.PlayVeryBad, x.PlayBad, x.PlayDoubtful)
	}))
	add("Error, EMG (cost)", known((*analyse.Sums).PlaysKnown, func(p int) string { return value(minus(s.Players[p].PlayError)) }))
	add("Millipoints an unforced move", func(p int) string { return rate(s.Players[p].Rates().Checker) })
	add("Rating (gnubg's words)", func(p int) string { return orUnknown(s.Players[p].Rates().Checker, rating.Word) })
	group("Cube")
	add("Decisions", count(func(x *analyse.Sums) int { return x.CubeDecisions }))
	add("Close or actual decisions", count(func(x *analyse.Sums) int { return x.Close }))
	add("Doubles / takes / passes", func(p int) string {
		x := &s.Players[p]
		return fmt.Sprintf("%d / %d / %d", x.Doubles, x.Takes, x.Drops)
	})
	for kind, name := range faultNames {
		add(name, known((*analyse.Sums).CubeKnown, func(p int) string {
			f := s.Players[p].Cube[kind]
			switch {
			case f.Count == 0:
				return "0"
			case r.m.Length > 0:
				return fmt.Sprintf("%d (%s, %s)", f.Count, figure.Text("%.3f", -f.Cost.EMG), figure.Text("%.2f%%", -100*f.Cost.Value))
			}
			return fmt.Sprintf("%d (%s, %s)", f.Count, figure.Text("%.3f", -f.Cost.EMG), figure.Text("%.3f", -f.Cost.Value))
		}))
	}
	add("Error, EMG (cost)", known((*analyse.Sums).CubeKnown, func(p int) string { return value(minus(s.Players[p].CubeError())) }))
	add("Millipoints a decision", func(p int) string { return rate(s.Players[p].Rates().Cube) })
	add("Rating (gnubg's words)", func(p int) string { return orUnknown(s.Players[p].Rates().Cube, rating.Word) })
	for i := range s.Games {
		if s.Games[i].Resignation == nil {
			continue
		}
		group("Resignations")
		add("Too early or accepted too cheaply", func(p int) string { return fmt.Sprint(s.Players[p].Resignations.Count) })
		add("Error, EMG (cost)", func(p int) string { return value(minus(s.Players[p].Resignations.Cost)) })
		break
	}
	group("Luck")
	add("Very lucky / lucky rolls", known((*analyse.Sums).LuckKnown, func(p int) string {
		x := &s.Players[p]
		return fmt.Sprintf("%d / %d", x.VeryLucky, x.Lucky)
	}))
	add("Very unlucky / unlucky rolls", known((*analyse.Sums).LuckKnown, func(p int) string {
		x := &s.Players[p]
		return fmt.Sprintf("%d / %d", x.VeryUnlucky, x.Unlucky)
	}))
	add("Luck, EMG (cost)", known((*analyse.Sums).LuckKnown, func(p int) string { return value(s.Players[p].Luck) }))
	add("Millipoints a roll", func(p int) string {
		return orUnknown(s.Players[p].LuckRate(), func(v float64) string { return figure.Signed(1000*v, 2) })
	})
	add("In words", func(p int) string {
		return orUnknown(s.Players[p].LuckRate(), func(v float64) string { return orDash(rating.LuckWord(v)) })
	})
}

// overall are the rows of everything together.
func (r *rowMaker) overall() {
	s, add, known := r.s, r.add, r.known
	r.group("Overall")
	add("PR (performance rating)", func(p int) string { return performance(s.Players[p].PR()) })
	add("PR of checker play", func(p int) string { return performance(s.Players[p].CheckerPR()) })
	add("PR of the cube", func(p int) string { return performance(s.Players[p].CubePR()) })
	add("Level by PR (XG's words)", func(p int) string { return orUnknown(s.Players[p].PR(), rating.PRWord) })
	add("Decisions that count for PR", r.count(func(x *analyse.Sums) int { return x.Counted }))
	add("Error, EMG (cost)", known((*analyse.Sums).Known, func(p int) string { return r.value(minus(s.Players[p].Error())) }))
	add("Millipoints a decision", func(p int) string { return rate(s.Players[p].Rates().PerDecision) })
	add("Snowie error rate", func(p int) string { return rate(s.Snowie[p]) })
	add("Rating (gnubg's words)", func(p int) string { return orUnknown(s.Players[p].Rates().PerDecision, rating.Word) })
	result := func(v float64) string {
		return orUnknown(v, signed)
	}
	if r.m.Length > 0 {
		result = func(v float64) string {
			return orUnknown(v, func(v float64) string { return figure.Signed(100*v, 2) + "%" })
		}
	}
	add("Actual result", func(p int) string { return result(s.Actual[p]) })
	add("Luck-adjusted result", func(p int) string { return result(s.LuckAdjusted[p]) })
	if r.m.Length == 0 {
		r.perGame()
		return // the models of ratings are of matches
	}
	add("Chance against this opponent", func(p int) string {
		return orUnknown(s.Chance[p], func(v float64) string { return fmt.Sprintf("%.2f%%", 100*v) })
	})
	add("Estimated FIBS rating", func(p int) string { return estimate(s.RatingByKind[p]) })
	add("Rating lost by plays / by the cube", func(p int) string {
		lost := lostRating(r.m, s, p)
		return orUnknown(lost[0], func(v float64) string { return figure.Text("%.1f", v) + " / " + figure.Text("%.1f", lost[1]) })
	})
	add("Rating by errors a decision", func(p int) string { return estimate(s.RatingByDecision[p]) })
	add("Rating difference, luck-adjusted", func(p int) string {
		return orUnknown(ratingDifference(r.m, s, p), func(v float64) string { return figure.Signed(v, 0) })
	})
}

// lostRating is what a player's rating estimate lacks of a perfect player's for plays and
// for the cube; NaN where there is no estimate.
func lostRating(m *record.Match, s *analyse.Summary, p int) [2]float64 {
	if math.IsNaN(s.RatingByKind[p]) {
		return [2]float64{math.NaN(), math.NaN()}
	}
	e := s.Players[p].KindRates()
	plays, both := rating.LossByMoveAndCube(rating.ErrorRates{Checker: e.Checker}, m.Length), rating.LossByMoveAndCube(e, m.Length)
	return [2]float64{plays, both - plays}
}

// ratingDifference is the rating difference to the opponent at which the luck-adjusted
// result of a match is expected, or NaN if no difference gives it.
func ratingDifference(m *record.Match, s *analyse.Summary, p int) float64 {
	chance := 0.5 + s.LuckAdjusted[p]
	if m.Length == 0 || !(chance > 0 && chance < 1) {
		return math.NaN()
	}
	return rating.Difference(chance, m.Length)
}

// perGame adds the points of a game of money play with their 95 % confidence interval.
func (r *rowMaker) perGame() {
	actual, adjusted := perGame(r.m, r.s)
	put := func(name string, v *spread) {
		if v != nil {
			r.add(name, func(p int) string { return fmt.Sprintf("%s ±%.3f", signed(v.of(p).Mean), v.half) })
		}
	}
	put("Points a game, 95% interval", actual)
	put("The same, luck-adjusted", adjusted)
}

// spread is player 0's mean result of a game with half its 95 % confidence interval.
type spread struct{ mean, half float64 }

// of is the interval of a player, or nil without one.
func (v *spread) of(p int) *Interval {
	if v == nil {
		return nil
	}
	return &Interval{Mean: round(v.mean*float64(1-2*p), 6), Half: round(v.half, 6)}
}

// perGame are the results of a game of money play, as they were and less the luck; nil in
// a match, below two finished games and where the luck of a game is not known.
func perGame(m *record.Match, s *analyse.Summary) (actual, adjusted *spread) {
	if m.Length > 0 || len(s.Games) != len(m.Games) {
		return nil, nil
	}
	of := func(list []float64) *spread {
		var sum, squares, n float64
		for i, v := range list {
			if s.Games[i].Result.Finished() {
				sum, squares, n = sum+v, squares+v*v, n+1
			}
		}
		if n < 2 || math.IsNaN(sum) {
			return nil // one game has no spread
		}
		mean := sum / n
		return &spread{mean: mean, half: 1.96 * math.Sqrt(max(0, squares-n*mean*mean)/(n-1)/n)}
	}
	list, without := s.GameResults(m, nil)
	return of(list), of(without)
}

var faultNames = [...]string{
	record.MissedDoubleBelowCash: "Missed doubles below cash point",
	record.MissedDoubleAboveCash: "Missed doubles above cash point",
	record.WrongDoubleBelowDP:    "Wrong doubles below doubling point",
	record.WrongDoubleAboveTG:    "Wrong doubles above too good point",
	record.WrongTake:             "Wrong takes",
	record.WrongDrop:             "Wrong passes",
}

// signed writes an equity with three decimals.
func signed(x float64) string { return figure.Signed(x, 3) }

// performance writes a PR.
func performance(pr float64) string {
	return orUnknown(pr, func(v float64) string { return fmt.Sprintf("%.2f", v) })
}

// rate writes an error rate as the loss it is, in millipoints.
func rate(x float64) string {
	return orUnknown(x, func(v float64) string { return figure.Text("%.2f", -1000*v) })
}

// estimate writes a rating estimate.
func estimate(r float64) string {
	return orUnknown(r, func(v float64) string {
		if v <= rating.LowestEstimate {
			return fmt.Sprintf("below %d", rating.LowestEstimate)
		}
		return fmt.Sprintf("%.0f", v)
	})
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
