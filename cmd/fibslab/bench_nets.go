package main

import (
	"cmp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/cmd/fibslab/internal/nets"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/cmd/internal/flagrule"
	"fibsbot/internal/livetext"
)

// netsFlags are the flags of `bench nets`.
type netsFlags struct {
	nets.Options
	asJSON bool
	truth  bool
	on     truthFlags
}

// newBenchNetsCmd is `fibslab bench nets`: the strength of the static evaluation.
func newBenchNetsCmd() *cobra.Command {
	var f netsFlags
	var ofTruth []string // flags that go with --truth alone
	cmd := &cobra.Command{
		Use:   "nets",
		Short: "Measure nets: error, loss per decision, games",
		Long: `Measures the static evaluation (0-ply, cubeless money, with the small bearoff databases):

  error against 10,000 positions labelled by gnubg at 2 plies,
  loss in millipoints a decision on the decisions in cmd/fibslab/internal/train/testdata, whose
  plays gnubg rated at 2 plies, by game plan, beside the loss of gnubg 0-ply there,
  with --against points a game against another weights file.

None of the positions was trained on.

With --truth it measures instead the loss of --preset, or of --plies, on decisions that
our own engine has rolled out (train truth), beside gnubg's at --gnubg-plies if it is
installed. Half of them are reserved for --release.`,
		Example: `  fibslab bench nets
  fibslab bench nets --truth --plies 2 --gnubg-plies 2
  fibslab bench nets --weights new.weights --against weights/fibsbot.weights --pairs 5000`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cmp.Or(flagrule.NotEmpty(cmd, "truth-file", "against"), flagrule.Needs(cmd, "truth", ofTruth...),
				flagrule.Apart(cmd, "truth", "against", "pairs", "luck")); err != nil {
				return cmdline.AsUsage(err)
			}
			if flags := cmd.Flags(); f.Against == "" && (flags.Changed("pairs") || flags.Changed("luck")) {
				return cmdline.Usagef("--pairs and --luck need --against")
			}
			bar := cmdline.Bar(cmd)
			defer bar.Clear()
			f.Progress, f.on.Progress = bar.Show, bar.Show
			if f.truth {
				return f.measureTruth(cmd, bar)
			}
			f.Seed = f.on.strength.Seed
			r, err := f.Measure(cmd.Context())
			if bar.Clear(); err != nil {
				return asOptions(err)
			}
			if f.asJSON {
				return cmdline.PrintJSON(cmd.OutOrStdout(), r)
			}
			f.Print(cmd.OutOrStdout(), r)
			return nil
		},
	}
	f.on.add(cmd, "expert")
	fl := cmd.Flags()
	fl.VisitAll(func(flag *pflag.Flag) {
		if flag.Name != "seed" { // of the games as well
			ofTruth = append(ofTruth, flag.Name)
		}
	})
	fl.BoolVar(&f.truth, "truth", false, "measure on rolled out decisions")
	fl.StringVar(&f.Weights, "weights", "", "weights file (default the embedded one)")
	fl.StringVar(&f.Against, "against", "", "another weights file to play against")
	fl.Var(bounded.Of(&f.Pairs, 2000, 1, nets.MaxPairs), "pairs", "pairs of games against the other weights file")
	fl.BoolVar(&f.Luck, "luck", false, "subtract the luck of the dice: 20 times slower, error 5 times smaller")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return cmd
}

// measureTruth measures on the rolled out decisions.
func (f *netsFlags) measureTruth(cmd *cobra.Command, bar *livetext.Bar) error {
	pr, err := f.on.strength.Resolve(cmd)
	if err != nil {
		return err
	}
	f.on.parts = engineflags.Engine{Weights: f.Weights, CacheMB: 32, Threads: 1} // decisions are shared out
	e, err := f.on.parts.Open(cmd, f.on.strength.Seed)
	if err != nil {
		return err
	}
	defer e.Close()
	f.on.Weights = f.Weights
	r, err := f.on.Plays(cmd.Context(), e, pr)
	if bar.Clear(); err != nil {
		return asTruth(err)
	}
	if f.asJSON {
		return cmdline.PrintJSON(cmd.OutOrStdout(), r)
	}
	r.Print(cmd.OutOrStdout())
	return nil
}
