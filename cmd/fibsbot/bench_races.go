package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"fibsbot/bearoff"
	"fibsbot/engine/bench/races"
	"fibsbot/engine/eval"
	"fibsbot/engine/train"
)

// racesFlags are the flags of `bench races`.
type racesFlags struct {
	weights, db, write, approx string // files; empty where not given
	count                      int    // positions of each plan
	seed                       uint64
	gnubg                      bool
	gnubgDir                   string
	asJSON                     bool
}

// newBenchRacesCmd is `fibsbot bench races`: the race net against a database
// bigger than any it has at hand.
func newBenchRacesCmd() *cobra.Command {
	var r racesFlags
	cmd := &cobra.Command{
		Use:   "races",
		Short: "Measure the race net against a bigger bearoff database",
		Long: `Compares the race net's chances with those of a one-sided database that holds
more points than the six the engine always has. The positions are races outside the
home boards but inside the database, none twice: of natural games that the nets play
against themselves, and of games from drawn race boards. Without --db it measures
on a fixed set of 5,000 such positions that comes with the program and was never
trained on. --gnubg puts gnubg's static evaluation of the same positions beside ours,
--approx what an approximate database ('fibsbot bearoff build one --approx') says.`,
		Example: `  fibsbot bench races
  fibsbot bench races --gnubg
  fibsbot bench races --approx approx-15x10.bearoff
  fibsbot bearoff build one --points 9 -o one-15x9.bearoff
  fibsbot bench races --db one-15x9.bearoff --count 5000 --seed 3 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return r.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&r.weights, "weights", "", "weights file (default the embedded one)")
	f.StringVar(&r.db, "db", "", "draw new positions inside this one-sided database of 15 checkers on more than 6 points")
	f.IntVar(&r.count, "count", 2500, "positions of each kind, with --db")
	f.Uint64Var(&r.seed, "seed", 2027, "seed of the games, with --db")
	f.StringVar(&r.write, "write", "", "only write the drawn positions to this record file")
	f.StringVar(&r.approx, "approx", "", "measure this approximate database as well")
	f.BoolVar(&r.gnubg, "gnubg", false, "measure gnubg as well")
	f.StringVar(&r.gnubgDir, "gnubg-dir", "engine/train/gnubg", "folder of label.py, for --gnubg")
	f.BoolVar(&r.asJSON, "json", false, "print one JSON document")
	return cmd
}

// run measures what the flags ask for and prints it, or only writes the positions.
func (r *racesFlags) run(cmd *cobra.Command) error {
	if r.count < 1 || r.count > 1<<20 {
		return usagef("--count: %d is not between 1 and %d", r.count, 1<<20)
	}
	if r.write != "" && r.db == "" {
		return usagef("--write needs --db")
	}
	ctx := cmd.Context()
	judge, set, err := openStatic(r.weights)
	if err != nil {
		return err
	}
	out := races.Report{Database: "fixed positions, one-sided database, 15 checkers on 10 points", Nets: set.Manifest.Name}
	var recs []train.Record
	if r.db == "" {
		recs, err = train.BenchRaces()
	} else {
		bar := barOf(cmd)
		out.Database, recs, err = races.FromDatabase(ctx, judge, r.db, r.count, r.seed, bar.Show)
		bar.Clear()
	}
	if err != nil {
		return asDatabase(err)
	}
	if r.write != "" {
		return train.WriteRecords(r.write, recs)
	}
	judges, done, err := r.judges(ctx, judge)
	if err != nil {
		return err
	}
	defer done()
	if out.Groups, err = races.Compare(recs, judges); err != nil {
		return asDatabase(err)
	}
	if r.asJSON {
		return printJSON(cmd.OutOrStdout(), out)
	}
	return out.Print(cmd.OutOrStdout())
}

// judges are the race net and whom the flags put beside it; done closes what they
// opened.
func (r *racesFlags) judges(ctx context.Context, net eval.Evaluator) (list []races.Estimator, done func(), err error) {
	done = func() {}
	list = []races.Estimator{races.Static("fibsbot 0-ply", net)}
	if r.approx != "" {
		quick, err := bearoff.OpenNormal(r.approx)
		if err != nil {
			return nil, done, usagef("--approx: %w", err)
		}
		done = func() { quick.Close() }
		list = append(list, races.Approximate("approximate", quick))
	}
	if r.gnubg {
		list = append(list, races.Gnubg(ctx, "gnubg 0-ply", r.gnubgDir))
	}
	return list, done, nil
}

// asDatabase marks as the user's mistake a database that does not serve.
func asDatabase(err error) error {
	if errors.Is(err, races.ErrDatabase) {
		return asUsage(err)
	}
	return err
}
