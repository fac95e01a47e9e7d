package index

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fibsbot/engine/analyse"
	"fibsbot/engine/rating"
	"fibsbot/internal/figure"
)

// Statistic is a figure of many matches, in the account's view. The list Statistics is all
// that knows the statistics: the query, tables, JSON, CSV, --sort, completion, the docs and
// the page follow from it.
type Statistic struct {
	Name  string // in JSON, CSV and --sort
	Label string // heading of its column
	Unit  string // empty for a count
	About string // one line for the docs
	// Better is 1 if higher is better, -1 if lower is, 0 for neither.
	Better int
	Print  Print
	// Core shows it on narrow screens too.
	Core bool
	// Detail leaves it out of tables for people.
	Detail bool
	// Marked names the statistic that counts the matches for which this one says little.
	Marked string
	// PerMatch reports that it says something about a single match as well.
	PerMatch bool
	// Sums are what it is made of, Of how; without Of it is the only sum.
	Sums []Sum
	Of   func(sums []Figure) Figure
	// Interval is its 95 % confidence interval over the matches, nil for a count.
	Interval func(sums []Figure) *figure.Interval
}

// Print is how a figure is written.
type Print struct {
	Digits  int  `json:"digits"`
	Signed  bool `json:"signed,omitempty"`  // + before a positive one
	Percent bool `json:"percent,omitempty"` // a share of 1
	Time    bool `json:"time,omitempty"`    // Unix seconds
	One     bool `json:"one,omitempty"`     // a figure of one match is marked
}

// WithInterval writes a figure with its interval, if it has one.
func (p Print) WithInterval(f Figure, iv *figure.Interval) string {
	switch {
	case iv != nil:
		return fmt.Sprintf("%s (%s to %s)", p.Text(f), p.Text(iv[0]), p.Text(iv[1]))
	case p.One && f.Known():
		return p.Text(f) + " (1 match)"
	}
	return p.Text(f)
}

// Text writes a figure, or "-" for an unknown one.
func (p Print) Text(f Figure) string {
	switch {
	case !f.Known():
		return "-"
	case p.Time:
		return moment(int64(f)).Format(time.DateOnly)
	case p.Percent:
		f *= 100
	}
	sign := ""
	if p.Signed {
		sign = "+"
	}
	return f.Text(fmt.Sprintf("%%%s.%df", sign, p.Digits))
}

// Sum is an aggregate over the matches of a group.
type Sum struct {
	sql     string
	columns []string // that it reads
	one     func(m *Match) Figure
	most    bool // the highest, not the sum
	// of is what made it, for other columns.
	of func(columns ...string) Sum
}

// Total sums a column of the table matches, or the product of several.
func Total(columns ...string) Sum {
	return Sum{sql: "SUM(" + strings.Join(columns, " * ") + ")", columns: columns, of: Total, one: func(m *Match) Figure {
		v := Figure(1)
		for _, c := range columns {
			v *= m.number(c)
		}
		return v
	}}
}

// known counts the matches for which a column is known.
func known(columns ...string) Sum {
	return Sum{sql: "COUNT(" + columns[0] + ")", columns: columns, of: known, one: func(m *Match) Figure { return Figure(oneIf(m.number(columns[0]).Known())) }}
}

var (
	matchCount = Sum{sql: "COUNT(*)", one: func(*Match) Figure { return 1 }}
	balance    = Total("result")
	// decided are the matches with a winner: results are 1, -1 and 0. It is quicker than CASE.
	decided = Total("result", "result")
	latest  = Sum{sql: "MAX(started)", columns: []string{"started"}, one: func(m *Match) Figure { return m.number("started") }, most: true}
)

// ratioSums are the sums of the ratio of two columns; ratioOf takes them.
func ratioSums(x, y string) []Sum {
	return []Sum{known(x), Total(x), Total(y), Total(x, x), Total(x, y), Total(y, y)}
}

func ratioOf(s []Figure) figure.Ratio {
	return figure.Ratio{N: float64(s[0]), X: float64(s[1]), Y: float64(s[2]), XX: float64(s[3]), XY: float64(s[4]), YY: float64(s[5])}
}

// meanSums are the sums of the mean of a column; meanOf takes them.
func meanSums(x string) []Sum { return []Sum{known(x), Total(x), Total(x, x)} }

func meanOf(s []Figure) figure.Ratio {
	return ratioOf([]Figure{s[0], s[1], s[0], s[2], s[1], s[0]})
}

// differenceAt is the rating difference at which a luck-adjusted result is expected; s are the
// sums of meanSums and of the lengths of the matches.
func differenceAt(s []Figure, result Figure) Figure {
	if !(result > -0.5 && result < 0.5) {
		return unknown
	}
	return Figure(rating.Difference(0.5+float64(result), int(math.Round(float64(s[3]/s[0])))))
}

// number is what the row has in a column of numbers.
func (m *Match) number(column string) Figure {
	switch v := columnOf(column).value(m).(type) {
	case *Figure:
		return *v
	case *int:
		return Figure(*v)
	case *yesNo:
		return Figure(oneIf(bool(*v)))
	case int:
		return Figure(v)
	case Figure:
		return v
	case *unixTime:
		return Figure(storedTime(time.Time(*v)))
	}
	panic("index: the column " + column + " has no number")
}

// Statistics are all there are, in the order of columns.
var Statistics = slices.Concat([]Statistic{
	{Name: "matches", Label: "Matches", Core: true, About: "matches", Sums: []Sum{matchCount}},
	{Name: "won", Label: "Won", Core: true, About: "matches won", Better: 1, Sums: []Sum{balance, decided}, Of: func(s []Figure) Figure { return (s[1] + s[0]) / 2 }},
	{Name: "lost", Label: "Lost", Core: true, About: "matches lost", Better: -1, Sums: []Sum{balance, decided}, Of: func(s []Figure) Figure { return (s[1] - s[0]) / 2 }},
	{Name: "unfinished", Label: "Open", About: "matches without a winner", Sums: []Sum{matchCount, decided}, Of: func(s []Figure) Figure { return s[0] - s[1] }},
	{Name: "win_rate", Label: "Won %", Unit: "%", About: "matches won of those with a winner; in JSON 0 to 1", Better: 1, Print: Print{Digits: 1, Percent: true}, Sums: []Sum{balance, decided}, Of: func(s []Figure) Figure {
		if s[1] == 0 {
			return unknown
		}
		return (s[1] + s[0]) / 2 / s[1]
	}, Interval: func(s []Figure) *figure.Interval { return figure.Share(float64(s[1]+s[0])/2, float64(s[1])) }},
	{Name: "points_for", Label: "Points", About: "points won", Better: 1, Sums: []Sum{Total("score_me")}},
	{Name: "points_against", Label: "Opp. points", About: "points lost", Better: -1, Sums: []Sum{Total("score_opp")}},
	{Name: "analysed", Label: "Analysed", About: "analysed matches; PR, error and luck use only these", Sums: []Sum{Total("analysed")}},
},
	bothSides(Statistic{Name: "pr", Label: "PR", Core: true, About: "performance rating", Better: -1, Print: Print{Digits: 2}, Marked: "shallow", PerMatch: true, Sums: ratioSums("error_me", "counted_me"),
		Of:       func(s []Figure) Figure { return Figure(analyse.PR(float64(s[1]), float64(s[2]))) },
		Interval: func(s []Figure) *figure.Interval { return analyse.PRInterval(ratioOf(s)) }}),
	bothSides(Statistic{Name: "error_per_decision", Label: "Error", Unit: "millipoints", About: "equity lost per decision", Better: -1, Print: Print{Digits: 2}, Marked: "shallow", PerMatch: true, Sums: []Sum{Total("error_me"), Total("decisions_me")},
		Of: func(s []Figure) Figure { return perDecision(s[0], s[1]) }}),
	bothSides(Statistic{Name: "shallow", Label: "Shallow", About: "matches whose analysis is no deeper than the player's own search while playing; errors and PR are marked with *", Better: -1, Detail: true, PerMatch: true, Sums: []Sum{Total("shallow_me"), Total("error_me")}, Of: func(s []Figure) Figure { return figure.If(s[1].Known(), float64(s[0])) }}),
	bothSides(Statistic{Name: "luck", Label: "Luck", Unit: "points", About: "equity gained by the dice", Better: 1, Print: Print{Digits: 2, Signed: true}, PerMatch: true, Sums: meanSums("luck_me"),
		Of:       func(s []Figure) Figure { return s[1] },
		Interval: func(s []Figure) *figure.Interval { return meanOf(s).Interval(float64(s[0])) }}),
	[]Statistic{
		{Name: "luck_adjusted_result", Label: "Luck-adjusted", Unit: "matches", About: "result without the luck of both sides; a win is +0.5", Better: 1, Print: Print{Digits: 3, Signed: true}, Detail: true, PerMatch: true, Sums: []Sum{Total("chance")}},
		{Name: "rating_difference", Label: "Rating difference, luck-adjusted", About: "difference in FIBS rating to the opponents at which the luck-adjusted result is expected", Better: 1, Print: Print{Signed: true, One: true}, Sums: append(meanSums("chance"), Total("chance_length")),
			Of: func(s []Figure) Figure { return differenceAt(s, s[1]/s[0]) },
			Interval: func(s []Figure) *figure.Interval {
				iv := meanOf(s).Interval(1)
				if iv != nil {
					*iv = figure.Interval{differenceAt(s, iv[0]), differenceAt(s, iv[1])}
				}
				return iv
			}},
		{Name: "last", Label: "Last", About: "start of the newest match", Print: Print{Time: true}, Detail: true, Sums: []Sum{latest}, Of: func(s []Figure) Figure {
			if s[0] == 0 {
				return unknown
			}
			return s[0]
		}},
	})

// bothSides returns a statistic of the account and the same of the opponent.
func bothSides(s Statistic) []Statistic {
	o := s
	o.Core = false
	o.Name, o.Label, o.About = "opponent_"+s.Name, "Opp. "+s.Label, "the same of the opponents"
	if o.Sums = nil; o.Marked != "" {
		o.Marked = "opponent_" + o.Marked
	}
	for _, sum := range s.Sums {
		o.Sums = append(o.Sums, sum.of(strings.Split(swapSides(strings.Join(sum.columns, " ")), " ")...))
	}
	return []Statistic{s, o}
}

// perDecision is the equity lost over n decisions in thousandths, unknown without any.
func perDecision(lost, n Figure) Figure {
	if n == 0 || !n.Known() {
		return unknown
	}
	return lost * 1000 / n
}

// StatisticOf finds a statistic by its name, or nil.
func StatisticOf(name string) *Statistic {
	for i := range Statistics {
		if Statistics[i].Name == name {
			return &Statistics[i]
		}
	}
	return nil
}

// StatisticNames lists the names of all statistics.
func StatisticNames() (out []string) {
	for i := range Statistics {
		out = append(out, Statistics[i].Name)
	}
	return out
}

func (s *Statistic) of(sum func(Sum) Figure) (Figure, *figure.Interval) {
	v := make([]Figure, len(s.Sums))
	for i := range v {
		v[i] = sum(s.Sums[i])
	}
	switch {
	case s.Of == nil:
		return v[0], nil
	case s.Interval == nil:
		return s.Of(v), nil
	}
	return s.Of(v), s.Interval(v)
}

// Match is the statistic of one match; one of errors or luck is unknown without an analysis.
func (s *Statistic) Match(m *Match) Figure {
	v, _ := s.of(func(sum Sum) Figure {
		if !m.Plies.Known() && slices.ContainsFunc(sum.columns, func(c string) bool { return columnOf(c).judged }) {
			return unknown
		}
		return sum.one(m)
	})
	return v
}

// Heading is the column heading with its unit, in capitals.
func (s *Statistic) Heading() string {
	unit := map[string]string{"millipoints": " (mp)"}[s.Unit]
	return strings.ToUpper(s.Label + unit)
}

// sums are the aggregates of all statistics, each once.
func sums() (out []Sum) {
	for i := range Statistics {
		for _, sum := range Statistics[i].Sums {
			if !slices.ContainsFunc(out, func(o Sum) bool { return o.sql == sum.sql }) {
				out = append(out, sum)
			}
		}
	}
	return out
}

// summedColumns are the columns that the statistics read.
func summedColumns() string {
	var out []string
	for _, sum := range sums() {
		for _, c := range sum.columns {
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return strings.Join(out, ", ")
}

// Stats are the statistics of the matches of a group, in the order of Statistics.
type Stats struct {
	// Key is the opponent, preset and so on that the matches have in common; empty for all.
	Key    string
	Values []Figure
	// Intervals are those of Statistics that have one, else nil.
	Intervals []*figure.Interval
}

// summed are the statistics of a group with such sums.
func summed(key string, sum func(Sum) Figure) Stats {
	s := Stats{Key: key, Values: make([]Figure, len(Statistics)), Intervals: make([]*figure.Interval, len(Statistics))}
	for i := range Statistics {
		s.Values[i], s.Intervals[i] = Statistics[i].of(sum)
	}
	return s
}

// Get returns a statistic by its name; unknown if there is no such statistic.
func (s *Stats) Get(name string) Figure {
	for i := range Statistics {
		if Statistics[i].Name == name && i < len(s.Values) {
			return s.Values[i]
		}
	}
	return unknown
}

// MarshalJSON implements json.Marshaler.
func (s Stats) MarshalJSON() ([]byte, error) {
	key, err := json.Marshal(s.Key)
	if err != nil {
		return nil, err
	}
	out := append([]byte(`{"key":`), key...)
	for i, v := range s.Values {
		var x any = v
		if Statistics[i].Print.Time && v.Known() {
			x = moment(int64(v))
		}
		value, err := json.Marshal(x)
		if err != nil {
			return nil, err
		}
		out = fmt.Appendf(out, ",%q:%s", Statistics[i].Name, value)
		if Statistics[i].Interval != nil {
			if value, err = json.Marshal(s.Intervals[i]); err != nil {
				return nil, err
			}
			out = fmt.Appendf(out, ",%q:%s", Statistics[i].Name+"_interval", value)
		}
	}
	return append(out, '}'), nil
}
