package main

import (
	"io"

	"github.com/spf13/cobra"

	"fibsbot/engine/advice"
)

func newHintCmd() *cobra.Command {
	var strength strengthFlags
	var parts engineFlags
	var dice string
	var most int
	var draw, asJSON bool
	cmd := &cobra.Command{
		Use:   "hint POSITION",
		Short: "Rank the plays of a roll, or weigh the cube before it",
		Long: `With dice (from --dice, or in the Match ID or XGID) the legal plays, best first:
plays that were searched deeper stand before the others. A play so far ahead that the
move filter leaves no other one is not searched deeper, so the best may say 0-ply; a
wider --filter looks closer. Without dice the cube decision. diff is what a play gives
up against the best.`,
		Example: `  fibsbot hint 4HPwATDgc/ABMA --dice 31
  fibsbot hint 4HPwATDgc/ABMA:QYkqASAAIAAA --preset supremo --json
  fibsbot hint 4HPwATDgc/ABMA`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := readSituation(args[0])
			if err != nil {
				return err
			}
			if dice != "" {
				if s.Dice, err = readDice(dice); err != nil {
					return err
				}
			}
			if most < 0 {
				return usagef("--max: %d is negative", most)
			}
			p, err := strength.resolve(cmd)
			if err != nil {
				return err
			}
			e, err := parts.open(cmd, strength.seed)
			if err != nil {
				return err
			}
			defer e.Close()
			w := cmd.OutOrStdout()
			if draw && !asJSON {
				if _, err := io.WriteString(w, drawSituation(s)); err != nil {
					return err
				}
			}
			if !s.Dice.Valid() {
				out, d, err := advice.Evaluate(cmd.Context(), e, s, p, false)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(w, out)
				}
				text := out.Text(d, s.State)
				if out.Cube == nil {
					text = "no cube decision here\n"
				}
				_, err = io.WriteString(w, text)
				return err
			}
			list, err := e.RankPlays(cmd.Context(), s.Position, s.Dice, s.State, p)
			if err != nil {
				return err
			}
			out := advice.PlaysOf(s, list)
			if most > 0 && len(out.Moves) > most {
				out.Moves = out.Moves[:most]
			}
			if asJSON {
				return printJSON(w, out)
			}
			_, err = io.WriteString(w, out.Text())
			return err
		},
	}
	addStrengthFlags(cmd, &strength, "worldclass")
	addPresetsFlag(cmd, &strength.config)
	addEngineFlags(cmd, &parts)
	cmd.Flags().StringVar(&dice, "dice", "", "the roll, as 31")
	cmd.Flags().IntVar(&most, "max", 0, "print at most this many plays, 0 for all")
	cmd.Flags().BoolVar(&draw, "board", false, "draw the board above the list")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
