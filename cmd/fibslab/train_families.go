package main

import (
	"cmp"
	"errors"
	"fmt"

	"fibsbot/cmd/fibslab/internal/families"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/flagrule"
	"fibsbot/engine"

	"github.com/spf13/cobra"
)

// newTrainFamiliesCmd makes the yardstick of `bench families`.
func newTrainFamiliesCmd() *cobra.Command {
	var (
		names   []string
		n       int
		sharpen bool
		pack    string
		opts    = engine.Options{Threads: 1}
		m       = families.Maker{Rollout: families.Settings()}
	)
	for _, f := range families.All {
		names = append(names, f.Name)
	}
	cmd := &cobra.Command{
		Use:   "families OUT",
		Short: "Roll out positions of rare families, for measuring nets",
		Long: `Draws positions of each family from our own self-play, which begins at boards drawn for the
family, rolls them out to the end, cubeless and without luck, until standard errors are
small, and appends each to OUT as a line of JSON. It may be stopped at any time: the same
command resumes it; a larger --count makes the set larger. go doc of
cmd/fibslab/internal/families defines the families.

--sharpen draws nothing: it repeats rollouts with a larger error than --stop-stderr.
--pack writes OUT gzipped, as the program holds it.`,
		Example: `  fibslab train families families.jsonl --count 400
  fibslab train families families.jsonl --sharpen --stop-stderr 0.006 --trials 20000
  fibslab train families deep.jsonl --count 30 --plies 1 --families snake
  fibslab train families families.jsonl --pack cmd/fibslab/internal/families/testdata/families.jsonl.gz`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := cmp.Or(flagrule.NotEmpty(cmd, "pack"), flagrule.Apart(cmd, "sharpen", "pack", "count", "families"),
				flagrule.Apart(cmd, "pack", "count", "families")); err != nil {
				return cmdline.AsUsage(err)
			}
			for _, name := range names {
				if families.Find(name) == nil {
					return cmdline.Usagef("--families: unknown family %q", name)
				}
			}
			f, err := families.Open(args[0])
			if err != nil {
				return cmdline.AsUsage(fmt.Errorf("train families: %w", err))
			}
			defer func() { err = errors.Join(err, f.Close()) }()
			if pack != "" {
				return f.Pack(pack)
			}
			if m.Engine, err = engine.Open(opts); err != nil {
				return cmdline.AsUsage(err)
			}
			defer m.Engine.Close()
			m.Rollout.Checker.Prune = m.Rollout.Checker.Plies > 0
			show := cmdline.Progress(cmd.ErrOrStderr())
			if sharpen {
				return m.Sharpen(cmd.Context(), f, show)
			}
			return m.Make(cmd.Context(), f, names, n, show)
		},
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&names, "families", names, "families to draw")
	fl.Var(bounded.Of(&n, 400, 1, 100_000), "count", "positions of each family")
	fl.BoolVar(&sharpen, "sharpen", false, "draw nothing; repeat rollouts less exact than the flags ask for")
	fl.StringVar(&pack, "pack", "", "draw nothing; file for the positions of OUT, gzipped")
	fl.Uint64Var(&m.Seed, "seed", 2043, "seed of dice and boards")
	fl.Var(bounded.Of(&m.Rollout.Trials, m.Rollout.Trials, 36, 1<<20), "trials", "most trials of a position")
	fl.Var(bounded.Of(&m.Rollout.StopStdErr, m.Rollout.StopStdErr, 0, 1), "stop-stderr", "standard error to reach, 0 for that of the family")
	fl.Var(bounded.Of(&m.Rollout.Checker.Plies, 0, 0, 2), "plies", "depth of the plays in the trials")
	fl.StringVar(&opts.Weights, "weights", "", "weights file (default the embedded one)")
	fl.Var(bounded.Of(&m.Rollout.Threads, 1, 0, 1024), "threads", "threads")
	return cmd
}
