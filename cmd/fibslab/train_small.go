package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/prunefit"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/eval"
	"fibsbot/engine/search"
	"fibsbot/weights"
)

// newTrainSmallCmd fits and measures the small net of the search.
func newTrainSmallCmd() *cobra.Command {
	var (
		f           prunefit.Fit
		full, start string
		measure     bool
	)
	by := search.Replies
	cmd := &cobra.Command{
		Use:   "small FILE",
		Short: "Fit or measure the small net that prunes replies inside searches",
		Long: `Plays games with the static evaluation and fits the small net to the full net's values
of all plays of each roll. FILE is written now and then and at the end. With --measure
nothing is fitted: FILE is read. Both print what the shortlist keeps and loses.`,
		Example: `  fibslab train small small.bin --start engine/search/small.bin --plans 0.5 --temperature 0.015 --rolls 5000000 --rate 8e-4 --seed 9
  fibslab train small engine/search/small.bin --measure --plans 1`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.Rolls < 1 {
				return cmdline.Usagef("--rolls: %d (use 1 or more)", f.Rolls)
			}
			if !(f.Plans >= 0 && f.Plans <= 1) {
				return cmdline.Usagef("--plans: %v is not from 0 to 1", f.Plans)
			}
			if !(f.Rate > 0 && f.Temperature > 0) {
				return cmdline.Usagef("--rate, --temperature: not above 0")
			}
			set, err := weights.Load(full)
			if err != nil {
				return cmdline.AsUsage(err)
			}
			model, err := eval.NewModel(set, nil)
			if err != nil {
				return err
			}
			file := start
			if measure {
				file = args[0]
			}
			if file != "" {
				if f.Start, err = prunefit.Read(file); err != nil {
					return cmdline.Usagef("%s: %w", file, err)
				}
			}
			net := f.Start
			if !measure {
				if err := cmdline.WantParent("FILE", args[0]); err != nil {
					return err
				}
				f.Progress = func(rolls int, divergence float64) {
					fmt.Fprintf(cmd.ErrOrStderr(), "%d rolls: divergence %.4f\n", rolls, divergence)
				}
				if net, err = f.Run(cmd.Context(), model, args[0]); err != nil {
					return err
				}
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), prunefit.Measure(model, net, cmp.Or(f.Seed, 1), f.Plans, by))
			return err
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&f.Rolls, "rolls", 3000000, "rolls to learn from")
	fl.StringVar(&full, "weights", "", "weights file of the full nets (default the nets in the program)")
	fl.Uint64Var(&f.Seed, "seed", 1, "seed of weights and dice")
	fl.Float64Var(&f.Rate, "rate", 2.5e-3, "highest learning rate")
	fl.StringVar(&start, "start", "", "small net to continue from (default random weights)")
	fl.Float64Var(&f.Temperature, "temperature", 0.05, "temperature of the softmax over a roll's plays, in points")
	fl.Float64Var(&f.Plans, "plans", 0, "share of games that begin at boards of game plans")
	fl.BoolVar(&measure, "measure", false, "measure FILE without fitting")
	fl.IntVar(&by.Least, "least", by.Least, "fewest plays of the measured shortlist")
	fl.IntVar(&by.Most, "most", by.Most, "most plays of the measured shortlist, up to 8")
	fl.Float32Var(&by.Margin, "margin", by.Margin, "distance from the best play within which the shortlist keeps plays, in points")
	return cmd
}
