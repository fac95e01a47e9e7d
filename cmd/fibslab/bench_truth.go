package main

import (
	"errors"
	"io"

	"fibsbot/cmd/fibslab/internal/nets"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/cmd/internal/flagrule"
	"fibsbot/engine"

	"github.com/spf13/cobra"
)

// truthFlags are the flags of measurements on rolled out decisions.
type truthFlags struct {
	nets.Truth
	strength engineflags.Strength
	parts    engineflags.Engine
}

func (f *truthFlags) add(cmd *cobra.Command, fallback string) {
	engineflags.AddStrength(cmd, &f.strength, fallback)
	engineflags.AddPresets(cmd, &f.strength.Config)
	fl := cmd.Flags()
	fl.StringVar(&f.File, "truth-file", "", "file of train truth (default the set in the program)")
	fl.Var(bounded.Of(&f.Gnubg, 0, -1, 3), "gnubg-plies", "depth of gnubg beside us, if it is installed; -1 for none")
	fl.BoolVar(&f.Release, "release", false, "measure on the half reserved for releases")
	f.Warn = func(text string) {
		if fl.Changed("gnubg-plies") { // otherwise the user does not expect it
			cmd.PrintErrln("fibslab: " + text)
		}
	}
}

// printer is a result of a measurement.
type printer interface{ Print(io.Writer) }

// measure opens the engine, measures and prints.
func (f *truthFlags) measure(cmd *cobra.Command, asJSON bool, by func(*engine.Engine) (printer, error)) error {
	e, err := f.parts.Open(cmd, f.strength.Seed)
	if err != nil {
		return err
	}
	defer e.Close()
	bar := cmdline.Bar(cmd)
	f.Progress = bar.Show
	r, err := by(e)
	if bar.Clear(); errors.Is(err, nets.ErrTruth) {
		return cmdline.AsUsage(err)
	}
	if err != nil {
		return err
	}
	if asJSON {
		return cmdline.PrintJSON(cmd.OutOrStdout(), r)
	}
	r.Print(cmd.OutOrStdout())
	return nil
}

// newBenchCubeCmd is `fibslab bench cube`.
func newBenchCubeCmd() *cobra.Command {
	var f truthFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "cube",
		Short: "Measure cube decisions on rolled out ones",
		Long: `Asks a preset about every cube decision of the set that our own engine has rolled out
(train truth) and prints the losses of its doubles and its answers, in millipoints of
equity at the present cube, beside gnubg's. No net was trained or fitted on these
decisions; half are reserved for --release. With --bearoffs N it asks about N close ones
of bearoffs at random scores instead, up to six checkers a side, worked out exactly.`,
		Example: `  fibslab bench cube
  fibslab bench cube --preset worldclass --gnubg-plies 2 --json
  fibslab bench cube --preset expert --bearoffs 100`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := flagrule.NotEmpty(cmd, "truth-file"); err != nil {
				return cmdline.AsUsage(err)
			}
			if f.strength.Cubeless {
				return cmdline.Usagef("--cubeless: without the cube there is nothing to measure")
			}
			pr, err := f.strength.Resolve(cmd)
			if err != nil {
				return err
			}
			f.Weights, f.Met, f.BearoffDir = f.parts.Weights, f.parts.Met, f.parts.BearoffDir
			return f.measure(cmd, asJSON, func(e *engine.Engine) (printer, error) {
				r, err := f.Cubes(cmd.Context(), e, pr, f.strength.Seed)
				return &r, err
			})
		},
	}
	f.add(cmd, "worldclass")
	engineflags.AddEngine(cmd, &f.parts)
	cmd.Flags().Var(bounded.Of(&f.Bearoffs, 0, 0, nets.MaxBearoffs), "bearoffs", "number of exact bearoffs at random scores to measure on instead")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
