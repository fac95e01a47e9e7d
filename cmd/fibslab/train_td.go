package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"fibsbot/cmd/fibslab/internal/pipeline"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/nn"

	"github.com/spf13/cobra"
)

// newTrainTDCmd learns from nothing.
func newTrainTDCmd() *cobra.Command {
	var (
		td     train.TD
		hidden int
		pack   string
	)
	cmd := &cobra.Command{
		Use:   "td CHECKPOINT",
		Short: "Learn from nothing by temporal differences",
		Long: `Plays games against itself, beginning with random nets, and learns from them by
TD(lambda). No teacher and no data are needed. Prints the points a game against
Tesauro's pubeval as it learns. CHECKPOINT is written now and then; the same
command resumes it. A few thousand games beat a beginner, some hundred thousand
come close to pubeval and pass it.`,
		Example: `  fibslab train td td.ckpt --games 20000 --pack td.weights
  fibslab train td td.ckpt --games 200000 --hidden 128 --rate 0.001`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			td.Contact = train.Shape{Kind: train.KindContact, Hidden: hidden, Activation: "softsign"}
			td.Race = train.Shape{Kind: train.KindRace, Hidden: 32, Activation: "softsign"}
			td.Checkpoint, td.SaveEvery = args[0], 1000
			if err := cmp.Or(asOptions(pipeline.CheckTD(&td)), cmdline.WantParent("CHECKPOINT", args[0]), cmdline.WantParent("--pack", pack)); err != nil {
				return err
			}
			bar := cmdline.Bar(cmd)
			td.Progress = func(games int) { bar.Show("games", games, td.Games) }
			td.Report = func(games int, contact, _ *train.Probe) error {
				g, err := (&train.Contest{A: &train.NetPlayer{Net: contact}, B: &train.PubevalPlayer{}, Pairs: 200, Seed: 1}).Play(ctx)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(bar.Above(cmd.OutOrStdout()), "%d games: %+.3f points a game against pubeval, standard error %.3f\n", games, g.PointsPerGame, g.StandardError)
				return err
			}
			contact, race, err := td.Run(ctx)
			bar.Clear()
			if errors.Is(err, context.Canceled) {
				fmt.Fprintf(cmd.ErrOrStderr(), "stopped; the same command resumes %s\n", args[0])
			}
			if err != nil {
				return err
			}
			if pack == "" {
				return nil
			}
			m := nn.Manifest{Name: "td", History: []string{fmt.Sprintf("%d games of TD(%g) from nothing, seed %d", td.Games, td.Lambda, td.Seed)}}
			return train.PackNets(pack, m, td.Contact, contact, td.Race, race)
		},
	}
	f := cmd.Flags()
	f.IntVar(&td.Games, "games", 20000, "games to play")
	f.IntVar(&td.Batch, "batch", 32, "games with the same weights")
	f.IntVar(&hidden, "hidden", 64, "units of the contact net, a multiple of 32")
	f.Float64Var(&td.Lambda, "lambda", 0.7, "weight of later judgements: 0 the next one only, 1 results only")
	f.Float64Var(&td.Rate, "rate", 1e-3, "learning rate at the beginning")
	f.Float64Var(&td.Explore, "explore", 0.01, "share of plays made at random")
	f.Uint64Var(&td.Seed, "seed", 1, "seed of weights and dice")
	f.IntVar(&td.ReportEvery, "report", 2000, "games between reports")
	f.StringVar(&pack, "pack", "", "weights file to write at the end")
	return cmd
}
