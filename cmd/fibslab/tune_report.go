package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/ratings"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/tune/chart"
)

func newTuneMergeCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "merge OUT IN...",
		Short:   "Merge the results of several runs or machines",
		Long:    "Refuses results of another engine, other nets or another seed, and duplicate blocks. OUT\nis replaced as a whole.",
		Example: "  fibslab tune merge all.results part0.results part1.results",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			var all *ratings.Store
			for _, path := range args[1:] {
				s, _, err := ratings.Read(path)
				if err != nil {
					return cmdline.AsUsage(err)
				}
				if all == nil {
					all = s
				} else if err := all.Merge(s); err != nil {
					return cmdline.AsUsage(fmt.Errorf("%s: %w", path, err))
				}
			}
			if err := ratings.Write(args[0], all); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %d blocks, %d matches\n", args[0], all.Len(), all.Matches())
			return err
		},
	}
}

func newTuneReportCmd() *cobra.Command {
	var chartFile, save string
	var residuals bool
	cmd := &cobra.Command{
		Use:   "report RESULTS",
		Short: "Fit ratings to a results file and print them",
		Long: `Each rating has its 90 % interval against expert. fibsbot tune report prints the table
that the program holds; --save writes the fitted one in its form.

--residuals compares every pair, and apart from them those of fibslab tune import, with
the fit and with the published formulas of rating against error rates (fitted by Kees
van den Doel with gnubg).`,
		Example: `  fibslab tune report tune.results --residuals
  fibslab tune report tune.results --save measured.json --chart strength.svg`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w := cmd.OutOrStdout()
			if err := cmp.Or(cmdline.WantParent("--chart", chartFile), cmdline.WantParent("--save", save)); err != nil {
				return err
			}
			fit, surface, redefined, err := ratings.FitFile(args[0], ratings.DefaultAnchor)
			if err != nil {
				return cmdline.AsUsage(err)
			}
			for _, name := range redefined {
				fmt.Fprintf(cmd.ErrOrStderr(), "fibslab: %s: preset %s was redefined after these matches: the ratings are those of its old settings\n", args[0], name)
			}
			if save != "" {
				if err := ratings.SaveTable(save, surface.Table); err != nil {
					return err
				}
			}
			if chartFile != "" {
				if err := chart.WriteFile(chartFile, surface); err != nil {
					return cmdline.AsUsage(err)
				}
			}
			if err := surface.Print(w); err != nil || !residuals {
				return err
			}
			return ratings.PrintResiduals(w, fit)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&chartFile, "chart", "", "file for a chart of rating against error by match length: .svg or .png")
	fl.StringVar(&save, "save", "", "file for the fitted table, in the program's form")
	fl.BoolVar(&residuals, "residuals", false, "compare every pair with the fit and the published formulas")
	return cmd
}
