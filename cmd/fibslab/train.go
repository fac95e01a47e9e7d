package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"fibsbot/cmd/fibslab/internal/jobs"
	"fibsbot/cmd/fibslab/internal/pipeline"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/cmd/internal/remote"
	"fibsbot/engine/search"
	"fibsbot/internal/shard"

	"github.com/spf13/cobra"
)

// newTrainCmd is `fibslab train`: the steps of making nets.
func newTrainCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Make positions, label them, fit nets and accept only better ones",
		Long: `Each step of making nets is a command, resumable and seeded:

  selfplay   many varied positions without duplicates, labelled as they are made
  label      labels for positions by searches
  fit        a net fitted to labelled positions
  choose     new nets class by class, those that decide better
  truth      decisions rolled out by our own engine, to measure by
  small      the net that prunes replies inside searches

docs/training.md describes how the nets of fibsbot were made.`,
		Example: `  fibslab train selfplay --weights NETS --trace 0.8 --siblings 3 --out traces
  fibslab train choose new.weights --net crashed=crashed.fit`,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTrainSelfplayCmd(), newTrainLabelCmd(), newTrainRacesCmd(), newTrainFitCmd(), newTrainPackCmd(), newTrainChooseCmd(), newTrainTruthCmd(), newTrainCubeCmd(), newTrainSmallCmd())
	return cmd
}

func newTrainSelfplayCmd() *cobra.Command {
	var (
		out, prefix, mix string
		teach            taught
		avoid            []string
		n                int
		sp               train.SelfPlay
	)
	cmd := &cobra.Command{
		Use:   "selfplay",
		Short: "Generate varied labelled positions without duplicates",
		Long: `Plays a thousand games at once. Our own search judges all candidate plays; the plays made
and their best rivals are kept, in one file of records for each class of net,
OUT/PREFIX-CLASS.grp, whose records carry the number of their decision. Natural games
begin at the start position; the others at boards drawn at random within a plan: ` + strings.Join(train.PlanNames[1:], " ") + `.
A second run with the same files resumes them. Positions in the files, and those by which
bench nets measures, are not made again.

With --trace LAMBDA and --siblings N each game goes on N times, after N good plays of one
decision, to the end of contact, and best play is labelled with its outcome: LAMBDA of the
later game, the rest of the next judgement (TD(lambda)). The mean over a position's rolls
replaces the actual roll, so labels have no luck. --horizon N makes more of early positions: it
ends these games after N plies with the judgement there.`,
		Example: `  fibslab train selfplay --out data --positions 2000000
  fibslab train selfplay --out data --prefix traced --trace 0.8 --siblings 3`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			of, err := pipeline.Games(&sp, out, prefix, mix, avoid, n, func(path string, n int) {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d positions will not be made again\n", path, n)
			})
			if err != nil {
				return err
			}
			ctx, show := cmd.Context(), cmdline.Progress(cmd.ErrOrStderr())
			sp.Progress = func(done int) { show("positions", done, n) }
			return teach.on(cmd, farmcmd.Work{Kind: jobs.SelfPlay, Ask: remote.Part, Most: 32}, 0, json.RawMessage(of), func(t train.Teacher, crew shard.Crew, size int) error {
				if sp.Teacher, sp.Threads = t, teach.Threads; crew != nil {
					sp.Crew, sp.Games = crew, size
				}
				shards, err := train.NewShards(out, prefix)
				if err != nil {
					return err
				}
				return errors.Join(sp.Run(ctx, n, shards.Write), shards.Close())
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&out, "out", "train-data", "folder of the record files")
	f.StringVar(&prefix, "prefix", "sp", "beginning of the file names")
	f.Var(bounded.Of(&n, 1_000_000, 1, 1<<31-1), "positions", "number of positions")
	f.Var(bounded.Of(&sp.Games, 1000, 1, 1<<20), "games", "games played at once")
	f.Var(bounded.Of(&sp.Plies, 0, 0, search.MaxPlies), "plies", "depth of the search")
	f.Var(bounded.Of(&sp.Trace, 0, 0, 1), "trace", "with --siblings: share of the game's outcome in the labels, from 0 (off) to 1")
	f.Var(bounded.Of(&sp.Horizon, 0, 0, train.MaxHorizon), "horizon", "with --siblings: take decisions of the first 16 turns, end games so many plies later and keep the first half of their positions; 0 for whole games")
	f.Var(bounded.Of(&sp.Siblings, 0, 0, train.MaxSiblings), "siblings", "with --trace: trace so many of the best plays of one decision in each game, 2 or more")
	f.Uint64Var(&sp.Seed, "seed", 1, "seed of dice, boards and noise")
	teach.add(cmd)
	f.StringVar(&mix, "mix", train.UsualMix, "relative numbers of games by plan")
	f.StringSliceVar(&avoid, "avoid", nil, "record files whose positions are left out (validation)")
	return cmd
}

func newTrainLabelCmd() *cobra.Command {
	var teach taught
	var plies int
	cmd := &cobra.Command{
		Use:   "label IN OUT",
		Short: "Label the positions of a record file again",
		Long: `Reads the record file IN, searches each position and appends to OUT. The same command
resumes after the last record of OUT, whose positions must be those of IN and whose labels
those of the same nets and depth, as OUT.by records.`,
		Example: `  fibslab train label data/sp-crashed.grp data/crashed-1ply.grp --plies 1 --threads 2`,
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			if _, err := os.Stat(args[0]); err != nil {
				return cmdline.AsUsage(err)
			}
			by, err := pipeline.ByOf(teach.Options, plies)
			if err != nil {
				return err
			}
			of, ask := "", remote.Part
			if teach.Farm.URL != "" {
				if of, ask, err = pipeline.Positions(args[0]); err != nil {
					return cmdline.AsUsage(err)
				}
			}
			return teach.on(cmd, farmcmd.Work{Kind: jobs.Label, Ask: ask, Most: 2048}, plies, of, func(t train.Teacher, crew shard.Crew, size int) error {
				labels := pipeline.Labels{Teacher: t, Plies: plies, Threads: teach.Threads, Crew: crew, Size: size, By: by,
					Show: cmdline.Progress(cmd.ErrOrStderr()), Say: func(line string) { fmt.Fprintln(cmd.ErrOrStderr(), line) }}
				return labels.Label(ctx, args[0], args[1])
			})
		},
	}
	f := cmd.Flags()
	f.Var(bounded.Of(&plies, 2, 0, search.MaxPlies), "plies", "depth of the labels")
	teach.add(cmd)
	return cmd
}
