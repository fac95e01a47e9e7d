// Package nets measures the static evaluation: its errors against positions labelled by a
// stronger judge, the loss of its plays on rated decisions, and games against others.
package nets

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"fibsbot/cmd/fibslab/internal/teacher"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine/eval"
)

// Report is the strength of nets. Games that were not asked for are nil.
type Report struct {
	Name      string             `json:"name"`
	Positions train.Errors       `json:"positions"`
	Backgames train.Errors       `json:"rolled_backgames"` // against rollouts of games that began as back games
	Varied    train.Errors       `json:"rolled_varied"`    // and of all plans
	Losses    []train.Loss       `json:"losses"`           // millipoints a decision, ours and gnubg 0-ply's
	Versus    *train.GamesResult `json:"versus,omitempty"`
}

// Options select the measurements.
type Options struct {
	Weights string // weights file, "" for the embedded one
	Against string // another weights file to play against, or ""
	Pairs   int    // of games against it
	Luck    bool   // take the luck of the dice out of the games
	Seed    uint64
	// Progress, unless nil, is called as parts of the work are done.
	Progress Progress
}

// MaxPairs is the most pairs of games against one opponent.
const MaxPairs = 10_000_000

// Progress is called with a part of the work and how much of it is done.
type Progress func(what string, done, total int)

// of is the progress of one part, or nil.
func (p Progress) of(what string, total int) func(done int) {
	if p == nil {
		return nil
	}
	return func(done int) { p(what, done, total) }
}

// Measure measures the nets and plays the games that were asked for. The error wraps
// [teacher.ErrOptions] if a file cannot be used.
func (f *Options) Measure(ctx context.Context) (r Report, err error) {
	me, set, err := teacher.Model(f.Weights)
	if err != nil {
		return r, err
	}
	var old *eval.Model
	if f.Against != "" {
		if old, _, err = teacher.Model(f.Against); err != nil {
			return r, err
		}
	}
	recs, err := train.BenchPositions()
	if err != nil {
		return r, err
	}
	ds, err := train.BenchProblems()
	if err != nil {
		return r, err
	}
	backgames, varied, err := train.BenchValues()
	if err != nil {
		return r, err
	}
	judge := me.Evaluator()
	r = Report{Name: set.Manifest.Name, Positions: train.MeasureErrors(recs, judge),
		Backgames: train.MeasureErrors(backgames, judge), Varied: train.MeasureErrors(varied, judge), Losses: train.MeasureProblems(ds, judge)}
	if old != nil {
		games, failed := train.PlayContest(ctx, func() *train.Contest {
			c := &train.Contest{A: &train.NetPlayer{Net: me.Evaluator()}, B: &train.NetPlayer{Net: old.Evaluator()}, Seed: f.Seed}
			if f.Luck {
				c.Luck = me.Evaluator()
			}
			return c
		}, f.Pairs, f.Progress.of("pairs against "+filepath.Base(f.Against), f.Pairs))
		r.Versus, err = &games, failed
	}
	return r, err
}

// Print writes a report of these measurements for people.
func (f *Options) Print(out io.Writer, r Report) {
	fmt.Fprintf(out, "%s: %d positions, equity error (root mean square) %.4f, win chance error (mean) %.4f\n",
		r.Name, r.Positions.Positions, r.Positions.Equity, r.Positions.Win)
	fmt.Fprintf(out, "off rollouts in the mean by %.4f in %d positions of back games, %.4f in %d of all plans\n\n",
		r.Backgames.EquityAbs, r.Backgames.Positions, r.Varied.EquityAbs, r.Varied.Positions)
	PrintLosses(out, r.Losses, "gnubg 0")
	if g := r.Versus; g != nil {
		fmt.Fprintf(out, "\nagainst %s: %+.4f points a game, standard error %.4f, %d games\n", f.Against, g.PointsPerGame, g.StandardError, g.Games)
		if f.Luck {
			fmt.Fprintf(out, "   without luck: %+.4f, standard error %.4f\n", g.Adjusted, g.AdjustedError)
		}
	}
}

// PrintLosses writes a table of the losses of plays, in millipoints, beside another judge's,
// unless that is "".
func PrintLosses(w io.Writer, ls []train.Loss, other string) {
	beside := func(format string, v ...any) string {
		if other == "" {
			return ""
		}
		return fmt.Sprintf(format, v...)
	}
	fmt.Fprintf(w, "%-15s %9s %9s %7s%s %8s\n", "plan", "decisions", "loss", "+-", beside(" %9s %6s", other, "ratio"), "blunders")
	for _, l := range ls {
		ratio := l.Ratio
		if math.IsInf(ratio, 0) || ratio > 999 {
			ratio = 999
		}
		fmt.Fprintf(w, "%-15s %9d %9.2f %7.2f%s %8d\n", l.Tag, l.Decisions, l.Mean, l.Error, beside(" %9.2f %6.2f", l.Teacher, ratio), l.Blunders)
	}
}
