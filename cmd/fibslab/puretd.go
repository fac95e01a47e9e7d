package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/layered"
	"fibsbot/cmd/fibslab/internal/puretd"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/flagrule"
	"fibsbot/engine"
)

// puretdFlags are the flags of fibslab puretd.
type puretdFlags struct {
	plies          int
	truth, release bool
	compare        bool
	comparison     puretd.Comparison
	weights        string
}

func newPuretdCmd() *cobra.Command {
	var f puretdFlags
	cmd := &cobra.Command{
		Use:   "puretd FILE",
		Short: "Serve a net of PureTD by fibsbot's line protocol",
		Long: `Reads a weights file of PureTD and answers the line protocol of "fibsbot help engine" on
stdin and stdout, so that fibsbot duel can play against it. A net of five chances answers hello, pos
and eval, one of cubeful equity hello, pos, move, cube and take in money games. At 0 plies
it uses the net's values, at 1 the means over the next 21 rolls, for plays and cube.

With --truth it prints the losses of its plays and, in money games, its cube decisions on
the rolled out decisions of train truth, in millipoints, beside those of expert at the same
depth. The errors of cube decisions are those of doubling and taking together.

With --compare the program's nets at 0 plies and a net of five chances play cubeless money games;
where their plays differ, both are rolled out. The table says by plan who gains how much.
The embedded nets roll out.`,
		Example: `  fibsbot duel expert 'cmd:fibslab puretd cubeful_money_512_512_256_256.bin' --games 1000 --vr
  fibslab puretd cubeless_prob5_512_512_256_128.bin --truth --plies 1
  fibslab puretd cubeless_prob5_512_512_256_128.bin --compare --games 400 --weights new.weights`,
		Args: cobra.ExactArgs(1),
		RunE: f.run,
	}
	fl := cmd.Flags()
	fl.Var(bounded.Of(&f.plies, 0, 0, 1), "plies", "depth of plays and cube decisions, 0 or 1")
	fl.BoolVar(&f.truth, "truth", false, "measure on rolled out decisions")
	fl.BoolVar(&f.release, "release", false, "with --truth: on the half reserved for releases")
	fl.BoolVar(&f.compare, "compare", false, "roll out the plays that differ from those of the program's nets")
	fl.Var(bounded.Of(&f.comparison.Games, 400, 1, 1_000_000), "games", "with --compare: games")
	fl.Var(bounded.Of(&f.comparison.Trials, 36, 1, 1_000_000), "trials", "with --compare: trials of a play")
	fl.Uint64Var(&f.comparison.Seed, "seed", 1, "with --compare: seed of dice")
	fl.StringVar(&f.weights, "weights", "", "with --truth or --compare: weights file of our side (default the embedded one)")
	return cmd
}

func (f *puretdFlags) run(cmd *cobra.Command, args []string) error {
	err := errors.Join(flagrule.Needs(cmd, "truth", "release"), flagrule.Needs(cmd, "compare", "games", "trials", "seed"),
		flagrule.Apart(cmd, "truth", "compare"), flagrule.NotEmpty(cmd, "weights"))
	if err != nil {
		return cmdline.AsUsage(err)
	}
	if f.weights != "" && !f.truth && !f.compare {
		return cmdline.Usagef("--weights: needs --truth or --compare")
	}
	net, err := readNet(args[0])
	if err != nil {
		return err
	}
	p := &puretd.Player{Net: net, Plies: f.plies}
	switch {
	case f.truth:
		own, err := engine.Open(engine.Options{Weights: f.weights, Threads: 1})
		if err != nil {
			return cmdline.AsUsage(err)
		}
		defer own.Close()
		return p.Measure(cmd.Context(), cmd.OutOrStdout(), own, f.release)
	case f.compare:
		return f.runComparison(cmd, args[0], net)
	}
	return p.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
}

// runComparison compares the program's nets with net, which is in the file path, and prints a table.
func (f *puretdFlags) runComparison(cmd *cobra.Command, path string, net *puretd.Net) error {
	c := f.comparison
	c.Net, c.Plies = net, f.plies
	for _, side := range []struct {
		to      **engine.Engine
		weights string
	}{{&c.Own, f.weights}, {&c.Judge, ""}} {
		e, err := engine.Open(engine.Options{Weights: side.weights, Threads: 1})
		if err != nil {
			return cmdline.AsUsage(err)
		}
		defer e.Close()
		*side.to = e
	}
	bar := cmdline.Bar(cmd)
	list, err := c.Run(cmd.Context(), func(done int) { bar.Show("games", done, c.Games) })
	bar.Clear()
	switch {
	case errors.Is(err, puretd.ErrCube):
		return cmdline.Usagef("puretd: --compare: %s: %w", path, err)
	case err != nil:
		return err
	}
	return puretd.Print(cmd.OutOrStdout(), list)
}

// readNet reads a weights file.
func readNet(path string) (*puretd.Net, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, cmdline.Usagef("puretd: %w", err)
	}
	defer f.Close()
	net, err := puretd.Read(bufio.NewReader(f))
	var system *fs.PathError
	switch {
	case errors.Is(err, layered.ErrFile), errors.Is(err, puretd.ErrNet), errors.As(err, &system):
		return nil, cmdline.Usagef("puretd: %s: %w", path, err)
	case err != nil:
		return nil, fmt.Errorf("puretd: %s: %w", path, err)
	}
	return net, nil
}
