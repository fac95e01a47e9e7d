package main

import (
	"cmp"
	"context"

	"fibsbot/cmd/fibslab/internal/puretd"
	"fibsbot/cmd/fibslab/internal/reference"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/cmd/internal/flagrule"
	"fibsbot/engine"

	"github.com/spf13/cobra"
)

const truthHelp = `Draws decisions from our own self-play and from boards within plans, rolls out their near-best
plays or both arms of the cube until standard errors are at most 0.006, and appends each to OUT
as a line of JSON. Every second decision is reserved for releases. It may be stopped at any
time: the same command resumes it; larger counts make the set larger.

Trials end after --truncate plies, those of back games, containment, crashed
positions and bear-offs against contact after --long, with the value of a search of
--leaf plies; with --full they are played to the end, which shows the cost of
truncation.

--extend draws nothing: in the checker decisions of OUT it rolls out the choices of the
named players that have no rollout yet, beside the best play, with --puretd also those of a
net of PureTD at 0 and 1 plies.`

// newTrainTruthCmd makes the yardstick of `bench nets --truth` and `bench cube`.
func newTrainTruthCmd() *cobra.Command {
	var (
		ask      reference.Ask
		met, net string
		full     bool
		opts     = engine.Options{Threads: 1}
	)
	m := reference.Maker{Rollout: reference.Settings(), Long: reference.Long, Margin: 0.06, Most: 4}
	cmd := &cobra.Command{
		Use:   "truth OUT",
		Short: "Roll out decisions for measuring nets and presets, without gnubg",
		Long:  truthHelp,
		Example: `  fibslab train truth truth.jsonl --counts natural=500,backgame=150 --cubes natural=200,holding=50
  fibslab train truth truth.jsonl --extend expert,worldclass,grandmaster,gnubg:0,gnubg:2
  fibslab train truth truth.jsonl --pack cmd/fibslab/internal/reference/testdata/truth.jsonl.gz`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(flagrule.NotEmpty(cmd, "extend", "pack", "puretd"), flagrule.Apart(cmd, "extend", "pack", "counts", "cubes", "jacoby"),
				flagrule.Apart(cmd, "pack", "counts", "cubes", "jacoby")); err != nil {
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
			if ask.Pack != "" {
				return job.PackTo(cmd.OutOrStdout())
			}
			if opts.Table, err = engine.LoadTable(met); err != nil {
				return cmdline.Usagef("--met: %w", err)
			}
			if m.Engine, err = engine.Open(opts); err != nil {
				return cmdline.AsUsage(err)
			}
			defer m.Engine.Close()
			m.Rollout.Leaf.Prune = m.Rollout.Leaf.Plies > 0
			if full {
				m.Rollout.Truncate = 0
			}
			done, err := job.Run(cmd.Context(), &m, cmdline.Progress(cmd.ErrOrStderr()))
			if err == nil {
				cmd.PrintErrf("fibslab: %s: %s\n", args[0], done)
			}
			return err
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&ask.Counts, "counts", "natural=700,opening=100,backgame=150,containment=100,prime=100,blitz=100,holding=100,crashed=75,bearoffcontact=75", "checker decisions by tag")
	fl.StringVar(&ask.Cubes, "cubes", "natural=250,holding=50,prime=50,blitz=50,backgame=50,containment=50", "cube decisions by tag")
	fl.StringVar(&ask.Jacoby, "jacoby", "natural=60,blitz=20,prime=20,holding=20", "cube decisions of money play with the Jacoby rule by tag")
	fl.StringVar(&ask.Pack, "pack", "", "make nothing; file for the decisions of OUT, gzipped")
	fl.StringVar(&ask.Extend, "extend", "", "make nothing; roll out choices of presets, N (expert at N plies), gnubg:N")
	fl.StringVar(&net, "puretd", "", "with --extend: weights file of PureTD, whose choices are rolled out as well")
	fl.Uint64Var(&m.Seed, "seed", 2027, "seed of dice and boards")
	fl.Var(bounded.Of(&m.Rollout.Trials, m.Rollout.Trials, 36, 1<<20), "trials", "most trials of a choice")
	fl.Var(bounded.Of(&m.Rollout.StopStdErr, m.Rollout.StopStdErr, 0, 1), "stop-stderr", "standard error to reach")
	fl.Var(bounded.Of(&m.Rollout.Truncate, m.Rollout.Truncate, 0, 1000), "truncate", "plies after which a trial ends")
	fl.Var(bounded.Of(&m.Long, m.Long, 0, 1000), "long", "plies after which a trial of plans decided late ends")
	fl.Var(bounded.Of(&m.Rollout.Leaf.Plies, m.Rollout.Leaf.Plies, 0, 4), "leaf", "plies of the search at a trial's end")
	fl.BoolVar(&full, "full", false, "play trials to the end")
	fl.Var(bounded.Of(&m.Margin, m.Margin, 0, 6), "margin", "distance by a 2-ply search beyond which plays are not rolled out")
	fl.Var(bounded.Of(&m.Most, m.Most, 2, 100), "most", "most plays of a decision to roll out")
	fl.StringVar(&opts.Weights, "weights", "", "weights file (default the embedded one)")
	engineflags.AddMet(fl, &met)
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
	if ask.Extend == "" {
		return cmdline.Usagef("--puretd: needs --extend")
	}
	net, err := readNet(path)
	if err != nil {
		return err
	}
	for plies := range 2 {
		ask.Others = append(ask.Others, (&puretd.Player{Net: net, Plies: plies}).Chooser(ctx))
	}
	return nil
}
