package main

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/jobs"
	"fibsbot/cmd/fibslab/internal/ratings"
	"fibsbot/cmd/fibslab/internal/results"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/engine/tune/human"
	"fibsbot/internal/shard"
)

// tuneCheck are the flags of tune check.
type tuneCheck struct {
	parts                                           engineflags.Engine
	far                                             farmcmd.Flags
	targets, lengths, styles, table, out, character string
	tolerance                                       float64
	o                                               ratings.Trials
	asJSON                                          bool
}

func newTuneCheckCmd() *cobra.Command {
	var c tuneCheck
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check by play what ratings the settings of targets achieve",
		Long: `For each target the settings of fibsbot tune play mirrored pairs of matches, with their
own dice; the rating they achieve is compared with the target. By noise they meet up to
four other settings of known rating. Settings of the style human meet expert, and one fit
takes all of them, with the winning chances that their decisions lose as judged. Targets out of reach at a length are left out and named on
stderr. Exit status: 0 if all are within --tolerance, 1 if not.`,
		Example: `  fibslab tune check --targets 1300,1500,1700 --lengths 1,5
  fibslab tune check --targets 1500 --styles human --seed 7 --interval 8`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	fl := cmd.Flags()
	engineflags.AddEngine(cmd, &c.parts)
	c.far.Add(cmd)
	fl.StringVar(&c.targets, "targets", "1100,1300,1500,1700,1850", "ratings to order")
	fl.StringVar(&c.lengths, "lengths", "1,3,5,7,11", "match lengths")
	fl.StringVar(&c.styles, "styles", "noise,human", "how errors are made")
	fl.StringVar(&c.table, "table", "", "table of measured strength instead of the one in the program")
	fl.Float64Var(&c.tolerance, "tolerance", 25, "largest distance from the target, rating points")
	fl.StringVar(&c.character, "character", "", "character of the style human: "+human.CharacterNames())
	fl.StringVarP(&c.out, "output", "o", "", "results file of the style human, made or resumed")
	fl.Float64Var(&c.o.Interval, "interval", 10, "half width of the 90 % interval to reach, rating points")
	fl.IntVar(&c.o.MaxPairs, "max-pairs", 2000, "most pairs against one opponent")
	fl.IntVar(&c.o.Jobs, "jobs", 0, "blocks played at once, 0 for one for each processor")
	engineflags.AddDice(cmd, &c.o.Dice)
	fl.Uint64Var(&c.o.Seed, "seed", 99, "seed of all dice and errors")
	fl.BoolVar(&c.asJSON, "json", false, "print one JSON document")
	return cmd
}

func (c *tuneCheck) run(cmd *cobra.Command) error {
	ns, err := readLengths(c.lengths)
	if err != nil {
		return err
	}
	trials, err := ratings.ReadTrials(c.targets, c.styles, ns)
	if err != nil {
		return cmdline.Usagef("tune check: %v", err)
	}
	if c.o.Character = human.Character(c.character); !c.o.Character.Known() {
		return cmdline.Usagef("--character: unknown character %.40q (use %s)", c.character, human.CharacterNames())
	}
	if !(c.tolerance > 0) {
		return cmdline.Usagef("--tolerance: %v is not above 0", c.tolerance)
	}
	surface, err := engineflags.ReadSurface(c.table)
	if err != nil {
		return err
	}
	c.parts.Threads = 1
	e, err := c.parts.Open(cmd, c.o.Seed)
	if err != nil {
		return err
	}
	defer e.Close()
	eng := results.EngineOf(e)
	spec, err := c.o.Spec(cmd.Context(), eng)
	if err != nil {
		return err
	}
	var list []results.Achieved
	err = c.far.On(cmd, c.parts.Work(jobs.Measure, spec, e), func(crew shard.Crew, _ int) error {
		c.o.Crew = crew
		list, err = results.Achieve(cmd.Context(), surface, eng, trials, c.o, c.out, c.tolerance, func(err error) {
			fmt.Fprintf(cmd.ErrOrStderr(), "fibslab: left out, %v\n", err)
		})
		return err
	})
	if errors.Is(err, ratings.ErrTrials) {
		return cmdline.Usagef("tune check: %v", err)
	}
	if err != nil && (cmd.Context().Err() == nil || len(list) == 0) {
		return asResults(err) // otherwise print what was played
	}
	if len(list) == 0 {
		return cmdline.Usagef("--targets: all are out of reach")
	}
	return printAchieved(cmd, list, c.tolerance, c.asJSON)
}

// printAchieved prints the trials, and returns an error if a target was missed or the check
// was interrupted.
func printAchieved(cmd *cobra.Command, list []results.Achieved, tolerance float64, asJSON bool) (err error) {
	if asJSON {
		err = cmdline.PrintJSON(cmd.OutOrStdout(), list)
	} else {
		err = results.PrintAchieved(cmd.OutOrStdout(), list)
	}
	if err = cmp.Or(err, cmd.Context().Err()); err != nil {
		return err
	}
	if err = results.Missed(list, tolerance); err != nil {
		err = fmt.Errorf("tune check: %w", err)
	}
	return err
}
