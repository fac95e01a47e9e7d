package main

import (
	"fmt"

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

// newBenchNetsCmd is `fibsbot bench nets`: how strong the static evaluation is.
func newBenchNetsCmd() *cobra.Command {
	var (
		file, against, gnubgDir string
		pairs, pubeval, gnubg   int
		luck                    bool
		seed                    uint64
		asJSON                  bool
	)
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
			ctx := cmd.Context()
			judge, set, err := loadJudge(file)
			if err != nil {
				return err
			}
			recs, err := train.BenchPositions()
			if err != nil {
				return err
			}
			ds, err := train.BenchDecisions()
			if err != nil {
				return err
			}
			r := netsReport{Name: set.Manifest.Name, Positions: train.MeasureErrors(recs, judge), Losses: train.MeasureDecisions(ds, judge)}
			me := &train.JudgePlayer{Judge: judge}
			versus := func(other train.Player, pairs int) (*train.GamesResult, error) {
				c := train.Contest{A: me, B: other, Pairs: pairs, Seed: seed}
				if luck {
					if c.Luck, _, err = loadJudge(file); err != nil {
						return nil, err
					}
				}
				g, err := c.Play(ctx)
				return &g, err
			}
			if pubeval > 0 {
				if r.Pubeval, err = versus(&train.PubevalPlayer{}, pubeval); err != nil {
					return err
				}
			}
			if against != "" {
				old, _, err := loadJudge(against)
				if err != nil {
					return err
				}
				if r.Versus, err = versus(&train.JudgePlayer{Judge: old}, pairs); err != nil {
					return err
				}
			}
			if gnubg > 0 {
				t, err := train.StartGnubg(ctx, gnubgDir)
				if err != nil {
					return err
				}
				defer t.Close()
				other := &train.TeacherPlayer{Teacher: t}
				if r.Gnubg, err = versus(other, gnubg); err != nil {
					return err
				}
				if other.Err != nil {
					return other.Err
				}
			}
			out := cmd.OutOrStdout()
			if asJSON {
				return printJSON(out, r)
			}
			fmt.Fprintf(out, "%s: %d positions, equity error (root mean square) %.4f, win chance error (mean) %.4f\n\n",
				r.Name, r.Positions.Positions, r.Positions.Equity, r.Positions.Win)
			printLosses(out, r.Losses, "gnubg 0")
			for _, g := range []struct {
				name string
				r    *train.GamesResult
			}{{"pubeval", r.Pubeval}, {against, r.Versus}, {"gnubg 0-ply", r.Gnubg}} {
				if g.r == nil {
					continue
				}
				fmt.Fprintf(out, "\nagainst %s: %+.4f points a game, standard error %.4f, %d games\n", g.name, g.r.PointsPerGame, g.r.StandardError, g.r.Games)
				if luck {
					fmt.Fprintf(out, "   luck taken out: %+.4f, standard error %.4f\n", g.r.Adjusted, g.r.AdjustedError)
				}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&file, "weights", "", "weights file (default the embedded one)")
	f.StringVar(&against, "against", "", "another weights file to play against")
	f.IntVar(&pairs, "pairs", 2000, "pairs of games against the other weights file")
	f.IntVar(&pubeval, "pubeval", 2000, "pairs of games against pubeval, 0 for none")
	f.IntVar(&gnubg, "gnubg", 0, "pairs of games against gnubg 0-ply, where it is installed")
	f.StringVar(&gnubgDir, "gnubg-dir", "engine/train/gnubg", "folder of label.py, for --gnubg")
	f.BoolVar(&luck, "luck", false, "take the luck of the dice out: 20 times slower, error 5 times smaller")
	f.Uint64Var(&seed, "seed", 1, "seed of the dice")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
