package main

import (
	"context"
	"fmt"
	"io"

	"fibsbot/engine/train"

	"github.com/spf13/cobra"
)

// netsReport is what `bench nets --json` prints.
type netsReport struct {
	Name      string             `json:"name"`
	Positions train.Errors       `json:"positions"`
	Losses    []train.Loss       `json:"losses"` // millipoints a decision, ours and gnubg 0-ply's
	Pubeval   *train.GamesResult `json:"pubeval,omitempty"`
	Versus    *train.GamesResult `json:"versus,omitempty"`
	Gnubg     *train.GamesResult `json:"gnubg_0ply,omitempty"`
}

// netsFlags are the flags of `bench nets`.
type netsFlags struct {
	file, against, gnubgDir string
	pairs, pubeval, gnubg   int // of games, by opponent; pairs is for against
	luck                    bool
	seed                    uint64
	asJSON                  bool
}

// newBenchNetsCmd is `fibsbot bench nets`: how strong the static evaluation is.
func newBenchNetsCmd() *cobra.Command {
	var f netsFlags
	cmd := &cobra.Command{
		Use:   "nets",
		Short: "Measure the nets: error, points given up per decision, games",
		Long: `Measures the static evaluation (0-ply, cubeless money, with the small bearoff databases):

  error against 10,000 positions labelled by gnubg at 2 plies,
  loss in millipoints a decision on the decisions in engine/train/testdata, whose
  plays gnubg rated at 2 plies, by game plan, beside the loss of gnubg 0-ply there,
  points a game against Tesauro's pubeval, and with --against another weights file.

None of the positions was trained on.`,
		Example: `  fibsbot bench nets
  fibsbot bench nets --pubeval 0 --gnubg 1000 --luck
  fibsbot bench nets --weights new.weights --against weights/fibsbot.weights --pairs 5000`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := f.measure(cmd.Context())
			if err != nil {
				return err
			}
			if f.asJSON {
				return printJSON(cmd.OutOrStdout(), r)
			}
			f.print(cmd.OutOrStdout(), r)
			return nil
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.file, "weights", "", "weights file (default the embedded one)")
	fl.StringVar(&f.against, "against", "", "another weights file to play against")
	fl.IntVar(&f.pairs, "pairs", 2000, "pairs of games against the other weights file")
	fl.IntVar(&f.pubeval, "pubeval", 2000, "pairs of games against pubeval, 0 for none")
	fl.IntVar(&f.gnubg, "gnubg", 0, "pairs of games against gnubg 0-ply, where it is installed")
	fl.StringVar(&f.gnubgDir, "gnubg-dir", "engine/train/gnubg", "folder of label.py, for --gnubg")
	fl.BoolVar(&f.luck, "luck", false, "take the luck of the dice out: 20 times slower, error 5 times smaller")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of the dice")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return cmd
}

// measure measures the nets and plays the games that were asked for.
func (f *netsFlags) measure(ctx context.Context) (r netsReport, err error) {
	judge, set, err := loadJudge(f.file)
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
	r = netsReport{Name: set.Manifest.Name, Positions: train.MeasureErrors(recs, judge), Losses: train.MeasureDecisions(ds, judge)}
	me := &train.JudgePlayer{Judge: judge}
	if f.pubeval > 0 {
		if r.Pubeval, err = f.play(ctx, me, &train.PubevalPlayer{}, f.pubeval); err != nil {
			return r, err
		}
	}
	if f.against != "" {
		old, _, err := loadJudge(f.against)
		if err != nil {
			return r, err
		}
		if r.Versus, err = f.play(ctx, me, &train.JudgePlayer{Judge: old}, f.pairs); err != nil {
			return r, err
		}
	}
	if f.gnubg > 0 {
		t, err := train.StartGnubg(ctx, f.gnubgDir)
		if err != nil {
			return r, err
		}
		defer t.Close()
		other := &train.TeacherPlayer{Teacher: t}
		if r.Gnubg, err = f.play(ctx, me, other, f.gnubg); err != nil {
			return r, err
		}
		if other.Err != nil {
			return r, other.Err
		}
	}
	return r, nil
}

// play plays pairs of games between me and other.
func (f *netsFlags) play(ctx context.Context, me, other train.Player, pairs int) (*train.GamesResult, error) {
	c := train.Contest{A: me, B: other, Pairs: pairs, Seed: f.seed}
	if f.luck {
		var err error
		if c.Luck, _, err = loadJudge(f.file); err != nil {
			return nil, err
		}
	}
	g, err := c.Play(ctx)
	return &g, err
}

// print writes the report as a person reads it.
func (f *netsFlags) print(out io.Writer, r netsReport) {
	fmt.Fprintf(out, "%s: %d positions, equity error (root mean square) %.4f, win chance error (mean) %.4f\n\n",
		r.Name, r.Positions.Positions, r.Positions.Equity, r.Positions.Win)
	printLosses(out, r.Losses, "gnubg 0")
	for _, g := range []struct {
		name string
		r    *train.GamesResult
	}{{"pubeval", r.Pubeval}, {f.against, r.Versus}, {"gnubg 0-ply", r.Gnubg}} {
		if g.r == nil {
			continue
		}
		fmt.Fprintf(out, "\nagainst %s: %+.4f points a game, standard error %.4f, %d games\n", g.name, g.r.PointsPerGame, g.r.StandardError, g.r.Games)
		if f.luck {
			fmt.Fprintf(out, "   luck taken out: %+.4f, standard error %.4f\n", g.r.Adjusted, g.r.AdjustedError)
		}
	}
}
