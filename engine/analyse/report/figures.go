package report

import (
	"cmp"
	"fmt"
	"math"

	"fibsbot/engine/analyse"
	"fibsbot/engine/rating"
	"fibsbot/engine/record"
	"fibsbot/internal/figure"
	"fibsbot/internal/texts"
)

// row is one line of the summary, or with Group the heading of some.
type row struct {
	Group  bool
	Name   string
	Values [2]string
}

// summaryRows is the summary in the order in which GNU Backgammon prints it. Both
// the text and the page are made of it.
func summaryRows(m *record.Match, s *analyse.Summary, c *texts.Catalogue) []row {
	r := &rowMaker{m: m, s: s, c: c}
	r.kinds()
	r.overall()
	return r.rows
}

// rowMaker makes the rows of a summary.
type rowMaker struct {
	m    *record.Match
	s    *analyse.Summary
	c    *texts.Catalogue
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
			return r.c.T(unknown)
		}
		return text(p)
	}
}

// unknown stands where nothing was measured.
var unknown = texts.Key("n/a")

// orUnknown writes a figure as c does, or says that it is not known where it is NaN.
func orUnknown(c *texts.Catalogue, x float64, text func(float64) string) string {
	if math.IsNaN(x) {
		return c.T(unknown)
	}
	return c.Number(text(x))
}

// word is the word of a figure, or says that it is not known.
func wordOrUnknown(c *texts.Catalogue, x float64, word func(float64) string) string {
	return orUnknown(c, x, func(v float64) string { return c.Phrase(word(v)) })
}

func (r *rowMaker) of(f func(*analyse.Sums) string) func(int) string {
	return func(p int) string { return f(&r.s.Players[p]) }
}

func (r *rowMaker) count(f func(*analyse.Sums) int) func(int) string {
	return r.of(func(x *analyse.Sums) string { return fmt.Sprint(f(x)) })
}

// value writes a cost in both units.
func (r *rowMaker) value(c record.Cost) string {
	if r.m.Length > 0 {
		return r.c.Format("%s (%s%%)", signed(c.EMG), signed(100*c.Value))
	}
	return r.c.Format("%s (%s)", signed(c.EMG), signed(c.Value))
}

func minus(c record.Cost) record.Cost { return record.Cost{EMG: -c.EMG, Value: -c.Value} }

// kinds are the rows of checker play, cube and luck.
func (r *rowMaker) kinds() {
	s, add, group, count, known, value := r.s, r.add, r.group, r.count, r.known, r.value
	group(r.c.T("Checker play"))
	add(r.c.T("Total moves"), count(func(x *analyse.Sums) int { return x.Moves }))
	add(r.c.T("Unforced moves"), count(func(x *analyse.Sums) int { return x.Unforced }))
	add(r.c.T("Marked very bad / bad / doubtful"), known((*analyse.Sums).PlaysKnown, r.of(func(x *analyse.Sums) string {
		return fmt.Sprintf("%d / %d / %d", x.PlayVeryBad, x.PlayBad, x.PlayDoubtful)
	})))
	add(r.c.T("Error, EMG (cost)"), known((*analyse.Sums).PlaysKnown, func(p int) string { return value(minus(s.Players[p].PlayError)) }))
	add(r.c.T("Millipoints an unforced move"), func(p int) string { return rate(r.c, s.Players[p].Rates().Checker) })
	add(r.c.T("Rating (gnubg's words)"), func(p int) string { return wordOrUnknown(r.c, s.Players[p].Rates().Checker, rating.Word) })
	group(r.c.T("Cube"))
	add(r.c.T("Decisions"), count(func(x *analyse.Sums) int { return x.CubeDecisions }))
	add(r.c.T("Close or actual decisions"), known((*analyse.Sums).CloseKnown, count(func(x *analyse.Sums) int { return x.Close })))
	add(r.c.T("Doubles / takes / passes"), r.of(func(x *analyse.Sums) string { return fmt.Sprintf("%d / %d / %d", x.Doubles, x.Takes, x.Drops) }))
	for kind, name := range faultNames {
		add(r.c.Phrase(name), known((*analyse.Sums).CubeKnown, func(p int) string {
			f := s.Players[p].Cube[kind]
			switch {
			case f.Count == 0:
				return "0"
			case r.m.Length > 0:
				return r.c.Format("%d (%s, %s)", f.Count, figure.Text("%.3f", -f.Cost.EMG), figure.Text("%.2f%%", -100*f.Cost.Value))
			}
			return r.c.Format("%d (%s, %s)", f.Count, figure.Text("%.3f", -f.Cost.EMG), figure.Text("%.3f", -f.Cost.Value))
		}))
	}
	add(r.c.T("Error, EMG (cost)"), known((*analyse.Sums).CubeKnown, func(p int) string { return value(minus(s.Players[p].CubeError())) }))
	add(r.c.T("Millipoints a decision"), func(p int) string { return rate(r.c, s.Players[p].Rates().Cube) })
	add(r.c.T("Rating (gnubg's words)"), func(p int) string { return wordOrUnknown(r.c, s.Players[p].Rates().Cube, rating.Word) })
	for i := range s.Games {
		if s.Games[i].Resignation == nil {
			continue
		}
		group(r.c.T("Resignations"))
		add(r.c.T("Too early or accepted too cheaply"), func(p int) string { return fmt.Sprint(s.Players[p].Resignations.Count) })
		add(r.c.T("Error, EMG (cost)"), func(p int) string { return value(minus(s.Players[p].Resignations.Cost)) })
		break
	}
	group(r.c.T("Luck"))
	add(r.c.T("Very lucky / lucky rolls"), known((*analyse.Sums).LuckKnown, r.of(func(x *analyse.Sums) string { return fmt.Sprintf("%d / %d", x.VeryLucky, x.Lucky) })))
	add(r.c.T("Very unlucky / unlucky rolls"), known((*analyse.Sums).LuckKnown, r.of(func(x *analyse.Sums) string { return fmt.Sprintf("%d / %d", x.VeryUnlucky, x.Unlucky) })))
	add(r.c.T("Luck, EMG (cost)"), known((*analyse.Sums).LuckKnown, func(p int) string { return value(s.Players[p].Luck) }))
	add(r.c.T("Millipoints a roll"), func(p int) string {
		return orUnknown(r.c, s.Players[p].LuckRate(), func(v float64) string { return figure.Signed(1000*v, 2) })
	})
	add(r.c.T("In words"), func(p int) string {
		return wordOrUnknown(r.c, s.Players[p].LuckRate(), func(v float64) string { return cmp.Or(rating.LuckWord(v), "-") })
	})
}

// overall are the rows of everything together.
func (r *rowMaker) overall() {
	s, add, known := r.s, r.add, r.known
	r.group(r.c.T("Overall"))
	add(r.c.T("PR (performance rating)"), func(p int) string { return performance(r.c, s.Players[p].PR()) })
	add(r.c.T("PR of checker play"), func(p int) string { return performance(r.c, s.Players[p].CheckerPR()) })
	add(r.c.T("PR of the cube"), func(p int) string { return performance(r.c, s.Players[p].CubePR()) })
	add(r.c.T("Level by PR (XG's words)"), func(p int) string { return wordOrUnknown(r.c, s.Players[p].Graded(s.Players[p].PR()), rating.PRWord) })
	add(r.c.T("Decisions that count for PR"), r.count(func(x *analyse.Sums) int { return x.Counted }))
	add(r.c.T("Error, EMG (cost)"), known((*analyse.Sums).Known, func(p int) string { return r.value(minus(s.Players[p].Error())) }))
	add(r.c.T("Millipoints a decision"), func(p int) string { return rate(r.c, s.Players[p].Rates().PerDecision) })
	add(r.c.T("Snowie error rate"), func(p int) string { return rate(r.c, s.Snowie[p]) })
	add(r.c.T("Rating (gnubg's words)"), func(p int) string {
		return wordOrUnknown(r.c, s.Players[p].Graded(s.Players[p].Rates().PerDecision), rating.Word)
	})
	result := func(v float64) string {
		return orUnknown(r.c, v, signed)
	}
	if r.m.Length > 0 {
		result = func(v float64) string {
			return orUnknown(r.c, v, func(v float64) string { return figure.Signed(100*v, 2) + "%" })
		}
	}
	add(r.c.T("Actual result"), func(p int) string { return result(s.Actual[p]) })
	add(r.c.T("Luck-adjusted result"), func(p int) string { return result(s.LuckAdjusted[p]) })
	if r.m.Length == 0 {
		r.perGame()
		return // the models of ratings are of matches
	}
	add(r.c.T("Chance against this opponent"), func(p int) string {
		return orUnknown(r.c, s.Chance[p], func(v float64) string { return fmt.Sprintf("%.2f%%", 100*v) })
	})
	add(r.c.T("Estimated FIBS rating"), func(p int) string { return estimate(r.c, s.RatingByKind[p]) })
	add(r.c.T("Rating lost by plays / by the cube"), func(p int) string {
		lost := lostRating(r.m, s, p)
		return orUnknown(r.c, lost[0], func(v float64) string { return figure.Text("%.1f", v) + " / " + figure.Text("%.1f", lost[1]) })
	})
	add(r.c.T("Rating by errors a decision"), func(p int) string { return estimate(r.c, s.RatingByDecision[p]) })
	add(r.c.T("Rating difference, luck-adjusted"), func(p int) string {
		return orUnknown(r.c, ratingDifference(r.m, s, p), func(v float64) string { return figure.Signed(v, 0) + " (" + r.c.T("1 match") + ")" })
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
			r.add(name, func(p int) string { return r.c.Format("%s ±%.3f", signed(v.of(p).Mean), v.half) })
		}
	}
	put(r.c.T("Points a game, 95% interval"), actual)
	put(r.c.T("The same, luck-adjusted"), adjusted)
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
		var r figure.Ratio
		for i, v := range list {
			if s.Games[i].Result.Finished() {
				r.Add(v, 1)
			}
		}
		iv := r.Interval(1)
		if iv == nil {
			return nil // one game has no spread
		}
		return &spread{mean: float64(iv[0]+iv[1]) / 2, half: float64(iv[1]-iv[0]) / 2}
	}
	list, without := s.GameResults(m, nil)
	return of(list), of(without)
}

var faultNames = [...]string{
	record.MissedDoubleBelowCash: texts.Key("Missed doubles below cash point"),
	record.MissedDoubleAboveCash: texts.Key("Missed doubles above cash point"),
	record.WrongDoubleBelowDP:    texts.Key("Wrong doubles below doubling point"),
	record.WrongDoubleAboveTG:    texts.Key("Wrong doubles above too good point"),
	record.WrongTake:             texts.Key("Wrong takes"),
	record.WrongDrop:             texts.Key("Wrong passes"),
}

// signed writes an equity with three decimals.
func signed(x float64) string { return figure.Signed(x, 3) }

// performance writes a PR.
func performance(c *texts.Catalogue, pr float64) string {
	return orUnknown(c, pr, func(v float64) string { return fmt.Sprintf("%.2f", v) })
}

// rate writes an error rate as the loss it is, in millipoints.
func rate(c *texts.Catalogue, x float64) string {
	return orUnknown(c, x, func(v float64) string { return figure.Text("%.2f", -1000*v) })
}

// estimate writes a rating estimate.
func estimate(c *texts.Catalogue, r float64) string {
	return orUnknown(c, r, func(v float64) string {
		if v <= rating.LowestEstimate {
			return c.T("below {0}", rating.LowestEstimate)
		}
		return fmt.Sprintf("%.0f", v)
	})
}
