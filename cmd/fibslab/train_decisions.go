package main

import (
	"fmt"
	"slices"

	"fibsbot/cmd/fibslab/internal/jobs"
	"fibsbot/cmd/fibslab/internal/pipeline"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/engine/board"
	"fibsbot/internal/shard"

	"github.com/spf13/cobra"
)

// newTrainDecisionsCmd makes the decision set of `fibslab bench nets`.
func newTrainDecisionsCmd() *cobra.Command {
	var (
		counts string
		teach  taught
		seed   uint64
		plies  int
		margin float32
	)
	cmd := &cobra.Command{
		Use:   "decisions OUT",
		Short: "Make a set of rated decisions for measuring nets",
		Long: `Draws decisions from gnubg's 0-ply self-play and from boards within plans, has gnubg
rate the plays at 2 plies and writes them to OUT (gzip). The nets are measured on
them and never trained on them. The file is written after each tag; a second run
makes only the missing tags.`,
		Example: `  fibslab train decisions cmd/fibslab/internal/train/testdata/decisions.bin.gz --seed 2026`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			want, err := pipeline.ParseCounts(counts)
			if err != nil {
				return asOptions(err)
			}
			set, err := pipeline.OpenDecisions(args[0], want)
			if err != nil {
				return asOptions(err)
			}
			// A decision has a dozen plays to rate: pieces are sized for so many.
			ask := func(int) []byte { return train.AskLabels(slices.Repeat([]board.Key{board.Start.Key()}, 12)) }
			of := fmt.Sprint("decisions ", seed, margin)
			err = teach.on(cmd, farmcmd.Work{Kind: jobs.Label, Ask: ask, Most: 256}, plies, of, func(t train.Teacher, crew shard.Crew, size int) error {
				m := &train.ProblemMaker{Teacher: t, Crew: crew, Size: size, Seed: seed, Plies: plies, Margin: margin, Threads: max(teach.Threads, 1)}
				return set.Make(cmd.Context(), m, cmdline.Progress(cmd.ErrOrStderr()))
			})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d decisions\n", set.Len())
			return err
		},
	}
	f := cmd.Flags()
	teach.add(cmd)
	f.StringVar(&counts, "counts", "natural=1600,opening=300,holding=350,prime=350,blitz=350,backgame=400,containment=350,bearoffcontact=350,crashed=300,race=350", "decisions by tag")
	f.Uint64Var(&seed, "seed", 2026, "seed of dice and boards")
	f.IntVar(&plies, "plies", 2, "depth of the reference")
	f.Var(bounded.Of(&margin, 0.13, 0, 6), "margin", "plays this much worse at 0 plies keep their 0-ply value")
	return cmd
}
