package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibsbot/internal/farmcmd"
	"fibsbot/engine/bench/nets"
	"fibsbot/internal/livetext"
)

// netsFlags are the flags of `bench nets`.
type netsFlags struct {
	nets.Options
	asJSON bool
	truth  bool
	farm   farmcmd.Flags
	on     truthFlags
}

// newBenchNetsCmd is `fibsbot bench nets`: how strong the static evaluation is.
func newBenchNetsCmd() *cobra.Command {
	var f netsFlags
	cmd := &cobra.Command{
		Use:   "nets",
		Short: "Measure the nets: error, points given up per decision, games",
		Long: `Measures the static evaluation (0-ply, cubeless money, with the small bearoff databases):

  error against 10,000 positions labelled by gnubg at 2 plies,
  loss in millipoints a decision on the decisions in engine/train/testdata, whose
  plays gnubg rated at 2 plies, by game plan, beside the loss of gnubg 0-ply there,
  points a game against Tesauro's pubeval, and with --against another weights file.

None of the positions was trained on.

With --truth the loss of --preset, or of --plies, is measured on decisions that our own
engine has rolled out (train truth) instead, beside gnubg's at --gnubg-plies where it
is installed. Half of them are reserved for --release.`,
		Example: `  fibsbot bench nets
  fibsbot bench nets --pubeval 0 --gnubg 1000 --luck
  fibsbot bench nets --truth --plies 2 --gnubg-plies 2
  fibsbot bench nets --weights new.weights --against weights/fibsbot.weights --pairs 5000`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			bar := barOf(cmd)
			defer bar.Clear()
			f.Progress, f.on.Progress = bar.Show, bar.Show
			if f.truth {
				return f.measureTruth(cmd, bar)
			}
			f.Seed = f.on.strength.seed
			if f.farm.URL != "" {
				send, closeAll, err := f.farm.NetsSender(cmd, f.Weights, f.Against)
				if err != nil {
					return asUsage(err)
				}
				defer closeAll()
				f.Send = send
			}
			r, err := f.Measure(cmd.Context())
			if bar.Clear(); err != nil {
				return asOptions(err)
			}
			if f.asJSON {
				return printJSON(cmd.OutOrStdout(), r)
			}
			f.Print(cmd.OutOrStdout(), r)
			return nil
		},
	}
	f.on.add(cmd, "expert")
	f.farm.Add(cmd)
	fl := cmd.Flags()
	fl.BoolVar(&f.truth, "truth", false, "measure on rolled out decisions")
	fl.StringVar(&f.Weights, "weights", "", "weights file (default the embedded one)")
	fl.StringVar(&f.Against, "against", "", "another weights file to play against")
	fl.IntVar(&f.Pairs, "pairs", 2000, "pairs of games against the other weights file")
	fl.IntVar(&f.Pubeval, "pubeval", 2000, "pairs of games against pubeval, 0 for none")
	fl.IntVar(&f.Gnubg, "gnubg", 0, "pairs of games against gnubg 0-ply, where it is installed")
	fl.StringVar(&f.GnubgDir, "gnubg-dir", "engine/train/gnubg", "folder of label.py, for --gnubg")
	fl.BoolVar(&f.Luck, "luck", false, "take the luck of the dice out: 20 times slower, error 5 times smaller")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return cmd
}

// measureTruth measures on the rolled out decisions.
func (f *netsFlags) measureTruth(cmd *cobra.Command, bar *livetext.Bar) error {
	pr, err := f.on.strength.resolve(cmd)
	if err != nil {
		return err
	}
	f.on.parts = engineFlags{weights: f.Weights, cacheMB: 32, threads: 1} // decisions are shared out
	e, err := f.on.parts.open(cmd, f.on.strength.seed)
	if err != nil {
		return err
	}
	defer e.Close()
	f.on.GnubgDir = f.GnubgDir
	if f.farm.URL != "" {
		work := f.on.parts.work("", nil, e)
		work.Most = 64 // a decision takes a hundredth of a second at 2 plies
		f.on.Send = f.farm.Sender(cmd, work)
	}
	losses, err := f.on.Plays(cmd.Context(), e, pr)
	if bar.Clear(); err != nil {
		return asTruth(err)
	}
	if f.asJSON {
		return printJSON(cmd.OutOrStdout(), losses)
	}
	other := ""
	if f.on.Gnubg >= 0 {
		other = fmt.Sprintf("gnubg %d", f.on.Gnubg)
	}
	nets.PrintLosses(cmd.OutOrStdout(), losses, other)
	return nil
}
