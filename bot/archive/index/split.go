package index

import (
	"context"
	"database/sql/driver"
	"fmt"
	"sort"
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

// splitText encodes splits for a column: by|name|side|decisions|error|luck, separated by ;.
func splitText(list []Split) string {
	var b strings.Builder
	for i, s := range list {
		if i > 0 {
			b.WriteByte(';')
		}
		fmt.Fprintf(&b, "%s|%s|%d|%d|%.6g|%.6g", s.By, s.Name, s.Side, s.Decisions, s.Error, s.Luck)
	}
	return b.String()
}

// splitList are splits as a column.
type splitList []Split

// Value implements driver.Valuer.
func (l *splitList) Value() (driver.Value, error) { return splitText(*l), nil }

// Scan implements sql.Scanner.
func (l *splitList) Scan(v any) error {
	return scanText(v, func(s string) (err error) {
		*l, err = parseSplits(s)
		return err
	})
}

func parseSplits(text string) (out []Split, err error) {
	if text == "" {
		return nil, nil
	}
	for row := range strings.SplitSeq(text, ";") {
		f := strings.Split(row, "|")
		if len(f) != 6 {
			return nil, fmt.Errorf("index: a split with %d fields, want 6", len(f))
		}
		s := Split{By: f[0], Name: f[1]}
		var errs [4]error
		s.Side, errs[0] = strconv.Atoi(f[2])
		s.Decisions, errs[1] = strconv.Atoi(f[3])
		s.Error, errs[2] = strconv.ParseFloat(f[4], 64)
		luck, err := strconv.ParseFloat(f[5], 64)
		s.Luck, errs[3] = Figure(luck), err
		for _, e := range errs {
			if e != nil {
				return nil, fmt.Errorf("index: splits: %w", e)
			}
		}
		out = append(out, s)
	}
	return out, nil
}

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
	err := d.List(ctx, f, func(m *Match) error {
		analysed += oneIf(m.Plies.Known())
		for _, s := range m.Splits {
			if s.By != by {
				continue
			}
			k := key{s.Side, s.Name}
			if sums[k] == nil {
				sums[k] = &SplitStats{Name: s.Name, Side: [2]string{"account", "opponents"}[s.Side&1], Luck: unknown}
			}
			v := sums[k]
			v.Matches++
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
	sort.Slice(out, func(i, j int) bool {
		a, b := &out[i], &out[j]
		if a.Side != b.Side {
			return a.Side < b.Side
		}
		if a.Error != b.Error {
			return a.Error > b.Error
		}
		return a.Name < b.Name
	})
	return out, nil
}
