package report

import (
	"fmt"
	"math"

	"fibsbot/engine/analyse"
	"fibsbot/engine/rating"
	"fibsbot/engine/record"
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

// known is text where n of a player is above 0, and otherwise says that nothing is known.
func (r *rowMaker) known(n func(*analyse.Sums) int, text func(p int) string) func(p int) string {
	return func(p int) string {
		if n(&r.s.Players[p]) == 0 {
			return "n/a"
		}
		return text(p)
	}
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

// How many decisions of a kind, and rolls, were analysed.
func judgedPlays(x *analyse.Sums) int { return x.CountedPlays }
func judgedCubes(x *analyse.Sums) int { return x.Cubes }
func judgedRolls(x *analyse.Sums) int { return x.Rolls }
func judged(x *analyse.Sums) int      { return x.CountedPlays + x.Cubes }

// estimated is 0 where no rating is estimated from a player's errors.
func estimated(x *analyse.Sums) int {
	if x.Unforced+x.Close < rating.EnoughDecisions {
		return 0
	}
	return judged(x)
}

// kinds are the rows of checker play, cube and luck.
func (r *rowMaker) kinds() {
	s, add, group, count, known, value := r.s, r.add, r.group, r.count, r.known, r.value
	group("Checker play")
	add("Total moves", count(func(x *analyse.Sums) int { return x.Moves }))
	add("Unforced moves", count(func(x *analyse.Sums) int { return x.Unforced }))
	add("Marked very bad / bad / doubtful", func(p int) string {
		x := &s.Players[p]
		return fmt.Sprintf("%d / %d / %d", x.PlayVeryBad, x.PlayBad, x.PlayDoubtful)
	})
	add("Error, EMG (cost)", known(judgedPlays, func(p int) string { return value(minus(s.Players[p].PlayError)) }))
	add("Millipoints an unforced move", known(judgedPlays, func(p int) string { return rate(s.Players[p].Rates().Checker) }))
	add("Rating", known(judgedPlays, func(p int) string { return word(s.Players[p].Rates().Checker, s.Players[p].Unforced) }))
	group("Cube")
	add("Decisions", count(func(x *analyse.Sums) int { return x.CubeDecisions }))
	add("Close or actual decisions", count(func(x *analyse.Sums) int { return x.Close }))
	add("Doubles / takes / passes", func(p int) string {
		x := &s.Players[p]
		return fmt.Sprintf("%d / %d / %d", x.Doubles, x.Takes, x.Drops)
	})
	for kind, name := range faultNames {
		add(""+name, func(p int) string {
			f := s.Players[p].Cube[kind]
			switch {
			case f.Count == 0:
				return "0"
			case r.m.Length > 0:
				return fmt.Sprintf("%d (%.3f, %.2f%%)", f.Count, -f.Cost.EMG, -100*f.Cost.Value)
			}
			return fmt.Sprintf("%d (%.3f, %.3f)", f.Count, -f.Cost.EMG, -f.Cost.Value)
		})
	}
	add("Error, EMG (cost)", known(judgedCubes, func(p int) string { return value(minus(s.Players[p].CubeError())) }))
	add("Millipoints a decision", known(judgedCubes, func(p int) string { return rate(s.Players[p].Rates().Cube) }))
	add("Rating", known(judgedCubes, func(p int) string { return word(s.Players[p].Rates().Cube, s.Players[p].Close) }))
	group("Luck")
	add("Very lucky / lucky rolls", func(p int) string {
		x := &s.Players[p]
		return fmt.Sprintf("%d / %d", x.VeryLucky, x.Lucky)
	})
	add("Very unlucky / unlucky rolls", func(p int) string {
		x := &s.Players[p]
		return fmt.Sprintf("%d / %d", x.VeryUnlucky, x.Unlucky)
	})
	add("Luck, EMG (cost)", known(judgedRolls, func(p int) string { return value(s.Players[p].Luck) }))
	add("Millipoints a roll", known(judgedRolls, func(p int) string { return fmt.Sprintf("%+.2f", 1000*luckRate(&s.Players[p])) }))
	add("In words", known(judgedRolls, func(p int) string { return orDash(rating.LuckWord(luckRate(&s.Players[p]))) }))
}

// overall are the rows of everything together.
func (r *rowMaker) overall() {
	s, add, known := r.s, r.add, r.known
	r.group("Overall")
	add("PR (performance rating)", func(p int) string { return performance(s.Players[p].PR(), s.Players[p].Counted) })
	add("PR of checker play / cube", func(p int) string {
		x := &s.Players[p]
		return performance(x.CheckerPR(), x.CountedPlays) + " / " + performance(x.CubePR(), x.Counted-x.CountedPlays)
	})
	add("Decisions that count for PR", r.count(func(x *analyse.Sums) int { return x.Counted }))
	add("Error, EMG (cost)", known(judged, func(p int) string { return r.value(minus(s.Players[p].Error())) }))
	add("Millipoints a decision", known(judged, func(p int) string { return rate(s.Players[p].Rates().PerDecision) }))
	add("Snowie error rate", known(judged, func(p int) string { return rate(s.Snowie[p]) }))
	add("Rating", known(judged, func(p int) string {
		return word(s.Players[p].Rates().PerDecision, s.Players[p].Unforced+s.Players[p].Close)
	}))
	if r.m.Length > 0 {
		add("Actual result", func(p int) string { return plain(fmt.Sprintf("%+.2f%%", 100*s.Actual[p])) })
		add("Luck-adjusted result", known(judgedRolls, func(p int) string { return plain(fmt.Sprintf("%+.2f%%", 100*s.LuckAdjusted[p])) }))
		add("Chance against this opponent", func(p int) string { return fmt.Sprintf("%.2f%%", 100*s.Chance[p]) })
	} else {
		add("Actual result", func(p int) string { return plain(fmt.Sprintf("%+.3f", s.Actual[p])) })
		add("Luck-adjusted result", known(judgedRolls, func(p int) string { return plain(fmt.Sprintf("%+.3f", s.LuckAdjusted[p])) }))
	}
	r.perGame()
	add("Estimated FIBS rating", func(p int) string { return estimate(s.RatingByKind[p]) })
	add("Rating lost by plays / by the cube", known(estimated, func(p int) string {
		e := s.Players[p].Rates()
		plays, both := rating.LossByMoveAndCube(rating.ErrorRates{Checker: e.Checker}, r.m.Length), rating.LossByMoveAndCube(e, r.m.Length)
		return fmt.Sprintf("%.1f / %.1f", plays, both-plays)
	}))
	add("Rating by errors a decision", func(p int) string { return estimate(s.RatingByDecision[p]) })
	if chance := 0.5 + s.LuckAdjusted[0]; r.m.Length > 0 && chance > 0 && chance < 1 && judgedRolls(&s.Players[0])+judgedRolls(&s.Players[1]) > 0 {
		add("Rating difference, luck-adjusted", func(p int) string {
			return plain(fmt.Sprintf("%+.0f", rating.Difference(0.5+s.LuckAdjusted[p], r.m.Length)))
		})
	}
}

// perGame are the points of a game of money play with their 95 % confidence interval.
func (r *rowMaker) perGame() {
	if r.m.Length > 0 || len(r.s.Games) != len(r.m.Games) {
		return
	}
	actual, adjusted := r.s.GameResults(r.m, nil)
	put := func(name string, list []float64) {
		var sum, squares, n float64
		for i, v := range list {
			if r.s.Games[i].Result.Finished() {
				sum, squares, n = sum+v, squares+v*v, n+1
			}
		}
		if n < 2 {
			return // one game has no spread
		}
		mean := sum / n
		half := 1.96 * math.Sqrt(max(0, squares-n*mean*mean)/(n-1)/n)
		r.add(name, func(p int) string { return plain(fmt.Sprintf("%+.3f ±%.3f", mean*float64(1-2*p), half)) })
	}
	put("Points a game, 95% interval", actual)
	if judgedRolls(&r.s.Players[0])+judgedRolls(&r.s.Players[1]) > 0 {
		put("The same, luck-adjusted", adjusted)
	}
}

var faultNames = [...]string{
	record.MissedDoubleBelowCash: "Missed doubles below cash point",
	record.MissedDoubleAboveCash: "Missed doubles above cash point",
	record.WrongDoubleBelowDP:    "Wrong doubles below doubling point",
	record.WrongDoubleAboveTG:    "Wrong doubles above too good point",
	record.WrongTake:             "Wrong takes",
	record.WrongDrop:             "Wrong passes",
}

// signed writes an equity with three digits and no negative zero.
func signed(x float64) string {
	if x > -0.0005 && x < 0.0005 {
		return "0.000"
	}
	return fmt.Sprintf("%+.3f", x)
}

// performance writes a PR over n decisions.
func performance(pr float64, n int) string {
	if n == 0 {
		return "n/a"
	}
	return fmt.Sprintf("%.2f", pr)
}

// rate writes an error rate as the loss it is, in millipoints.
func rate(x float64) string {
	if x < 0.000005 {
		return "0.00"
	}
	return fmt.Sprintf("%.2f", -1000*x)
}

func word(rate float64, decisions int) string {
	if decisions == 0 {
		return "n/a"
	}
	return rating.Word(rate)
}

func luckRate(x *analyse.Sums) float64 {
	if x.Moves == 0 {
		return 0
	}
	return x.Luck.EMG / float64(x.Moves)
}

func estimate(r float64) string {
	if n := number(r); n != nil {
		if *n <= rating.LowestEstimate {
			return fmt.Sprintf("below %d", rating.LowestEstimate)
		}
		return fmt.Sprintf("%.0f", *n)
	}
	return "n/a"
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
