package index

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
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
	// X, and Y if it is a ratio, name the quantities of a match that it sums up.
	X, Y string
	// Of makes it of the sums; by default it is the sum of X.
	Of func(*Sums) Figure
	// Interval is its 95 % confidence interval over the matches, nil for a count.
	Interval func(*Sums) *figure.Interval
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

// Sums are those of X and Y over the matches for which X is known.
type Sums struct {
	figure.Ratio
	Most float64 // the highest X
}

func (s *Sums) add(x, y float64) {
	if s.Most = max(s.Most, x); s.N == 0 {
		s.Most = x
	}
	s.Add(x, y)
}

// total is the sum of X, unknown without a match.
func (s *Sums) total() Figure { return figure.If(s.N > 0, s.X) }

// mean is the ratio of X and the number of matches.
func (s *Sums) mean() figure.Ratio {
	return figure.Ratio{N: s.N, X: s.X, Y: s.N, XX: s.XX, XY: s.X, YY: s.N}
}

// differenceAt is the rating difference at which a luck-adjusted result is expected, at the mean
// length of the matches, which is Y.
func (s *Sums) differenceAt(result Figure) Figure {
	if !(result > -0.5 && result < 0.5) {
		return unknown
	}
	return Figure(rating.Difference(0.5+float64(result), int(math.Round(s.Y/s.N))))
}

// quantity is a figure of one match, unknown if it is of the analysis and there is none.
type quantity struct {
	columns []string // that it reads
	of      func(*Match) Figure
}

// quantities are those that are not a column.
var quantities = map[string]quantity{
	"matches":       {nil, func(*Match) Figure { return 1 }},
	"won":           {[]string{"result"}, func(m *Match) Figure { return Figure(oneIf(m.Result > 0)) }},
	"lost":          {[]string{"result"}, func(m *Match) Figure { return Figure(oneIf(m.Result < 0)) }},
	"unfinished":    {[]string{"result"}, func(m *Match) Figure { return Figure(oneIf(m.Result == 0)) }},
	"decided":       {[]string{"result"}, func(m *Match) Figure { return Figure(oneIf(m.Result != 0)) }},
	"analysed":      {[]string{"plies"}, func(m *Match) Figure { return figure.If(m.Plies.Known(), 1) }},
	"decisions_me":  {[]string{"unforced_me", "close_me"}, func(m *Match) Figure { return m.Unforced[0] + m.Close[0] }},
	"decisions_opp": {[]string{"unforced_opp", "close_opp"}, func(m *Match) Figure { return m.Unforced[1] + m.Close[1] }},
	// The luck-adjusted result of a match; that of unlimited play is unknown.
	"chance": {[]string{"length", "adjusted"}, func(m *Match) Figure { return figure.If(m.Length > 0, float64(m.Adjusted)) }},
}

// quantityOf finds a quantity by its name: one of quantities, or a column of numbers.
func quantityOf(name string) quantity {
	q, ok := quantities[name]
	if !ok {
		c := columnOf(name)
		q = quantity{[]string{name}, func(m *Match) Figure {
			switch v := c.field(m).(type) {
			case *Figure:
				return *v
			case *int:
				return Figure(*v)
			}
			v, _ := c.stored(m).(int64)
			return Figure(v)
		}}
	}
	if !slices.ContainsFunc(q.columns, func(c string) bool { return columnOf(c).ofAnalysis }) {
		return q
	}
	return quantity{append(q.columns, "plies"), func(m *Match) Figure {
		if !m.Plies.Known() {
			return unknown
		}
		return q.of(m)
	}}
}

// Statistics are all there are, in the order of columns.
var Statistics = slices.Concat([]Statistic{
	{Name: "matches", Label: "Matches", Core: true, About: "matches", X: "matches"},
	{Name: "won", Label: "Won", Core: true, About: "matches won", Better: 1, X: "won"},
	{Name: "lost", Label: "Lost", Core: true, About: "matches lost", Better: -1, X: "lost"},
	{Name: "unfinished", Label: "Open", About: "matches without a winner", X: "unfinished"},
	{Name: "win_rate", Label: "Won %", Unit: "%", About: "matches won of those with a winner; in JSON 0 to 1", Better: 1, Print: Print{Digits: 1, Percent: true}, X: "won", Y: "decided",
		Of:       func(s *Sums) Figure { return figure.If(s.Y > 0, s.Value()) },
		Interval: func(s *Sums) *figure.Interval { return figure.Share(s.X, s.Y) }},
	{Name: "points_for", Label: "Points", About: "points won", Better: 1, X: "score_me"},
	{Name: "points_against", Label: "Opp. points", About: "points lost", Better: -1, X: "score_opp"},
	{Name: "analysed", Label: "Analysed", About: "analysed matches; PR, error and luck use only these", X: "analysed"},
},
	bothSides(Statistic{Name: "pr", Label: "PR", Core: true, About: "performance rating", Better: -1, Print: Print{Digits: 2}, Marked: "shallow", PerMatch: true, X: "error_me", Y: "counted_me",
		Of:       func(s *Sums) Figure { return Figure(analyse.PR(s.X, s.Y)) },
		Interval: func(s *Sums) *figure.Interval { return analyse.PRInterval(s.Ratio) }}),
	bothSides(Statistic{Name: "error_per_decision", Label: "Error", Unit: "millipoints", About: "equity lost per decision", Better: -1, Print: Print{Digits: 2}, Marked: "shallow", PerMatch: true, X: "error_me", Y: "decisions_me",
		Of: func(s *Sums) Figure { return figure.If(s.Y > 0, 1000*s.Value()) }}),
	bothSides(Statistic{Name: "shallow", Label: "Shallow", About: "matches whose analysis is no deeper than the player's own search while playing; errors and PR are marked with *", Better: -1, Detail: true, PerMatch: true, X: "shallow_me", Of: (*Sums).total}),
	bothSides(Statistic{Name: "luck", Label: "Luck", Unit: "points", About: "equity gained by the dice", Better: 1, Print: Print{Digits: 2, Signed: true}, PerMatch: true, X: "luck_me", Of: (*Sums).total,
		Interval: func(s *Sums) *figure.Interval { return s.mean().Interval(s.N) }}),
	[]Statistic{
		{Name: "luck_plies", Label: "Luck plies", About: "mean look-ahead of the luck; matches whose file does not state it are left out", Better: 1, Print: Print{Digits: 1}, Detail: true, PerMatch: true, X: "luck_plies",
			Of: func(s *Sums) Figure { return figure.If(s.N > 0, s.mean().Value()) }},
		{Name: "luck_adjusted_result", Label: "Luck-adjusted", Unit: "matches", About: "result without the luck of both sides; a win is +0.5", Better: 1, Print: Print{Digits: 3, Signed: true}, Detail: true, PerMatch: true, X: "chance", Of: (*Sums).total},
		{Name: "rating_difference", Label: "Rating difference, luck-adjusted", About: "difference in FIBS rating to the opponents at which the luck-adjusted result is expected", Better: 1, Print: Print{Signed: true, One: true}, X: "chance", Y: "length",
			Of: func(s *Sums) Figure { return s.differenceAt(Figure(s.mean().Value())) },
			Interval: func(s *Sums) *figure.Interval {
				iv := s.mean().Interval(1)
				if iv != nil {
					*iv = figure.Interval{s.differenceAt(iv[0]), s.differenceAt(iv[1])}
				}
				return iv
			}},
		{Name: "last", Label: "Last", About: "start of the newest match", Print: Print{Time: true}, Detail: true, X: "started", Of: func(s *Sums) Figure { return figure.If(s.Most > 0, s.Most) }},
	})

// ShallowNote explains the mark that Star gives.
const ShallowNote = "* from an analysis no deeper than the player's own search while playing"

// Star is the mark of a figure of errors whose judge searched no deeper than the player did.
func Star(shallow bool) string {
	if shallow {
		return "*"
	}
	return ""
}

// bothSides returns a statistic of the account and the same of the opponent.
func bothSides(s Statistic) []Statistic {
	o := s
	o.Core = false
	o.Name, o.Label, o.About = "opponent_"+s.Name, "Opp. "+s.Label, "the same of the opponents"
	o.X, o.Y = swapSides(s.X), swapSides(s.Y)
	if o.Marked != "" {
		o.Marked = "opponent_" + o.Marked
	}
	return []Statistic{s, o}
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

func (s *Statistic) of(sums *Sums) (v Figure, iv *figure.Interval) {
	v = Figure(sums.X)
	if s.Of != nil {
		v = s.Of(sums)
	}
	if s.Interval != nil {
		iv = s.Interval(sums)
	}
	return v, iv
}

// Match is the statistic of one match; one of errors or luck is unknown without an analysis.
func (s *Statistic) Match(m *Match) Figure {
	var sums Sums
	s.adder()(&sums, m)
	v, _ := s.of(&sums)
	return v
}

// adder returns a function that adds a match to the sums.
func (s *Statistic) adder() func(*Sums, *Match) {
	x, y := quantityOf(s.X), quantityOf(cmp.Or(s.Y, "matches"))
	return func(sums *Sums, m *Match) {
		if v := x.of(m); v.Known() {
			sums.add(float64(v), y.of(m).Or(0))
		}
	}
}

// Heading is the column heading with its unit, in capitals.
func (s *Statistic) Heading() string {
	unit := map[string]string{"millipoints": " (mp)"}[s.Unit]
	return strings.ToUpper(s.Label + unit)
}

// summedColumns are the columns that the statistics read.
func summedColumns() (out []string) {
	for i := range Statistics {
		for _, name := range []string{Statistics[i].X, cmp.Or(Statistics[i].Y, "matches")} {
			out = append(out, quantityOf(name).columns...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Stats are the statistics of the matches of a group, in the order of Statistics.
type Stats struct {
	// Key is the opponent, preset and so on that the matches have in common; empty for all.
	Key    string
	Values []Figure
	// Intervals are those of Statistics that have one, else nil.
	Intervals []*figure.Interval
}

// summer sums up matches by a group.
type summer struct {
	by     group
	adders []func(*Sums, *Match) // of the Statistics
	sums   map[string][]Sums     // by key
	n      map[string]int        // matches
}

func newSummer(by group) *summer {
	s := &summer{by: by, sums: map[string][]Sums{}, n: map[string]int{}}
	for i := range Statistics {
		s.adders = append(s.adders, Statistics[i].adder())
	}
	return s
}

// group returns the sums of a key.
func (s *summer) group(key string) []Sums {
	if s.sums[key] == nil {
		s.sums[key] = make([]Sums, len(s.adders))
	}
	return s.sums[key]
}

func (s *summer) add(m *Match) {
	key := s.by.key(m)
	s.n[key]++
	to := s.group(key)
	for i, add := range s.adders {
		add(&to[i], m)
	}
}

// stats returns the groups in their order.
func (s *summer) stats() []Stats {
	out := []Stats{}
	for _, key := range slices.SortedFunc(maps.Keys(s.sums), func(a, b string) int {
		if s.by.period {
			return cmp.Or(cmp.Compare(oneIf(a == ""), oneIf(b == "")), cmp.Compare(a, b))
		}
		return cmp.Or(cmp.Compare(s.n[b], s.n[a]), cmp.Compare(a, b))
	}) {
		one := Stats{Key: key}
		for i := range Statistics {
			v, iv := Statistics[i].of(&s.sums[key][i])
			one.Values, one.Intervals = append(one.Values, v), append(one.Intervals, iv)
		}
		out = append(out, one)
	}
	return out
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

// Interval returns the 95 % confidence interval of a statistic by its name, or nil if it has none.
func (s *Stats) Interval(name string) *figure.Interval {
	for i := range Statistics {
		if Statistics[i].Name == name && i < len(s.Intervals) {
			return s.Intervals[i]
		}
	}
	return nil
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
