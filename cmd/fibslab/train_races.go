package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/races"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
)

// newTrainRacesCmd makes races with exact labels.
func newTrainRacesCmd() *cobra.Command {
	var (
		db, rest      string
		starts, avoid []string
		n             int
		seed          uint64
	)
	cmd := &cobra.Command{
		Use:   "races OUT",
		Short: "Generate races with the exact chances of a bearoff database",
		Long: `Plays races inside a big one-sided database, mostly the quickest play and sometimes
another, and writes the positions that are not home yet with the database's chances,
without duplicates. A quarter of the races begin at records of the --starts files, a
quarter at drawn race boards, a quarter at drawn stacks, a quarter at any placement,
where gammons come from. --rest FILE keeps the races of --starts that the database does
not hold, with their labels.`,
		Example: `  fibsbot bearoff build one --points 10 -o one-15x10.bearoff
  fibslab train races exact.bin --db one-15x10.bearoff --starts sp-race.grp --positions 3000000`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if db == "" {
				return cmdline.Usagef("--db: no database (fibsbot bearoff build one --points 10 -o FILE makes one)")
			}
			ctx := cmd.Context()
			known, err := races.OpenDatabase(db)
			if err != nil {
				return cmdline.AsUsage(err)
			}
			defer known.Close()
			m := races.NewMaker(known, n, seed)
			for _, path := range avoid {
				recs, err := train.ReadRecords(nil, path)
				if err != nil {
					return cmdline.Usagef("%v", err)
				}
				for i := range recs {
					m.Avoid(recs[i].Key)
				}
			}
			var outside []train.Record
			for _, path := range starts {
				recs, err := train.ReadRecords(nil, path)
				if err != nil {
					return cmdline.Usagef("%v", err)
				}
				outside = append(outside, m.StartFrom(recs)...)
			}
			if rest != "" {
				if err := train.WriteRecords(rest, outside); err != nil {
					return err
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d races outside the database\n", rest, len(outside))
			}
			if err := m.Run(ctx); err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d races, %d starts from files\n", args[0], len(m.Records()), m.Starts())
			return train.WriteRecords(args[0], m.Records())
		},
	}
	f := cmd.Flags()
	f.StringVar(&db, "db", "", "one-sided database of 15 checkers on more than 6 points")
	f.StringVar(&rest, "rest", "", "file for the races of --starts outside the database")
	f.StringSliceVar(&starts, "starts", nil, "record files with races to begin at")
	f.StringSliceVar(&avoid, "avoid", nil, "record files whose positions are left out")
	f.Var(bounded.Of(&n, 1_000_000, 1, 1<<28), "positions", "number of positions")
	f.Uint64Var(&seed, "seed", 1, "seed of dice and boards")
	return cmd
}
