package main

import (
	"errors"

	"fibsbot/cmd/fibsbot/internal/bounded"
	"fibsbot/cmd/fibsbot/internal/flagrule"
	"fibsbot/engine/bench/nets"
	"fibsbot/engine/train"

	"github.com/spf13/cobra"
)

// truthFlags say what is measured on rolled out decisions.
type truthFlags struct {
	nets.Truth
	strength strengthFlags
	parts    engineFlags
}

func (f *truthFlags) add(cmd *cobra.Command, fallback string) {
	addStrengthFlags(cmd, &f.strength, fallback)
	addPresetsFlag(cmd, &f.strength.config)
	fl := cmd.Flags()
	fl.StringVar(&f.File, "truth-file", "", "file of train truth (default the set in the program)")
	fl.Var(bounded.Of(&f.Gnubg, 0, -1, 3), "gnubg-plies", "depth of gnubg beside us, where it is installed; -1 for none")
	fl.BoolVar(&f.Release, "release", false, "measure on the reserved half, which is for releases")
	f.Warn = func(text string) {
		if fl.Changed("gnubg-plies") || fl.Changed("gnubg-dir") { // without, nobody expects it
			cmd.PrintErrln("fibsbot: " + text)
		}
	}
}

// asTruth marks as the user's mistake what cannot be measured.
func asTruth(err error) error {
	if errors.Is(err, nets.ErrTruth) {
		return asUsage(err)
	}
	return err
}

// newBenchCubeCmd is `fibsbot bench cube`.
func newBenchCubeCmd() *cobra.Command {
	var f truthFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "cube",
		Short: "Measure cube decisions on rolled out ones",
		Long: `Asks a preset about every cube decision of the set that our own engine has rolled out
(train truth) and prints what its doubles and its answers give up, in millipoints of
equity at the present cube, beside gnubg's. None of the decisions trained or fitted
anything; half are reserved for --release. With --bearoffs N it asks about N close ones
of bearoffs at random scores instead, up to six checkers a side, worked out exactly.`,
		Example: `  fibsbot bench cube
  fibsbot bench cube --preset worldclass --gnubg-plies 2 --json
  fibsbot bench cube --preset expert --bearoffs 100`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := flagrule.NotEmpty(cmd, "truth-file"); err != nil {
				return asUsage(err)
			}
			if f.strength.cubeless {
				return usagef("--cubeless: without a cube there is nothing to measure")
			}
			pr, err := f.strength.resolve(cmd)
			if err != nil {
				return err
			}
			e, err := f.parts.open(cmd, f.strength.seed)
			if err != nil {
				return err
			}
			defer e.Close()
			bar := barOf(cmd)
			f.Progress = bar.Show
			f.Weights, f.Met, f.BearoffDir = f.parts.weights, f.parts.met, f.parts.bearoffDir
			r, err := f.Cubes(cmd.Context(), e, pr, f.strength.seed)
			if bar.Clear(); err != nil {
				return asTruth(err)
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), r)
			}
			r.Print(cmd.OutOrStdout())
			return nil
		},
	}
	f.add(cmd, "worldclass")
	addEngineFlags(cmd, &f.parts)
	cmd.Flags().Var(bounded.Of(&f.Bearoffs, 0, 0, nets.MaxBearoffs), "bearoffs", "measure on so many exact bearoffs at random scores, by --seed")
	cmd.Flags().StringVar(&f.GnubgDir, "gnubg-dir", train.GnubgDir, "folder of label.py; outside a checkout the file in the program is used")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
