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
	"fibsbot/cmd/internal/cmdline"
)

func newPuretdCmd() *cobra.Command {
	var plies int
	var truth, release bool
	cmd := &cobra.Command{
		Use:   "puretd FILE",
		Short: "Serve a net of PureTD by fibsbot's line protocol",
		Long: `Reads a weights file of PureTD and answers the line protocol of "fibsbot help engine" on
stdin and stdout, so that fibsbot duel can play against it. A net of five chances answers hello, pos
and eval, one of cubeful equity hello, pos, move, cube and take in money games. At 0 plies
it uses the net's values, at 1 the means over the next 21 rolls, for plays and cube.

With --truth it prints the losses of its plays and, in money games, its cube decisions on
the rolled out decisions of train truth, in millipoints.`,
		Example: `  fibsbot duel expert 'cmd:fibslab puretd cubeful_money_512_512_256_256.bin' --games 1000 --vr
  fibslab puretd cubeless_prob5_512_512_256_128.bin --truth --plies 1`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case plies < 0 || plies > 1:
				return cmdline.Usagef("puretd: --plies %d: not 0 or 1", plies)
			case release && !truth:
				return cmdline.AsUsage(errors.New("puretd: --release goes with --truth"))
			}
			net, err := readNet(args[0])
			if err != nil {
				return err
			}
			p := &puretd.Player{Net: net, Plies: plies}
			if truth {
				return p.Measure(cmd.Context(), cmd.OutOrStdout(), release)
			}
			return p.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().IntVar(&plies, "plies", 0, "depth of plays and cube decisions, 0 or 1")
	cmd.Flags().BoolVar(&truth, "truth", false, "measure on rolled out decisions")
	cmd.Flags().BoolVar(&release, "release", false, "with --truth: on the half reserved for releases")
	return cmd
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
