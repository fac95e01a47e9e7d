package main

import (
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/nets"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/flagrule"
	"fibsbot/engine/board"
)

// newBenchLabelsCmd is `fibslab bench labels`: two weights files on labelled positions.
func newBenchLabelsCmd() *cobra.Command {
	var l nets.Labels
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "labels FILE...",
		Short: "Compare nets on labelled positions",
		Long: `Compares the values of two weights files with the labels of record files, class by class:
the mean of value less label, the root mean square, and how much smaller the squared error is
than that of the other file. Both have the noise of the labels alike, so labels may be noisy.
Where plays of one decision are labelled (siblings), the last columns say in how many decisions the
files choose different plays, and how much better by the labels those of --weights are.

Outcomes without luck (train selfplay --trace 1 --siblings 3) of games that no net was fitted to
tell which nets are nearer to the truth; labels by searches hide what the nets get wrong
themselves.`,
		Example: `  fibslab train selfplay --trace 1 --siblings 3 --seed 77 --out apart
  fibslab bench labels apart/*.grp --weights new.weights`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flagrule.NotEmpty(cmd, "weights", "against"); err != nil {
				return cmdline.AsUsage(err)
			}
			l.Files = args
			rows, err := l.Measure(cmd.Context())
			var system *fs.PathError
			switch {
			case errors.Is(err, train.ErrBadRecord), errors.Is(err, board.ErrIllegalPosition), errors.Is(err, board.ErrBadID), errors.As(err, &system):
				return cmdline.AsUsage(err)
			case err != nil:
				return err
			case asJSON:
				return cmdline.PrintJSON(cmd.OutOrStdout(), rows)
			}
			return nets.PrintLabels(cmd.OutOrStdout(), rows)
		},
	}
	f := cmd.Flags()
	f.StringVar(&l.Weights, "weights", "", "weights file (default the embedded one)")
	f.StringVar(&l.Against, "against", "", "weights file beside it (default the embedded one)")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
