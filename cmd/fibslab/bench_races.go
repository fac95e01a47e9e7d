package main

import (
	"errors"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/races"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/cmdline"
)

// newBenchRacesCmd is `fibslab bench races`: the race net against a bigger database.
func newBenchRacesCmd() *cobra.Command {
	var o races.Options
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "races",
		Short: "Measure the race net against a bigger bearoff database",
		Long: `Compares the race net's chances with those of a one-sided database that holds
more points than the engine's own six. The positions are races outside the
home boards but inside the database, without duplicates: of natural games that the nets play
against themselves, and of games from drawn race boards. Without --db it measures
on a fixed set of 5,000 such positions in the program, never trained on. --gnubg puts gnubg's static evaluation of the same positions beside ours,
--approx what an approximate database ('fibsbot bearoff build one --approx') says.`,
		Example: `  fibslab bench races
  fibslab bench races --gnubg
  fibslab bench races --approx approx-15x10.bearoff
  fibsbot bearoff build one --points 9 -o one-15x9.bearoff
  fibslab bench races --db one-15x9.bearoff --count 5000 --seed 3 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			bar := cmdline.Bar(cmd)
			o.Progress = bar.Show
			r, err := o.Measure(cmd.Context())
			bar.Clear()
			switch {
			case err != nil:
				return asDatabase(asOptions(err))
			case o.Write != "":
				return nil
			case asJSON:
				return cmdline.PrintJSON(cmd.OutOrStdout(), r)
			}
			return r.Print(cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Weights, "weights", "", "weights file (default the embedded one)")
	f.StringVar(&o.DB, "db", "", "draw new positions inside this one-sided database of 15 checkers on more than 6 points")
	f.IntVar(&o.Count, "count", 2500, "positions of each kind, with --db")
	f.Uint64Var(&o.Seed, "seed", 2027, "seed of the games, with --db")
	f.StringVar(&o.Write, "write", "", "only write the drawn positions to this record file")
	f.StringVar(&o.Approx, "approx", "", "measure this approximate database as well")
	f.BoolVar(&o.Gnubg, "gnubg", false, "measure gnubg as well")
	f.StringVar(&o.GnubgDir, "gnubg-dir", train.GnubgDir, "folder of label.py, for --gnubg; outside a checkout the file in the program is used")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// asDatabase marks as the user's mistake a database that cannot be used.
func asDatabase(err error) error {
	if errors.Is(err, races.ErrDatabase) {
		return cmdline.AsUsage(err)
	}
	return err
}
