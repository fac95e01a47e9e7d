package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/train"
	"fibsbot/engine/truth"

	"github.com/spf13/cobra"
)

// truthFlags say what is measured on the rolled out decisions and beside whom.
type truthFlags struct {
	strength strengthFlags
	parts    engineFlags
	file     string
	gnubg    int
	gnubgDir string
	release  bool
	asJSON   bool
}

func (f *truthFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.file, "truth-file", "", "file of train truth (default the set in the program)")
	fl.IntVar(&f.gnubg, "gnubg-plies", 0, "depth of gnubg beside us, where it is installed; -1 for none")
	fl.BoolVar(&f.release, "release", false, "measure on the reserved half, which is for releases")
}

// open opens the engine, the decisions and gnubg, nil where there is none.
func (f *truthFlags) open(cmd *cobra.Command) (*engine.Engine, []truth.Decision, *train.Gnubg, error) {
	if f.gnubg < -1 || f.gnubg > 3 {
		return nil, nil, nil, usagef("--gnubg-plies: %d is not between -1 and 3", f.gnubg)
	}
	ds, err := truth.Load(f.file)
	if err != nil {
		return nil, nil, nil, usageError{err}
	}
	e, err := f.parts.open(cmd, f.strength.seed)
	if err != nil {
		return nil, nil, nil, err
	}
	if f.gnubg < 0 {
		return e, ds, nil, nil
	}
	g, err := train.StartGnubg(cmd.Context(), f.gnubgDir)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, train.ErrTeacher) {
			fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: gnubg is not measured: %v\n", err)
			return e, ds, nil, nil
		}
		return e, ds, nil, err
	}
	return e, ds, g, nil
}

// plays measures checker decisions: ours and, when g is not nil, gnubg's losses.
func (f *truthFlags) plays(cmd *cobra.Command) ([]train.Loss, error) {
	pr, err := f.strength.resolve(cmd)
	if err != nil {
		return nil, err
	}
	e, all, g, err := f.open(cmd)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	ds, err := truth.Plays(all, f.release)
	if err != nil {
		return nil, err
	}
	mine, err := truth.Losses(ds, truth.BySearch(cmd.Context(), e.Search(), pr.Checker))
	if err != nil {
		return nil, err
	}
	theirs := make([]float64, len(ds))
	if g != nil {
		defer g.Close()
		player := &train.TeacherPlayer{Teacher: g, Plies: f.gnubg}
		if theirs, err = truth.Losses(ds, truth.ByPlayer(player)); err == nil {
			err = player.Err
		}
		if err != nil {
			return nil, err
		}
	}
	return train.CompareLosses(ds, mine, theirs), nil
}

// cubeReport is what `bench cube --json` prints.
type cubeReport struct {
	Ours  []truth.CubeLoss `json:"ours"`
	Gnubg []truth.CubeLoss `json:"gnubg,omitempty"`
}

// newBenchCubeCmd is `fibsbot bench cube`.
func newBenchCubeCmd() *cobra.Command {
	f := truthFlags{}
	cmd := &cobra.Command{
		Use:   "cube",
		Short: "Measure cube decisions on rolled out ones",
		Long: `Asks a preset about every cube decision of the set that our own engine has rolled out
(train truth) and prints what its doubles and its answers give up, in millipoints of
equity at the present cube, beside gnubg's where that is installed. None of the
decisions is used to train or to fit anything; half of them are reserved for
--release.`,
		Example: `  fibsbot bench cube
  fibsbot bench cube --preset expert --gnubg-plies -1
  fibsbot bench cube --preset worldclass --gnubg-plies 2 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := f.cubes(cmd)
			if err != nil {
				return err
			}
			if f.asJSON {
				return printJSON(cmd.OutOrStdout(), r)
			}
			printCubeLosses(cmd.OutOrStdout(), r, f.gnubg)
			return nil
		},
	}
	addStrengthFlags(cmd, &f.strength, "worldclass")
	addPresetsFlag(cmd, &f.strength.config)
	addEngineFlags(cmd, &f.parts)
	f.add(cmd)
	cmd.Flags().StringVar(&f.gnubgDir, "gnubg-dir", "engine/train/gnubg", "folder of label.py")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return cmd
}

func (f *truthFlags) cubes(cmd *cobra.Command) (r cubeReport, err error) {
	pr, err := f.strength.resolve(cmd)
	if err != nil {
		return r, err
	}
	e, ds, g, err := f.open(cmd)
	if err != nil {
		return r, err
	}
	defer e.Close()
	if r.Ours, err = truth.CubeLosses(ds, f.release, truth.CubeBySearch(cmd.Context(), e.Search(), pr.Cube)); err != nil {
		return r, err
	}
	if g == nil {
		return r, nil
	}
	defer g.Close()
	r.Gnubg, err = truth.CubeLosses(ds, f.release, gnubgCubes(cmd.Context(), g, f.gnubg))
	return r, err
}

// gnubgCubes decides about the cube as gnubg does.
func gnubgCubes(ctx context.Context, g *train.Gnubg, plies int) truth.CubeChooser {
	return func(p board.Position, st match.State) (double, take bool, err error) {
		if err := ctx.Err(); err != nil {
			return false, false, err
		}
		q, err := g.Cube(train.CubeQuestion{Key: p.Key(), State: st}, plies)
		return min(q[1], q[2]) > q[0], q[1] <= q[2], err
	}
}

func printCubeLosses(w io.Writer, r cubeReport, plies int) {
	fmt.Fprintf(w, "%-15s %9s %9s %9s %7s %6s", "", "decisions", "doubling", "taking", "+-", "wrong")
	if r.Gnubg != nil {
		fmt.Fprintf(w, "   %9s %9s %6s", fmt.Sprintf("gnubg %d:", plies), "taking", "wrong")
	}
	fmt.Fprintln(w)
	for i, l := range r.Ours {
		fmt.Fprintf(w, "%-15s %9d %9.2f %9.2f %7.2f %6d", l.Tag, l.Decisions, l.Doubling, l.Taking, l.Error, l.Wrong)
		if r.Gnubg != nil {
			g := r.Gnubg[i]
			fmt.Fprintf(w, "   %9.2f %9.2f %6d", g.Doubling, g.Taking, g.Wrong)
		}
		fmt.Fprintln(w)
	}
}
