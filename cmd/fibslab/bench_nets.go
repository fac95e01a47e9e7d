package main

import (
	"cmp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/cmd/fibslab/internal/nets"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/cmd/internal/flagrule"
	"fibsbot/engine"
)

// netsFlags are the flags of `bench nets`.
type netsFlags struct {
	weights string
	asJSON  bool
	on      truthFlags // with --truth
}

// newBenchNetsCmd is `fibslab bench nets`: the strength of the static evaluation.
func newBenchNetsCmd() *cobra.Command {
	var f netsFlags
	var truth bool
	var ofTruth []string // flags that go with --truth alone
	cmd := &cobra.Command{
		Use:   "nets",
		Short: "Measure nets: error, loss per decision",
		Long: `Measures the static evaluation (0-ply, cubeless money, with the small bearoff databases):

  error against 10,000 positions labelled by gnubg at 2 plies,
  loss in millipoints a decision on the decisions in cmd/fibslab/internal/train/testdata, whose
  plays gnubg rated at 2 plies, by game plan, beside the loss of gnubg 0-ply there.

None of the positions was trained on.

With --truth it measures instead the loss of --preset, or of --plies, on decisions that
our own engine has rolled out (train truth), beside gnubg's at --gnubg-plies if it is
installed. Half of them are reserved for --release.`,
		Example: `  fibslab bench nets
  fibslab bench nets --truth --plies 2 --gnubg-plies 2
  fibslab bench nets --weights new.weights`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cmp.Or(flagrule.NotEmpty(cmd, "truth-file"), flagrule.Needs(cmd, "truth", ofTruth...)); err != nil {
				return cmdline.AsUsage(err)
			}
			if truth {
				return f.measureTruth(cmd)
			}
			r, err := nets.Measure(f.weights)
			if err != nil {
				return err
			}
			if f.asJSON {
				return cmdline.PrintJSON(cmd.OutOrStdout(), r)
			}
			r.Print(cmd.OutOrStdout())
			return nil
		},
	}
	f.on.add(cmd, "expert")
	fl := cmd.Flags()
	fl.VisitAll(func(flag *pflag.Flag) { ofTruth = append(ofTruth, flag.Name) })
	fl.BoolVar(&truth, "truth", false, "measure on rolled out decisions")
	fl.StringVar(&f.weights, "weights", "", "weights file (default the embedded one)")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return cmd
}

// measureTruth measures on the rolled out decisions.
func (f *netsFlags) measureTruth(cmd *cobra.Command) error {
	pr, err := f.on.strength.Resolve(cmd)
	if err != nil {
		return err
	}
	f.on.Weights = f.weights
	f.on.parts = engineflags.Engine{Weights: f.weights, CacheMB: 32, Threads: 1} // decisions are shared out
	return f.on.measure(cmd, f.asJSON, func(e *engine.Engine) (printer, error) {
		r, err := f.on.Plays(cmd.Context(), e, pr)
		return &r, err
	})
}
