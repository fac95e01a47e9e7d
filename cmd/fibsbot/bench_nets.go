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
}

// newBenchNetsCmd is `fibsbot bench nets`: how strong the static evaluation is.
func newBenchNetsCmd() *cobra.Command {
	var (
		file, against  string
		pairs, pubeval int
		seed           uint64
		asJSON         bool
	)
	cmd := &cobra.Command{
		Use:   "nets",
		Short: "Measure the nets: error, points given up per decision, games",
		Long: `Measures the static evaluation (0-ply, cubeless money, no databases):

  error against 10,000 positions labelled by gnubg at 2 plies,
  loss in millipoints a decision on the decisions in engine/train/testdata, whose
  plays gnubg rated at 2 plies, by game plan, beside the loss of gnubg 0-ply there,
  points a game against Tesauro's pubeval, and with --against another weights file.

None of the positions was trained on.`,
		Example: `  fibsbot bench nets
  fibsbot bench nets --weights new.weights --against weights/fibsbot.weights --pairs 5000`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := trainContext(cmd)
			defer stop()
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
			if pubeval > 0 {
				g, err := train.PlayGames(ctx, me, &train.PubevalPlayer{}, pubeval, seed)
				if err != nil {
					return err
				}
				r.Pubeval = &g
			}
			if against != "" {
				old, _, err := loadJudge(against)
				if err != nil {
					return err
				}
				g, err := train.PlayGames(ctx, me, &train.JudgePlayer{Judge: old}, pairs, seed)
				if err != nil {
					return err
				}
				r.Versus = &g
			}
			out := cmd.OutOrStdout()
			if asJSON {
				return printJSON(out, r)
			}
			fmt.Fprintf(out, "%s: %d positions, equity error (root mean square) %.4f, win chance error (mean) %.4f\n\n",
				r.Name, r.Positions.Positions, r.Positions.Equity, r.Positions.Win)
			printLosses(out, r.Losses, "gnubg 0")
			if r.Pubeval != nil {
				fmt.Fprintf(out, "\nagainst pubeval: %+.4f points a game, standard error %.4f, %d games\n", r.Pubeval.PointsPerGame, r.Pubeval.StandardError, r.Pubeval.Games)
			}
			if r.Versus != nil {
				fmt.Fprintf(out, "against %s: %+.4f points a game, standard error %.4f, %d games\n", against, r.Versus.PointsPerGame, r.Versus.StandardError, r.Versus.Games)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&file, "weights", "", "weights file (default the embedded one)")
	f.StringVar(&against, "against", "", "another weights file to play against")
	f.IntVar(&pairs, "pairs", 2000, "pairs of games against the other weights file")
	f.IntVar(&pubeval, "pubeval", 2000, "pairs of games against pubeval, 0 for none")
	f.Uint64Var(&seed, "seed", 1, "seed of the dice")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
