package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/ratings"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine"
	"fibsbot/engine/tune/human"
)

func newTuneCheckCmd() *cobra.Command {
	var f study
	var targets, table, character string
	var tolerance float64
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check by play what ratings the settings of targets achieve",
		Long: `For each target the setting of fibsbot tune plays mirrored pairs of matches against expert, with
dice of their own; the rating it achieves is compared with the target. One fit takes all
settings, with the winning chances that their decisions lose as judged. Targets out of reach at a
length are left out and named on stderr. Exit status: 0 if all are within --tolerance, 1 if not.`,
		Example: `  fibslab tune check --targets 1300,1500,1700 --lengths 1,5
  fibslab tune check --targets 1500 --seed 7 --interval 8`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			trials, err := readTrials(targets, f.lengths)
			if err != nil {
				return err
			}
			who := human.Character(character)
			if !who.Known() {
				return cmdline.Usagef("--character: unknown character %.40q (use %s)", character, human.CharacterNames())
			}
			if !(tolerance > 0) {
				return cmdline.Usagef("--tolerance: %v is not above 0", tolerance)
			}
			surface, err := engineflags.ReadSurface(table)
			if err != nil {
				return err
			}
			var list []ratings.Achieved
			_, err = f.play(cmd, func(ctx context.Context, e *engine.Engine, store *ratings.Store) (err error) {
				list, err = ratings.Check(ctx, surface, e, trials, who, f.Measurement, store, func(err error) {
					fmt.Fprintf(cmd.ErrOrStderr(), "fibslab: left out, %v\n", err)
				})
				return err
			})
			if err != nil {
				return err
			}
			if len(list) == 0 {
				return cmdline.Usagef("--targets: all are out of reach")
			}
			if err = ratings.PrintAchieved(cmd.OutOrStdout(), list, tolerance); err != nil {
				err = fmt.Errorf("tune check: %w", err)
			}
			return err
		},
	}
	f.add(cmd, 10, 2000, 99, "check.results")
	fl := cmd.Flags()
	fl.StringVar(&targets, "targets", "1100,1300,1500,1700,1850", "ratings to order")
	fl.StringVar(&table, "table", "", "table of measured strength instead of the one in the program")
	fl.Float64Var(&tolerance, "tolerance", 25, "largest distance from the target, rating points")
	fl.StringVar(&character, "character", "", "character of the style human: "+human.CharacterNames())
	return cmd
}

// readTrials makes a trial of each target at each length.
func readTrials(targets, lengths string) (out []ratings.Trial, err error) {
	ns, err := readLengths(lengths)
	if err != nil {
		return nil, err
	}
	for _, n := range ns {
		for _, text := range strings.Split(targets, ",") {
			r, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil || math.IsNaN(r) || math.IsInf(r, 0) {
				return nil, cmdline.Usagef("--targets: %.40q is not a rating", text)
			}
			out = append(out, ratings.Trial{Rating: r, Length: n})
		}
	}
	return out, nil
}
