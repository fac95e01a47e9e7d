package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fibsbot/cmd/fibslab/internal/families"
	"fibsbot/cmd/fibslab/internal/nets"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/cmd/internal/flagrule"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
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

// truthFlags are the flags of measurements on rolled out decisions.
type truthFlags struct {
	nets.Truth
	strength engineflags.Strength
	parts    engineflags.Engine
}

func (f *truthFlags) add(cmd *cobra.Command, fallback string) {
	engineflags.AddStrength(cmd, &f.strength, fallback)
	engineflags.AddPresets(cmd, &f.strength.Config)
	fl := cmd.Flags()
	fl.StringVar(&f.File, "truth-file", "", "file of train truth, or a set in the program: truth, disputed (default truth)")
	fl.Var(bounded.Of(&f.Gnubg, 0, -1, 3), "gnubg-plies", "depth of gnubg beside us, if it is installed; -1 for none")
	fl.BoolVar(&f.Release, "release", false, "measure on the half reserved for releases")
	f.Warn = func(text string) {
		if fl.Changed("gnubg-plies") { // otherwise the user does not expect it
			cmd.PrintErrln("fibslab: " + text)
		}
	}
}

// printer is a result of a measurement.
type printer interface{ Print(io.Writer) }

// measure opens the engine, measures and prints.
func (f *truthFlags) measure(cmd *cobra.Command, asJSON bool, by func(*engine.Engine) (printer, error)) error {
	e, err := f.parts.Open(cmd, f.strength.Seed)
	if err != nil {
		return err
	}
	defer e.Close()
	bar := cmdline.Bar(cmd)
	f.Progress = bar.Show
	r, err := by(e)
	if bar.Clear(); errors.Is(err, nets.ErrTruth) {
		return cmdline.AsUsage(err)
	}
	if err != nil {
		return err
	}
	if asJSON {
		return cmdline.PrintJSON(cmd.OutOrStdout(), r)
	}
	r.Print(cmd.OutOrStdout())
	return nil
}

// newBenchCubeCmd is `fibslab bench cube`.
func newBenchCubeCmd() *cobra.Command {
	var f truthFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "cube",
		Short: "Measure cube decisions on rolled out ones",
		Long: `Asks a preset about every cube decision of the set that our own engine has rolled out
(train truth) and prints the losses of its doubles and its answers, in millipoints of
equity at the present cube, beside gnubg's. No net was trained or fitted on these
decisions; half are reserved for --release. With --bearoffs N it asks about N close ones
of bearoffs at random scores instead, up to six checkers a side, worked out exactly.`,
		Example: `  fibslab bench cube
  fibslab bench cube --preset worldclass --gnubg-plies 2 --json
  fibslab bench cube --preset expert --bearoffs 100`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := flagrule.NotEmpty(cmd, "truth-file"); err != nil {
				return cmdline.AsUsage(err)
			}
			if f.strength.Cubeless {
				return cmdline.Usagef("--cubeless: without the cube there is nothing to measure")
			}
			pr, err := f.strength.Resolve(cmd)
			if err != nil {
				return err
			}
			f.Weights, f.Met, f.BearoffDir = f.parts.Weights, f.parts.Met, f.parts.BearoffDir
			return f.measure(cmd, asJSON, func(e *engine.Engine) (printer, error) {
				r, err := f.Cubes(cmd.Context(), e, pr, f.strength.Seed)
				return &r, err
			})
		},
	}
	f.add(cmd, "worldclass")
	engineflags.AddEngine(cmd, &f.parts)
	cmd.Flags().Var(bounded.Of(&f.Bearoffs, 0, 0, 10_000), "bearoffs", "number of exact bearoffs at random scores to measure on instead")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// newBenchLabelsCmd is `fibslab bench labels`: two weights files on labelled positions.
func newBenchLabelsCmd() *cobra.Command {
	var l nets.Labels
	cmd := &cobra.Command{
		Use:   "labels FILE...",
		Short: "Compare nets on labelled positions",
		Long: `Compares the values of two weights files with the labels of record files, class by class:
the mean of value less label, the root mean square, and how much smaller the squared error is
than that of the other file. Both have the noise of the labels alike, so labels may be noisy.
Where plays of one decision are labelled (siblings), the last columns say in how many decisions the
files choose different plays, and how much better by the labels those of --weights are.

Outcomes without luck (train selfplay --trace 1 --siblings 3) of games that no net was fitted to
tell which nets are nearer to the truth; labels by searches hide what the nets get wrong
themselves.`,
		Example: `  fibslab train selfplay --trace 1 --siblings 3 --seed 77 --out apart
  fibslab bench labels apart/*.grp --weights new.weights`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flagrule.NotEmpty(cmd, "weights", "against"); err != nil {
				return cmdline.AsUsage(err)
			}
			l.Files = args
			rows, err := l.Measure(cmd.Context())
			var system *fs.PathError
			switch {
			case errors.Is(err, train.ErrBadRecord), errors.As(err, &system):
				return cmdline.AsUsage(err)
			case err != nil:
				return err
			}
			return nets.PrintLabels(cmd.OutOrStdout(), rows)
		},
	}
	f := cmd.Flags()
	f.StringVar(&l.Weights, "weights", "", "weights file (default the embedded one)")
	f.StringVar(&l.Against, "against", "", "weights file beside it (default the embedded one)")
	return cmd
}

// familiesFlags are the flags of `bench families`.
type familiesFlags struct {
	strength engineflags.Strength
	parts    engineflags.Engine
	gnubg    int
	asJSON   bool
}

// newBenchFamiliesCmd is `fibslab bench families`.
func newBenchFamiliesCmd() *cobra.Command {
	var f familiesFlags
	cmd := &cobra.Command{
		Use:   "families",
		Short: "Measure positions of rare families on rollouts",
		Long: `Compares a preset's cubeless equity and win chance with rollouts to the end in families of
positions that are rare in play: snakes, containment after a late hit, massive and mutual back
games, saving a backgammon in a race, stacked races. The rollouts' own variance is taken out.
No net was trained on these positions. go doc of cmd/fibslab/internal/families defines the
families.`,
		Example: `  fibslab bench families
  fibslab bench families --preset worldclass --gnubg-plies 0
  fibslab bench families --weights new.weights --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ps, err := families.Embedded()
			if err != nil {
				return err
			}
			return f.measure(cmd, ps)
		},
	}
	engineflags.AddStrength(cmd, &f.strength, "expert")
	engineflags.AddPresets(cmd, &f.strength.Config)
	engineflags.AddEngine(cmd, &f.parts)
	fl := cmd.Flags()
	fl.Var(bounded.Of(&f.gnubg, -1, -1, 3), "gnubg-plies", "depth of gnubg beside us; -1 for none")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return cmd
}

// measure prints the distances of the preset, and of gnubg if asked for.
func (f *familiesFlags) measure(cmd *cobra.Command, ps []families.Position) error {
	pr, err := f.strength.Resolve(cmd)
	if err != nil {
		return err
	}
	e, err := f.parts.Open(cmd, f.strength.Seed)
	if err != nil {
		return err
	}
	defer e.Close()
	pr.Cube.Cubeful = false
	ours := func(ctx context.Context, p board.Position) (eval.Probs, error) {
		v, err := e.Evaluate(ctx, p, match.Money(false, 0), pr)
		return v.Probs, err
	}
	var by families.Estimate
	name := ""
	if f.gnubg >= 0 {
		t, err := train.StartGnubg(cmd.Context())
		if err != nil {
			return cmdline.AsUsage(err)
		}
		defer t.Close()
		by, name = families.ByTeacher(t, f.gnubg), fmt.Sprintf("gnubg %d-ply", f.gnubg)
	}
	bar := cmdline.Bar(cmd)
	list, err := families.Measure(cmd.Context(), ps, ours, by, bar.Show)
	if bar.Clear(); err != nil {
		return err
	}
	if f.asJSON {
		return cmdline.PrintJSON(cmd.OutOrStdout(), list)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s, preset %s, %d-ply: distance from rollouts, root mean square\n", e.Manifest().Name, pr.Name, pr.Cube.Plies)
	families.Print(cmd.OutOrStdout(), list, name)
	return nil
}

// newBenchCmd is `fibslab bench`: how right nets and cube are.
func newBenchCmd() *cobra.Command {
	return group("bench", "Measure how right nets and cube decisions are", "fibsbot bench measures the engine's speed and prints the signature of its play.",
		"  fibslab bench nets\n  fibslab bench cube --preset worldclass", newBenchNetsCmd(), newBenchCubeCmd(), newBenchLabelsCmd(), newBenchFamiliesCmd())
}
