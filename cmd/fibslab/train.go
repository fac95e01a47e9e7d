package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/pipeline"
	"fibsbot/cmd/fibslab/internal/puretd"
	"fibsbot/cmd/fibslab/internal/races"
	"fibsbot/cmd/fibslab/internal/reference"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/cmd/internal/flagrule"
	"fibsbot/cmd/internal/remote"
	"fibsbot/engine"
	"fibsbot/engine/search"
	"fibsbot/internal/figure"
	"fibsbot/internal/shard"
)

// newTrainCmd is `fibslab train`: the steps of making nets.
func newTrainCmd() *cobra.Command {
	return group("train", "Make positions, label them, fit nets and accept only better ones", `Each step of making nets is a command, resumable and seeded:

  selfplay   many varied positions without duplicates, labelled as they are made
  label      labels for positions by searches
  fit        a net fitted to labelled positions
  choose     new nets class by class, those that decide better
  truth      decisions rolled out by our own engine, to measure by
  small      the net that prunes replies inside searches

docs/training.md describes how the nets of fibsbot were made.`, `  fibslab train selfplay --weights NETS --trace 0.8 --siblings 3 --out traces
  fibslab train choose new.weights --net crashed=crashed.fit`,
		newTrainSelfplayCmd(), newTrainLabelCmd(), newTrainRacesCmd(), newTrainFitCmd(), newTrainPackCmd(), newTrainChooseCmd(), newTrainTruthCmd(), newTrainCubeCmd(), newTrainSmallCmd())
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
			return teach.on(cmd, farmcmd.Work{Kind: selfPlayJob, Ask: remote.Part, Most: 32}, 0, json.RawMessage(of), func(crew shard.Crew, size int) error {
				sp.Crew, sp.Size = crew, size
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
			return teach.on(cmd, farmcmd.Work{Kind: labelJob, Ask: ask, Most: 2048}, plies, of, func(crew shard.Crew, size int) error {
				labels := pipeline.Labels{Plies: plies, Crew: crew, Size: size, By: by,
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

// newTrainRacesCmd makes races with exact labels.
func newTrainRacesCmd() *cobra.Command {
	var (
		db, rest      string
		starts, avoid []string
		n             int
		seed          uint64
	)
	cmd := &cobra.Command{
		Use:   "races OUT",
		Short: "Generate races with the exact chances of a bearoff database",
		Long: `Plays races inside a big one-sided database, mostly the quickest play and sometimes
another, and writes the positions that are not home yet with the database's chances,
without duplicates. A quarter of the races begin at records of the --starts files, a
quarter at drawn race boards, a quarter at drawn stacks, a quarter at any placement,
where gammons come from. --rest FILE keeps the races of --starts that the database does
not hold, with their labels.`,
		Example: `  fibsbot bearoff build one --points 10 -o one-15x10.bearoff
  fibslab train races exact.bin --db one-15x10.bearoff --starts sp-race.grp --positions 3000000`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if db == "" {
				return cmdline.Usagef("--db: no database (fibsbot bearoff build one --points 10 -o FILE makes one)")
			}
			ctx := cmd.Context()
			known, err := races.OpenDatabase(db)
			if err != nil {
				return cmdline.AsUsage(err)
			}
			defer known.Close()
			m := races.NewMaker(known, n, seed)
			for _, path := range avoid {
				recs, err := train.ReadRecords(nil, path)
				if err != nil {
					return cmdline.Usagef("%v", err)
				}
				for i := range recs {
					m.Avoid(recs[i].Key)
				}
			}
			var outside []train.Record
			for _, path := range starts {
				recs, err := train.ReadRecords(nil, path)
				if err != nil {
					return cmdline.Usagef("%v", err)
				}
				outside = append(outside, m.StartFrom(recs)...)
			}
			if rest != "" {
				if err := train.WriteRecords(rest, outside); err != nil {
					return err
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d races outside the database\n", rest, len(outside))
			}
			if err := m.Run(ctx); err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d races, %d starts from files\n", args[0], len(m.Records()), m.Starts())
			return train.WriteRecords(args[0], m.Records())
		},
	}
	f := cmd.Flags()
	f.StringVar(&db, "db", "", "one-sided database of 15 checkers on more than 6 points")
	f.StringVar(&rest, "rest", "", "file for the races of --starts outside the database")
	f.StringSliceVar(&starts, "starts", nil, "record files with races to begin at")
	f.StringSliceVar(&avoid, "avoid", nil, "record files whose positions are left out")
	f.Var(bounded.Of(&n, 1_000_000, 1, 1<<28), "positions", "number of positions")
	f.Uint64Var(&seed, "seed", 1, "seed of dice and boards")
	return cmd
}

const truthHelp = `Draws decisions from our own self-play and from boards within plans, rolls out their near-best
plays or both arms of the cube until standard errors are at most 0.006, and appends each to OUT
as a line of JSON. Every second decision is reserved for releases. It may be stopped at any
time: the same command resumes it; larger counts make the set larger.

Trials end after --truncate plies, those of back games, containment, crashed
positions and bear-offs against contact four plies later.

With --disputed only decisions are kept on which the named players differ, in games that those at
0 plies play, each in turn; all their plays are rolled out.

--extend draws nothing: in the checker decisions of OUT it rolls out the choices of the
named players that have no rollout yet, beside the best play. --puretd adds a net of PureTD at 0
and 1 plies to the players.`

// newTrainTruthCmd makes the yardstick of `bench nets --truth` and `bench cube`.
func newTrainTruthCmd() *cobra.Command {
	var (
		ask  reference.Ask
		net  string
		opts = engine.Options{Threads: 1}
	)
	m := reference.Maker{Rollout: reference.Settings()}
	cmd := &cobra.Command{
		Use:   "truth OUT",
		Short: "Roll out decisions for measuring nets and presets, without gnubg",
		Long:  truthHelp,
		Example: `  fibslab train truth truth.jsonl --counts natural=500,backgame=150 --cubes natural=200,holding=50
  fibslab train truth truth.jsonl --extend expert,worldclass,grandmaster,gnubg:0,gnubg:2
  fibslab train truth disputed.jsonl --disputed 0,1,2,gnubg:0,gnubg:2 --counts natural=100 --cubes natural=50 --jacoby=`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(flagrule.NotEmpty(cmd, "extend", "disputed", "puretd"), flagrule.Apart(cmd, "extend", "disputed", "counts", "cubes", "jacoby")); err != nil {
				return cmdline.AsUsage(err)
			}
			if err := alsoPuretd(cmd.Context(), &ask, net); err != nil {
				return err
			}
			job, err := ask.Start(args[0])
			if err != nil {
				return cmdline.AsUsage(err)
			}
			defer job.Close()
			if m.Engine, err = engine.Open(opts); err != nil {
				return cmdline.AsUsage(err)
			}
			defer m.Engine.Close()
			what := "decision"
			if ask.Extend != "" {
				what = "choice"
			}
			n, err := job.Run(cmd.Context(), &m, cmdline.Progress(cmd.ErrOrStderr()))
			if err == nil {
				cmd.PrintErrf("fibslab: %s: %s rolled out\n", args[0], figure.Count(n, what))
			}
			return err
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&ask.Counts, "counts", "natural=700,opening=100,backgame=150,containment=100,prime=100,blitz=100,holding=100,crashed=75,bearoffcontact=75", "checker decisions by tag")
	fl.StringVar(&ask.Cubes, "cubes", "natural=250,holding=50,prime=50,blitz=50,backgame=50,containment=50", "cube decisions by tag")
	fl.StringVar(&ask.Jacoby, "jacoby", "natural=60,blitz=20,prime=20,holding=20", "cube decisions of money play with the Jacoby rule by tag")
	fl.StringVar(&ask.Extend, "extend", "", "make nothing; roll out choices of presets, N (expert at N plies), gnubg:N")
	fl.StringVar(&ask.Disputed, "disputed", "", "take only decisions on which these differ: presets, N, gnubg:N")
	fl.StringVar(&net, "puretd", "", "with --extend or --disputed: weights file of PureTD, one more player")
	fl.Uint64Var(&m.Seed, "seed", 2027, "seed of dice and boards")
	fl.Var(bounded.Of(&m.Rollout.Trials, m.Rollout.Trials, 36, 1<<20), "trials", "most trials of a choice")
	fl.Var(bounded.Of(&m.Rollout.StopStdErr, m.Rollout.StopStdErr, 0, 1), "stop-stderr", "standard error to reach")
	fl.Var(bounded.Of(&m.Rollout.Truncate, m.Rollout.Truncate, 0, 1000), "truncate", "plies after which a trial ends")
	fl.StringVar(&opts.Weights, "weights", "", "weights file (default the embedded one)")
	fl.StringVar(&opts.BearoffDir, "bearoff-dir", "", "folder with larger bearoff databases")
	fl.Var(bounded.Of(&m.Rollout.Threads, 1, 0, 1024), "threads", "threads")
	return cmd
}

// alsoPuretd has the choices of the net in the file path at 0 and 1 plies rolled out too, unless path
// is empty.
func alsoPuretd(ctx context.Context, ask *reference.Ask, path string) error {
	if path == "" {
		return nil
	}
	if ask.Extend == "" && ask.Disputed == "" {
		return cmdline.Usagef("--puretd: needs --extend or --disputed")
	}
	net, err := readNet(path)
	if err != nil {
		return err
	}
	for plies := range 2 {
		ask.Others = append(ask.Others, reference.Panelist{Play: (&puretd.Player{Net: net, Plies: plies}).Chooser(ctx), Host: plies == 0})
	}
	return nil
}
