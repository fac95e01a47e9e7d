package main

import (
	"io"

	"github.com/spf13/cobra"

	"fibsbot/engine/advice"
)

// evalJSON is the answer of eval: the evaluation and what the flags ask for besides.
type evalJSON struct {
	advice.Evaluation
	extras
}

func newEvalCmd() *cobra.Command {
	var strength strengthFlags
	var parts engineFlags
	var more extraFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "eval POSITION",
		Short: "Evaluate a position: chances, equities and the cube decision",
		Long: `Prints the chances of the player on roll, before the roll: win, win gammon, win
backgammon, lose gammon, lose backgammon, each including the next; then equities
without and with the cube, and what to do with the cube.

A POSITION is a gnubg Position ID, PositionID:MatchID, an XGID or a FIBS board: line.`,
		Example: `  fibsbot eval 4HPwATDgc/ABMA
  fibsbot eval 4HPwATDgc/ABMA:cAkAAAAAAAAA --plies 2 --json
  fibsbot eval 4HPwATDgc/ABMA:cAmgAAAAAAAA --board --windows --counts --map text
  fibsbot eval 'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10'`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := readSituation(args[0])
			if err != nil {
				return err
			}
			if err := more.check(); err != nil {
				return err
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
			v, d, err := advice.Evaluate(cmd.Context(), e, s, p, strength.cubeless)
			if err != nil {
				return err
			}
			out := evalJSON{Evaluation: v}
			if out.extras, err = more.collect(cmd, e, s, p, out.Probs); err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), out)
			}
			before, after := out.text()
			_, err = io.WriteString(cmd.OutOrStdout(), before+out.Text(d, s.State)+after)
			return err
		},
	}
	addStrengthFlags(cmd, &strength, "worldclass")
	addPresetsFlag(cmd, &strength.config)
	addEngineFlags(cmd, &parts)
	addExtraFlags(cmd, &more)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
