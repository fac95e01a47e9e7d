package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/engine/tune"
	"fibsbot/engine/tune/chart"
	"fibsbot/engine/tune/results"
	"fibsbot/internal/atomicfile"
)

func newTuneMergeCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "merge OUT IN...",
		Short:   "Put results of several runs or machines together",
		Long:    "Results of another engine, other nets, another seed, and blocks that are there twice are refused; OUT is replaced at once.",
		Example: "  fibsbot tune merge all.results part0.results part1.results",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			var all *tune.Store
			for _, path := range args[1:] {
				s, _, err := results.Read(path)
				if err != nil {
					return asUsage(err)
				}
				if all == nil {
					all = s
				} else if err := all.Merge(s); err != nil {
					return asUsage(fmt.Errorf("%s: %w", path, err))
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

// readSurface reads a table of strength; "" means the one in the program.
func readSurface(path string) (*tune.Surface, error) {
	if path == "" {
		return tune.Measured()
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, asUsage(fmt.Errorf("--table: %w", err))
	}
	s, err := tune.ReadSurface(data)
	if err != nil {
		return nil, asUsage(fmt.Errorf("--table: %s: %w", path, err))
	}
	return s, nil
}

func newTuneReportCmd() *cobra.Command {
	var table, chartFile, save string
	var anchor float64
	var asJSON, residuals, errorRates bool
	cmd := &cobra.Command{
		Use:   "report [RESULTS]",
		Short: "Print the table of measured strength",
		Long: `Without RESULTS the table in the program; with a results file of fibsbot tune
measure the ratings fitted to it. Each rating has its 90 % interval against expert.
--residuals compares every pair, those by differences (fibsbot tune import) apart,
with the fit and with the published formulas of rating against error rates (fitted by
Kees van den Doel with gnubg). --errors counts
the errors of each setting and how many of them are large.`,
		Example: `  fibsbot tune report
  fibsbot tune report tune.results --residuals
  fibsbot tune report tune.results --save measured.json --chart strength.svg`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w := cmd.OutOrStdout()
			if len(args) == 0 && (residuals || errorRates || save != "" || cmd.Flags().Changed("anchor")) {
				return usagef("--residuals, --errors, --save and --anchor need a results file")
			}
			if err := cmp.Or(wantParent("--chart", chartFile), wantParent("--save", save)); err != nil {
				return err
			}
			from := &results.Fitted{}
			var err error
			if len(args) == 0 {
				from.Surface, err = readSurface(table)
			} else {
				from, err = results.FitFile(args[0], anchor)
				err = asUsage(err)
			}
			if err != nil {
				return err
			}
			for _, name := range from.Redefined {
				fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: %s: preset %s was redefined since: its ratings are those of the one that played\n", args[0], name)
			}
			if save != "" {
				if err := results.SaveTable(save, from.Surface.Table); err != nil {
					return err
				}
			}
			if chartFile != "" {
				if err := writeChart(chartFile, from.Surface); err != nil {
					return err
				}
			}
			if asJSON {
				return printJSON(w, from.Surface.Table)
			}
			err = results.PrintTable(w, from.Surface)
			if err == nil && residuals {
				err = results.PrintResiduals(w, from.Fit)
			}
			if err == nil && errorRates {
				err = results.PrintErrors(w, tune.ErrorsOf(from.Totals))
			}
			return err
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&table, "table", "", "table of measured strength instead of the one in the program")
	fl.StringVar(&chartFile, "chart", "", "draw rating against error by match length: .svg or .png")
	fl.StringVar(&save, "save", "", "write the fitted table, as the program holds it")
	fl.Float64Var(&anchor, "anchor", tune.DefaultAnchor, "rating of expert")
	fl.BoolVar(&residuals, "residuals", false, "compare every pair with the fit and the published formulas")
	fl.BoolVar(&errorRates, "errors", false, "count the errors of each setting and the large ones among them")
	fl.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func writeChart(path string, s *tune.Surface) error {
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	if format != "svg" && format != "png" {
		return usagef("--chart: %s: the name must end in .svg or .png", path)
	}
	return atomicfile.Write(path, 0o644, func(f *os.File) error { return chart.Write(f, format, s) })
}
