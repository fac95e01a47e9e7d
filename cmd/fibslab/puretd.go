package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibslab/internal/puretd"
	"fibsbot/cmd/fibslab/internal/reference"
	"fibsbot/cmd/internal/bounded"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/flagrule"
	"fibsbot/engine"
)

// puretdFlags are the flags of fibslab puretd.
type puretdFlags struct {
	plies          int
	truth, release bool
	weights, file  string
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
depth. The errors of cube decisions are those of doubling and taking together.`,
		Example: `  fibsbot duel expert 'cmd:fibslab puretd cubeful_money_512_512_256_256.bin' --games 1000 --vr
  fibslab puretd cubeless_prob5_512_512_256_128.bin --truth --plies 1`,
		Args: cobra.ExactArgs(1),
		RunE: f.run,
	}
	fl := cmd.Flags()
	fl.Var(bounded.Of(&f.plies, 0, 0, 1), "plies", "depth of plays and cube decisions, 0 or 1")
	fl.BoolVar(&f.truth, "truth", false, "measure on rolled out decisions")
	fl.BoolVar(&f.release, "release", false, "with --truth: on the half reserved for releases")
	fl.StringVar(&f.file, "truth-file", "", "with --truth: file of train truth, or a set in the program: truth, disputed (default truth)")
	fl.StringVar(&f.weights, "weights", "", "with --truth: weights file of our side (default the embedded one)")
	return cmd
}

func (f *puretdFlags) run(cmd *cobra.Command, args []string) error {
	if err := cmp.Or(flagrule.Needs(cmd, "truth", "release", "truth-file", "weights"), flagrule.NotEmpty(cmd, "truth-file", "weights")); err != nil {
		return cmdline.AsUsage(err)
	}
	net, err := readNet(args[0])
	if err != nil {
		return err
	}
	p := &puretd.Player{Net: net, Plies: f.plies}
	if f.truth {
		own, err := engine.Open(engine.Options{Weights: f.weights, Threads: 1})
		if err != nil {
			return cmdline.AsUsage(err)
		}
		defer own.Close()
		all, err := reference.Load(f.file)
		if err != nil {
			return cmdline.AsUsage(err)
		}
		return p.Measure(cmd.Context(), cmd.OutOrStdout(), own, all, f.release)
	}
	return p.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
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
	case errors.Is(err, puretd.ErrFile), errors.Is(err, puretd.ErrNet), errors.As(err, &system):
		return nil, cmdline.Usagef("puretd: %s: %w", path, err)
	case err != nil:
		return nil, fmt.Errorf("puretd: %s: %w", path, err)
	}
	return net, nil
}
