package main

import (
	"cmp"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/ratings"
	"fibsbot/cmd/fibslab/internal/results"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/tune"
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
				s, _, err := results.Read(path)
				if err != nil {
					return cmdline.AsUsage(err)
				}
				if all == nil {
					all = s
				} else if err := all.Merge(s); err != nil {
					return cmdline.AsUsage(fmt.Errorf("%s: %w", path, err))
				}
			}
			if err := results.Write(args[0], all); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %d blocks, %d matches\n", args[0], all.Len(), all.Matches())
			return err
		},
	}
}

func newTuneReportCmd() *cobra.Command {
	var chartFile, save, known string
	var anchor float64
	var asJSON, residuals, errorRates bool
	cmd := &cobra.Command{
		Use:   "report RESULTS",
		Short: "Fit ratings to a results file and print them",
		Long: `Each rating has its 90 % interval against expert. fibsbot tune report prints the table
that the program holds; --save writes the fitted one in its form.

--known adds to a table: its ratings of settings that play here count as measured, and
the table keeps its other settings.

--residuals compares every pair, and apart from them those of fibslab tune import, with
the fit and with the published formulas of rating against error rates (fitted by Kees
van den Doel with gnubg). --errors counts the errors of each setting and the large ones
among them.`,
		Example: `  fibslab tune report tune.results --residuals
  fibslab tune report tune.results --save measured.json --chart strength.svg
  fibslab tune report human.results --known measured.json --save measured.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w := cmd.OutOrStdout()
			if err := cmp.Or(cmdline.WantParent("--chart", chartFile), cmdline.WantParent("--save", save)); err != nil {
				return err
			}
			var table *tune.Table
			if known != "" {
				data, err := os.ReadFile(known)
				if err != nil {
					return cmdline.Usagef("--known: %w", err)
				}
				surface, err := tune.ReadSurface(data)
				if err != nil {
					return cmdline.Usagef("--known: %s: %w", known, err)
				}
				table = surface.Table
			}
			from, err := results.FitFile(args[0], anchor, table)
			if err != nil {
				return cmdline.AsUsage(err)
			}
			for _, name := range from.Redefined {
				fmt.Fprintf(cmd.ErrOrStderr(), "fibslab: %s: preset %s was redefined after these matches: the ratings are those of its old settings\n", args[0], name)
			}
			if save != "" {
				if err := results.SaveTable(save, from.Surface.Table); err != nil {
					return err
				}
			}
			if chartFile != "" {
				if err := chart.WriteFile(chartFile, from.Surface); err != nil {
					return cmdline.AsUsage(err)
				}
			}
			if asJSON {
				return cmdline.PrintJSON(w, from.Surface.Table)
			}
			err = from.Surface.Print(w)
			if err == nil && residuals {
				err = results.PrintResiduals(w, from.Fit)
			}
			if err == nil && errorRates {
				err = results.PrintErrors(w, ratings.ErrorsOf(from.Totals))
			}
			return err
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&chartFile, "chart", "", "file for a chart of rating against error by match length: .svg or .png")
	fl.StringVar(&save, "save", "", "file for the fitted table, in the program's form")
	fl.StringVar(&known, "known", "", "table of earlier results to add to")
	fl.Float64Var(&anchor, "anchor", ratings.DefaultAnchor, "rating of expert")
	fl.BoolVar(&residuals, "residuals", false, "compare every pair with the fit and the published formulas")
	fl.BoolVar(&errorRates, "errors", false, "count the errors of each setting and the large ones among them")
	fl.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
