package main

import (
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
	cmd := cmdline.New("dice [NUMBER]", func(cmd *cobra.Command, args []string) error {
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
		out := struct {
			RNG   string     `json:"rng"`
			Seed  uint64     `json:"seed"`
			Rolls [][2]uint8 `json:"rolls"`
		}{RNG: from.String(), Seed: seed}
		text := fmt.Appendf(nil, "# %s, seed %d\n", from, seed)
		for range n {
			d := dice.Throw(source)
			out.Rolls, text = append(out.Rolls, d), fmt.Appendf(text, "%d%d\n", d[0], d[1])
		}
		return cmdline.Answer(cmd, out, string(text))
	})
	engineflags.AddDice(cmd, &from)
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of the generator (default random)")
	cmdline.AddJSON(cmd)
	return cmd
}
