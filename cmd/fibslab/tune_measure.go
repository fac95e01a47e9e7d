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

	"fibsbot/cmd/fibslab/internal/jobs"
	"fibsbot/cmd/fibslab/internal/ratings"
	"fibsbot/cmd/fibslab/internal/results"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/cmd/internal/farmcmd"
	"fibsbot/engine/dice"
	"fibsbot/engine/tune"
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

// measureFlags are the flags of `tune measure`.
type measureFlags struct {
	parts          engineflags.Engine
	farm           farmcmd.Flags
	plan, lengths  string
	pairs          []string // settings against each other, instead of a plan
	interval       float64  // rating points
	maxPairs, jobs int
	block          int // pairs
	seed           uint64
	rng            dice.Generator
	limit          time.Duration
	out            string
}

func newTuneMeasureCmd() *cobra.Command {
	var f measureFlags
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
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	fl := cmd.Flags()
	engineflags.AddEngine(cmd, &f.parts)
	f.farm.Add(cmd)
	fl.StringVarP(&f.out, "output", "o", "tune.results", "results file, made or resumed")
	fl.StringVar(&f.plan, "plan", "presets", "cells to measure: presets, noise or cube")
	fl.StringArrayVar(&f.pairs, "pair", nil, "measure A,B instead of a plan; may be repeated")
	fl.StringVar(&f.lengths, "lengths", "1,3,5,7,11", "match lengths")
	fl.Float64Var(&f.interval, "interval", 15, "half width of the 90 % intervals to reach, rating points")
	fl.IntVar(&f.maxPairs, "max-pairs", 0, "most pairs of one cell, 0 for no limit")
	fl.IntVar(&f.block, "block", results.DefaultBlock, "pairs in a block; a twentieth of that where a setting looks ahead")
	fl.IntVar(&f.jobs, "jobs", 0, "blocks played at once, 0 for one for each processor")
	engineflags.AddDice(cmd, &f.rng)
	fl.Uint64Var(&f.seed, "seed", 1, "seed of all dice and errors")
	fl.DurationVar(&f.limit, "time", 0, "time after which to stop; the file can be resumed")
	return cmd
}

// measurement returns the measurement of the flags.
func (f *measureFlags) measurement() (m ratings.Measurement, err error) {
	ns, err := readLengths(f.lengths)
	if err != nil {
		return m, err
	}
	m = ratings.Measurement{Interval: f.interval, MaxPairs: f.maxPairs, Jobs: f.jobs, Errors: true}
	for _, text := range f.pairs {
		more, err := readPair(text, ns)
		if err != nil {
			return m, err
		}
		m.Cells = append(m.Cells, more...)
	}
	if len(f.pairs) == 0 {
		if m.Cells, err = ratings.Plan(f.plan, ns); err != nil {
			return m, cmdline.Usagef("--plan, --lengths: %v", err)
		}
	}
	if !(f.interval > 0) || f.maxPairs < 0 || f.jobs < 0 || f.jobs > 1024 {
		return m, cmdline.Usagef("--interval, --max-pairs, --jobs: not above 0, not 0 or more, or not 0 to 1024")
	}
	return m, nil
}

// run measures until the plan is done, --time is over or the user interrupts, and
// keeps every block as soon as it is played.
func (f *measureFlags) run(cmd *cobra.Command) error {
	m, err := f.measurement()
	if err != nil {
		return err
	}
	f.parts.Threads = 1 // blocks are played in parallel instead
	e, err := f.parts.Open(cmd, f.seed)
	if err != nil {
		return err
	}
	defer e.Close()
	ctx := cmd.Context()
	if err := cmdline.WantParent("--output", f.out); err != nil {
		return err
	}
	head := ratings.Header{Seed: f.seed, Dice: f.rng, BlockSize: f.block}
	if _, err := ratings.NewStore(head); err != nil {
		return cmdline.Usagef("--block: %v", err)
	}
	eng := results.EngineOf(e)
	file, err := results.Open(ctx, eng, f.out, head)
	if err != nil {
		return asResults(err)
	}
	defer file.Close()
	store := file.Store
	m.Keep = file.Keep
	show, done := cmdline.LiveText(cmd)
	defer done()
	m.Progress = func(blocks int, widest float64) {
		show(func() string {
			return fmt.Sprintf("measure: %d blocks, widest interval ±%s of %.0f points; Ctrl-C stops and prints\n%s",
				blocks, points(widest), f.interval, results.Standing(store))
		})
	}
	if f.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.limit)
		defer cancel()
	}
	spec, err := store.Spec(m.Errors)
	if err != nil {
		return err
	}
	err = f.farm.On(cmd, f.parts.Work(jobs.Measure, spec, e), func(crew shard.Crew, _ int) error {
		m.Crew = crew
		return ratings.Measure(ctx, eng, store, m)
	})
	done()
	if errors.Is(err, context.DeadlineExceeded) && cmd.Context().Err() == nil {
		err = nil // --time is over
	}
	if errors.Is(err, ratings.ErrOtherVersion) {
		return cmdline.Usagef("%s: %w", f.out, err)
	}
	if err == nil {
		err = file.Sync()
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %d blocks, %d matches\n%s", f.out, store.Len(), store.Matches(), results.Standing(store))
	return err
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
