package main

import (
	"fmt"
	"os"

	"fibsbot/cmd/fibslab/internal/cubefit"
	"fibsbot/cmd/fibslab/internal/families"
	"fibsbot/cmd/fibslab/internal/reference"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/internal/atomicfile"

	"github.com/spf13/cobra"
)

// newTrainCubeCmd makes the net of cube efficiencies.
func newTrainCubeCmd() *cobra.Command {
	var (
		out  string
		n    int
		opts = engine.Options{Threads: 1, CacheMB: 64}
		m    cubefit.Maker
		fit  cubefit.Fit
	)
	cmd := &cobra.Command{
		Use:   "cube LABELS",
		Short: "Label cube efficiencies by 2-ply searches and fit their net",
		Long: `Draws positions of contact from self-play, values each with the cube in several spots by a 2-ply
search, in money play and at scores, and appends them to LABELS as lines of JSON.
--fit draws nothing: it fits the net to LABELS and writes it to a file.`,
		Example: `  fibslab train cube cube.jsonl --positions 100000
  fibslab train cube cube.jsonl --fit engine/cube/efficiency.bin`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if out != "" {
				ls, err := cubefit.Read(args[0])
				if err != nil {
					return cmdline.AsUsage(err)
				}
				fit.Table, fit.Out = match.DefaultTable(), cmd.OutOrStdout()
				net, err := fit.Run(ls)
				if err != nil {
					return err
				}
				return atomicfile.WriteBytes(out, 0o644, net.Append(nil))
			}
			if m.Hidden, err = hidden(); err != nil {
				return err
			}
			if m.Engine, err = engine.Open(opts); err != nil {
				return cmdline.AsUsage(err)
			}
			defer m.Engine.Close()
			f, err := os.OpenFile(args[0], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if err != nil {
				return cmdline.AsUsage(err)
			}
			defer f.Close()
			show := cmdline.Progress(cmd.ErrOrStderr())
			if err := m.Make(cmd.Context(), f, 0, n, func(done int) { show("labels", done, n) }); err != nil {
				return fmt.Errorf("train cube: %w", err)
			}
			return f.Sync()
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&out, "fit", "", "draw nothing; file for the net fitted to LABELS")
	fl.Var(bounded.Of(&n, 100_000, 1, 10_000_000), "positions", "positions to label")
	fl.Var(bounded.Of(&m.Plies, 2, 0, 3), "plies", "depth of the search")
	fl.Uint64Var(&m.Seed, "seed", 1, "seed of games, scores and first weights")
	fl.IntVar(&fit.Epochs, "epochs", 12, "passes over the labels")
	fl.Float64Var(&fit.Rate, "rate", 2e-3, "highest learning rate")
	fl.StringVar(&opts.Weights, "weights", "", "weights file (default the embedded one)")
	return cmd
}

// hidden returns the positions of all yardsticks.
func hidden() (train.KeySet, error) {
	s := train.KeySet{}
	ds, err := reference.Embedded()
	if err != nil {
		return nil, err
	}
	for i := range ds {
		p, err := board.ParseID(ds[i].Position)
		if err != nil {
			return nil, err
		}
		s.Add(p.Key())
	}
	return s, families.Hide(s)
}
