package main

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/ratings"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine/bench"
	"fibsbot/engine/tune/chart"
)

// newTuneCmd is `fibslab tune`: how strong settings are.
func newTuneCmd() *cobra.Command {
	return group("tune", "Measure how strong settings play", "Measures the table of strength from which fibsbot tune --target-rating orders settings.",
		"  fibslab tune measure --plan presets --lengths 5 -o presets.results\n  fibslab tune report presets.results --residuals",
		newTuneMeasureCmd(), newTuneImportCmd(), newTuneMergeCmd(), newTuneReportCmd(), newTuneCheckCmd())
}

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
				s, err := ratings.Read(path)
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

func newTuneImportCmd() *cobra.Command {
	var parts engineflags.Engine
	var out string
	cmd := &cobra.Command{
		Use:   "import LOG...",
		Short: "Add duels by differences to a results file",
		Long: `Adds the pairs in logs of fibsbot duel A B --differences --matches N --length L
--log LOG to a results file, which it makes if missing. Such a duel values only the
decisions at which the two presets differ, which separates presets that mostly agree;
the fit (fibslab tune report) uses it as an observation beside the matches played.

A log that has grown may be imported again: only its new pairs are added. If a log is
refused, such as one of another engine, other nets or a redefined preset, nothing is added.`,
		Example: `  fibsbot duel supremo worldclass --differences --matches 40 --length 5 --log sw5.jsonl
  fibslab tune import sw5.jsonl -o all.results
  fibslab tune report all.results --residuals`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			duels := make([]*ratings.Duel, len(args))
			for i, path := range args {
				var err error
				if duels[i], err = ratings.OpenDuel(path); err != nil {
					return cmdline.AsUsage(fmt.Errorf("%s: %w", path, err))
				}
			}
			parts.Threads = 1
			e, err := parts.Open(cmd, 1)
			if err != nil {
				return err
			}
			defer e.Close()
			nets := e.Manifest().Name
			sign, err := bench.Signature(cmd.Context(), e)
			if err != nil {
				return err
			}
			for i, d := range duels {
				if h := &d.Header; h.Nets != nets || h.Signature != sign {
					return cmdline.Usagef("%s: played by engine %.40q with nets %.40q, this one is %q with %q", args[i], h.Signature, h.Nets, sign, nets)
				}
			}
			// The seed of a results file decides only what tune measure plays for it: any
			// file will do.
			h := ratings.Header{Seed: 1, BlockSize: ratings.DefaultBlock}
			if store, err := ratings.Read(out); err == nil {
				h = store.Header
			}
			file, err := ratings.Open(cmd.Context(), e, out, h)
			if err != nil {
				return asResults(err)
			}
			defer file.Close()
			took, err := file.Take(args, duels)
			if err != nil {
				return asResults(err)
			}
			var report bytes.Buffer
			for i, t := range took {
				fmt.Fprintf(&report, "%s: %s: %d pairs added, %d known\n", args[i], t.Cell, len(t.Added), t.There)
			}
			fmt.Fprintf(&report, "%s: %d blocks, %d matches\n", out, file.Store.Len(), file.Store.Matches())
			for i, d := range duels {
				if h := &d.Header; h.Settings == ([2]string{}) {
					fmt.Fprintf(cmd.ErrOrStderr(), "fibslab: %s: an older log: it does not record the settings of %s and %s\n", args[i], h.A, h.B)
				}
			}
			_, err = report.WriteTo(cmd.OutOrStdout())
			return err
		},
	}
	engineflags.AddEngine(cmd, &parts)
	cmd.Flags().StringVarP(&out, "output", "o", "tune.results", "results file, made if missing")
	return cmd
}
