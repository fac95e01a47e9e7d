package index

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
	"fibsbot/internal/figure"
)

// Split sums one side's decisions of a kind.
type Split struct {
	By        string  `json:"by"`   // phase, plan or cube
	Name      string  `json:"name"` // such as "opening"; for cube the category of error
	Side      int     `json:"side"` // 0 the account, 1 the opponent
	Decisions int     `json:"decisions"`
	Error     float64 `json:"error"` // normalised equity lost
	Luck      Figure  `json:"luck"`  // unknown without any known roll
}

// FaultNames are the categories of cube errors, in the order of record's constants.
var FaultNames = [6]string{"missed double", "missed cash", "wrong double", "doubled too good", "wrong take", "wrong pass"}

// splits sums up the decisions of a match; me is the account's player number.
func splits(s *analyse.Summary, me int) (out []Split) {
	add := func(by, name string, side, n int, lost float64, luck Figure) {
		if n > 0 || luck.Known() {
			out = append(out, Split{By: by, Name: name, Side: side, Decisions: n, Error: lost, Luck: luck})
		}
	}
	phases, plans := s.ByPhase(nil), s.ByPlan(nil)
	for side, p := range [2]int{me, 1 - me} {
		for i, v := range phases[p] {
			add("phase", analyse.Phase(i).String(), side, v.Decisions, v.Error.EMG, figure.If(v.Rolls > 0, v.Luck.EMG))
		}
		for i, v := range plans[p] {
			add("plan", analyse.Plan(i).String(), side, v.Decisions, v.Error.EMG, figure.If(v.Rolls > 0, v.Luck.EMG))
		}
		for i, v := range s.Players[p].Cube {
			add("cube", FaultNames[i], side, v.Count, v.Cost.EMG, unknown)
		}
	}
	return out
}

var _ [6]record.CubeErrors = record.Statistics{}.Cube // FaultNames names each

// splitList is stored as by|name|side|decisions|error|luck for each, separated by ;. Reading that
// takes a third of the time of JSON.
type splitList []Split

// Value implements driver.Valuer.
func (l *splitList) Value() (driver.Value, error) {
	var rows []string
	for _, s := range *l {
		rows = append(rows, fmt.Sprintf("%s|%s|%d|%d|%.6g|%.6g", s.By, s.Name, s.Side, s.Decisions, s.Error, s.Luck))
	}
	return strings.Join(rows, ";"), nil
}

// Scan implements sql.Scanner.
func (l *splitList) Scan(v any) error { return scanText(v, l.parse) }

func (l *splitList) parse(text string) (err error) {
	number := func(text string) float64 {
		v, bad := strconv.ParseFloat(text, 64)
		err = cmp.Or(err, bad)
		return v
	}
	for row := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ';' }) {
		f := strings.Split(row, "|")
		if len(f) != 6 {
			return fmt.Errorf("index: a split with %d fields, want 6", len(f))
		}
		*l = append(*l, Split{f[0], f[1], int(number(f[2])), int(number(f[3])), number(f[4]), Figure(number(f[5]))})
	}
	return err
}

// sides are the names of the sides.
var sides = [2]string{"account", "opponents"}

// SplitStats sums one side's decisions of a kind over many matches.
type SplitStats struct {
	Name      string  `json:"name"`
	Side      string  `json:"side"` // account or opponents
	Matches   int     `json:"matches"`
	Decisions int     `json:"decisions"`
	Error     float64 `json:"error_total"`
	// PerMatch is Error over the analysed matches.
	PerMatch Figure `json:"error_per_match"`
	// PR is for cube errors 500 times the mean loss of an error.
	PR         Figure           `json:"pr"`
	PRInterval *figure.Interval `json:"pr_interval"`
	Luck       Figure           `json:"luck"`
	// Shallow counts the matches whose PR says little, see Match.Shallow.
	Shallow int `json:"shallow"`

	spread figure.Ratio
}

// SplitBy are the values that Splits takes.
var SplitBy = []string{"phase", "plan", "cube"}

// Splits sums up the decisions of the matches that fit by phase, plan or category of cube
// error: the account's first, then the opponents', the most costly first.
func (d *DB) Splits(ctx context.Context, f Filter, by string) ([]SplitStats, error) {
	type key struct {
		side int
		name string
	}
	sums := map[key]*SplitStats{}
	analysed := 0
	err := d.list(ctx, f, []string{"plies", "shallow_me", "shallow_opp", "splits"}, func(m *Match) error {
		analysed += oneIf(m.Plies.Known())
		for _, s := range m.Splits {
			if s.By != by {
				continue
			}
			k := key{s.Side, s.Name}
			if sums[k] == nil {
				sums[k] = &SplitStats{Name: s.Name, Side: sides[s.Side&1], Luck: unknown}
			}
			v := sums[k]
			v.Matches++
			v.Shallow += oneIf(m.Shallow[s.Side&1])
			v.Decisions += s.Decisions
			v.Error += s.Error
			v.spread.Add(s.Error, float64(s.Decisions))
			if s.Luck.Known() {
				v.Luck = v.Luck.Plus(s.Luck)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := make([]SplitStats, 0, len(sums))
	for _, v := range sums {
		v.PR, v.PRInterval = Figure(analyse.PR(v.Error, float64(v.Decisions))), analyse.PRInterval(v.spread)
		v.PerMatch = Figure(v.Error / float64(analysed))
		out = append(out, *v)
	}
	slices.SortFunc(out, func(a, b SplitStats) int {
		return cmp.Or(cmp.Compare(a.Side, b.Side), cmp.Compare(b.Error, a.Error), cmp.Compare(a.Name, b.Name))
	})
	return out, nil
}
