package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine/dice"
)

func newDiceCmd() *cobra.Command {
	var from dice.Generator
	var seed uint64
	var asJSON bool
	cmd := &cobra.Command{
		Use:  "dice [NUMBER]",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n := 1
			if len(args) > 0 {
				var err error
				if n, err = strconv.Atoi(args[0]); err != nil || n < 1 || n > dice.MaxRolls {
					return cmdline.Usagef("NUMBER: %.40q is not a whole number between 1 and %d", args[0], dice.MaxRolls)
				}
			}
			if !cmd.Flags().Changed("seed") {
				seed = uint64(rand.Uint32()) //nolint:gosec // a seed to print, not a secret
			}
			source := from.Source(seed, 0)
			if asJSON {
				out := struct {
					RNG   string     `json:"rng"`
					Seed  uint64     `json:"seed"`
					Rolls [][2]uint8 `json:"rolls"`
				}{RNG: from.String(), Seed: seed}
				for range n {
					out.Rolls = append(out.Rolls, dice.Throw(source))
				}
				return cmdline.PrintJSON(cmd.OutOrStdout(), out)
			}
			w := bufio.NewWriter(cmd.OutOrStdout())
			fmt.Fprintf(w, "# %s, seed %d\n", from, seed)
			for range n {
				d := dice.Throw(source)
				fmt.Fprintf(w, "%d%d\n", d[0], d[1])
			}
			return w.Flush()
		},
	}
	engineflags.AddDice(cmd, &from)
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of the generator (default random)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
