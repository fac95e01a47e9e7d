package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/ratings"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/engine"
	"fibsbot/engine/tune"
	"fibsbot/engine/tune/human"
	"fibsbot/internal/lockfile"
	"fibsbot/internal/shard"
)

// asResults marks as the user's mistake a results file that is damaged, of another engine, or
// in use.
func asResults(err error) error {
	for _, mistake := range []error{ratings.ErrResults, ratings.ErrOtherVersion, ratings.ErrDuplicate, lockfile.ErrLocked} {
		if errors.Is(err, mistake) {
			return cmdline.AsUsage(err)
		}
	}
	return err
}

// study are the flags of commands that play into a results file.
type study struct {
	ratings.Measurement
	parts   engineflags.Engine
	farm    farmcmd.Flags
	lengths string
	block   int // pairs
	seed    uint64
	limit   time.Duration
	out     string
}

func (f *study) add(cmd *cobra.Command, interval float64, maxPairs int, seed uint64, out string) {
	fl := cmd.Flags()
	engineflags.AddEngine(cmd, &f.parts)
	f.farm.Add(cmd)
	fl.StringVarP(&f.out, "output", "o", out, "results file, made or resumed")
	fl.StringVar(&f.lengths, "lengths", "1,3,5,7,11", "match lengths")
	fl.Float64Var(&f.Interval, "interval", interval, "half width of the 90 % intervals to reach, rating points")
	fl.IntVar(&f.MaxPairs, "max-pairs", maxPairs, "most pairs of one cell, 0 for no limit")
	fl.IntVar(&f.block, "block", ratings.DefaultBlock, "pairs in a block; a twentieth of that where a setting looks ahead")
	fl.Uint64Var(&f.seed, "seed", seed, "seed of all dice and errors")
	fl.DurationVar(&f.limit, "time", 0, "time after which to stop; the file can be resumed")
}

// play opens the results file and has do measure into it until do is done, --time is over or the user
// interrupts. Every block is stored as soon as it is played. It returns the results, nil if nothing could
// begin.
func (f *study) play(cmd *cobra.Command, do func(ctx context.Context, e *engine.Engine, store *ratings.Store) error) (*ratings.Store, error) {
	if !(f.Interval > 0) || f.MaxPairs < 0 {
		return nil, cmdline.Usagef("--interval, --max-pairs: not above 0, or not 0 or more")
	}
	f.parts.Threads = 1 // blocks are played in parallel instead
	e, err := f.parts.Open(cmd, f.seed)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	ctx := cmd.Context()
	if err := cmdline.WantParent("--output", f.out); err != nil {
		return nil, err
	}
	head := ratings.Header{Seed: f.seed, BlockSize: f.block}
	if _, err := ratings.NewStore(head); err != nil {
		return nil, cmdline.Usagef("--block: %v", err)
	}
	file, err := ratings.Open(ctx, e, f.out, head)
	if err != nil {
		return nil, asResults(err)
	}
	defer file.Close()
	store := file.Store
	f.Keep = file.Keep
	show, done := cmdline.LiveText(cmd)
	defer done()
	f.Progress = func(blocks int, widest float64) {
		show(func() string {
			return fmt.Sprintf("%s: %d blocks, widest interval ±%s of %.0f points; Ctrl-C stops and prints\n%s",
				cmd.Name(), blocks, points(widest), f.Interval, store.Standing())
		})
	}
	if f.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.limit)
		defer cancel()
	}
	spec, err := store.Spec()
	if err != nil {
		return nil, err
	}
	err = f.farm.On(cmd, f.parts.Work(measureJob, spec, e), func(crew shard.Crew, _ int) error {
		f.Crew = crew
		return do(ctx, e, store)
	})
	if errors.Is(err, context.DeadlineExceeded) && cmd.Context().Err() == nil {
		err = nil // --time is over
	}
	if errors.Is(err, ratings.ErrOtherVersion) {
		return nil, cmdline.Usagef("%s: %w", f.out, err)
	}
	if err == nil {
		err = file.Sync()
	}
	return store, err
}

func newTuneMeasureCmd() *cobra.Command {
	var f study
	var plan string
	var pairs []string
	cmd := &cobra.Command{
		Use:   "measure",
		Short: "Play settings against each other until their ratings are known",
		Long: `Plays mirrored pairs of matches between settings and appends the results to a file, one
line for each block, until every rating is known to --interval points (90 %). A run
resumes its file; Ctrl-C loses the blocks being played and prints the ratings so far
(status 130).

A setting is a built-in preset, noise:C:Q or human:C:Q with the amounts of error of
checker play and the cube, or PRESET:SHARE, which looks ahead in that share of its
decisions and plays the others as expert.`,
		Example: `  fibslab tune measure --plan presets --lengths 5 -o presets.results
  fibslab tune measure --pair expert,noise:0.03:0 --lengths 7 -o one.results
  fibslab tune measure --pair worldclass:0.5,expert --lengths 5 -o half.results`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if f.Cells, err = cellsOf(plan, pairs, f.lengths); err != nil {
				return err
			}
			store, err := f.play(cmd, func(ctx context.Context, e *engine.Engine, store *ratings.Store) error {
				return ratings.Measure(ctx, e, store, f.Measurement)
			})
			if store != nil {
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %d blocks, %d matches\n%s", f.out, store.Len(), store.Matches(), store.Standing())
			}
			return err
		},
	}
	f.add(cmd, 15, 0, 1, "tune.results")
	cmd.Flags().StringVar(&plan, "plan", "presets", "cells to measure: presets, noise or cube")
	cmd.Flags().StringArrayVar(&pairs, "pair", nil, "measure A,B instead of a plan; may be repeated")
	return cmd
}

// cellsOf returns the cells of a plan, or of pairs if there are any, at lengths.
func cellsOf(plan string, pairs []string, lengths string) (cells []ratings.Cell, err error) {
	ns, err := readLengths(lengths)
	if err != nil {
		return nil, err
	}
	for _, text := range pairs {
		more, err := readPair(text, ns)
		if err != nil {
			return nil, err
		}
		cells = append(cells, more...)
	}
	if len(pairs) > 0 {
		return cells, nil
	}
	if cells, err = ratings.Plan(plan, ns); err != nil {
		return nil, cmdline.Usagef("--plan, --lengths: %v", err)
	}
	return cells, nil
}

func points(v float64) string {
	if math.IsInf(v, 0) || v > 9999 {
		return "?"
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}

func readLengths(text string) ([]int, error) {
	var out []int
	for _, f := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(f))
		if err != nil || n < 1 || n > tune.MaxLength {
			return nil, cmdline.Usagef("--lengths: %q is not a length between 1 and %d", f, tune.MaxLength)
		}
		out = append(out, n)
	}
	return out, nil
}

func readPair(text string, lengths []int) (out []ratings.Cell, err error) {
	a, b, ok := strings.Cut(text, ",")
	if !ok {
		return nil, cmdline.Usagef("--pair: %q is not A,B", text)
	}
	var c ratings.Cell
	if c.A, err = tune.ParseSetting(a); err == nil {
		c.B, err = tune.ParseSetting(b)
	}
	if err != nil {
		return nil, cmdline.Usagef("--pair: %v", err)
	}
	for _, n := range lengths {
		cell := ratings.NewCell(c.A, c.B, n)
		if cell.A == cell.B {
			return nil, cmdline.Usagef("--pair: %s against itself, in matches of %d points, measures nothing", cell.A, n)
		}
		out = append(out, cell)
	}
	return out, nil
}

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
