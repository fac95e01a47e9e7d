// Package nets measures the static evaluation: its errors against positions labelled by
// a stronger judge, what its plays give up on rated decisions, and games against others.
package nets

import (
	"context"
	"fmt"
	"io"
	"math"

	"fibsbot/engine/train"
	"fibsbot/engine/train/teacher"
)

// Report is how strong nets are. Games that were not asked for are nil.
type Report struct {
	Name      string             `json:"name"`
	Positions train.Errors       `json:"positions"`
	Losses    []train.Loss       `json:"losses"` // millipoints a decision, ours and gnubg 0-ply's
	Pubeval   *train.GamesResult `json:"pubeval,omitempty"`
	Versus    *train.GamesResult `json:"versus,omitempty"`
	Gnubg     *train.GamesResult `json:"gnubg_0ply,omitempty"`
}

// Options say what is measured.
type Options struct {
	Weights  string // weights file, "" for the embedded one
	Against  string // another weights file to play against, or ""
	Pairs    int    // of games against it
	Pubeval  int    // pairs of games against Tesauro's pubeval, 0 for none
	Gnubg    int    // pairs of games against gnubg 0-ply, 0 for none
	GnubgDir string // folder of label.py, for Gnubg
	Luck     bool   // take the luck of the dice out of the games
	Seed     uint64
}

// Measure measures the nets and plays the games that were asked for. The error wraps
// [teacher.ErrOptions] where a file is no good.
func (f *Options) Measure(ctx context.Context) (r Report, err error) {
	judge, set, err := teacher.Static(f.Weights)
	if err != nil {
		return r, err
	}
	recs, err := train.BenchPositions()
	if err != nil {
		return r, err
	}
	ds, err := train.BenchDecisions()
	if err != nil {
		return r, err
	}
	r = Report{Name: set.Manifest.Name, Positions: train.MeasureErrors(recs, judge), Losses: train.MeasureDecisions(ds, judge)}
	me := &train.NetPlayer{Net: judge}
	if f.Pubeval > 0 {
		if r.Pubeval, err = f.play(ctx, me, &train.PubevalPlayer{}, f.Pubeval); err != nil {
			return r, err
		}
	}
	if f.Against != "" {
		old, _, err := teacher.Static(f.Against)
		if err != nil {
			return r, err
		}
		if r.Versus, err = f.play(ctx, me, &train.NetPlayer{Net: old}, f.Pairs); err != nil {
			return r, err
		}
	}
	if f.Gnubg > 0 {
		t, err := train.StartGnubg(ctx, f.GnubgDir)
		if err != nil {
			return r, err
		}
		defer t.Close()
		other := &train.TeacherPlayer{Teacher: t}
		if r.Gnubg, err = f.play(ctx, me, other, f.Gnubg); err != nil {
			return r, err
		}
		if other.Err != nil {
			return r, other.Err
		}
	}
	return r, nil
}

// play plays pairs of games between me and other.
func (f *Options) play(ctx context.Context, me, other train.Player, pairs int) (*train.GamesResult, error) {
	c := train.Contest{A: me, B: other, Pairs: pairs, Seed: f.Seed}
	if f.Luck {
		var err error
		if c.Luck, _, err = teacher.Static(f.Weights); err != nil {
			return nil, err
		}
	}
	g, err := c.Play(ctx)
	return &g, err
}

// Print writes a report of these measurements as a person reads it.
func (f *Options) Print(out io.Writer, r Report) {
	fmt.Fprintf(out, "%s: %d positions, equity error (root mean square) %.4f, win chance error (mean) %.4f\n\n",
		r.Name, r.Positions.Positions, r.Positions.Equity, r.Positions.Win)
	PrintLosses(out, r.Losses, "gnubg 0")
	for _, g := range []struct {
		name string
		r    *train.GamesResult
	}{{"pubeval", r.Pubeval}, {f.Against, r.Versus}, {"gnubg 0-ply", r.Gnubg}} {
		if g.r == nil {
			continue
		}
		fmt.Fprintf(out, "\nagainst %s: %+.4f points a game, standard error %.4f, %d games\n", g.name, g.r.PointsPerGame, g.r.StandardError, g.r.Games)
		if f.Luck {
			fmt.Fprintf(out, "   luck taken out: %+.4f, standard error %.4f\n", g.r.Adjusted, g.r.AdjustedError)
		}
	}
}

// PrintLosses writes a table of what plays give up, in millipoints, beside another
// judge's.
func PrintLosses(w io.Writer, ls []train.Loss, other string) {
	fmt.Fprintf(w, "%-15s %9s %9s %7s %9s %6s %8s\n", "plan", "decisions", "loss", "+-", other, "ratio", "blunders")
	for _, l := range ls {
		ratio := l.Ratio
		if math.IsInf(ratio, 0) || ratio > 999 {
			ratio = 999
		}
		fmt.Fprintf(w, "%-15s %9d %9.2f %7.2f %9.2f %6.2f %8d\n", l.Tag, l.Decisions, l.Mean, l.Error, l.Teacher, ratio, l.Blunders)
	}
}
