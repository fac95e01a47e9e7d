package main

import (
	"github.com/spf13/cobra"

	"fibsbot/bot/ask"
	"fibsbot/engine/advice"
)

// evalJSON is the answer of eval: the evaluation and what the flags ask for besides.
type evalJSON struct {
	advice.Evaluation
	extras
}

func newEvalCmd() *cobra.Command {
	var strength strengthFlags
	var where positionFlags
	var parts engineFlags
	var more extraFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "eval POSITION",
		Short: "Evaluate a position: chances, equities and the cube decision",
		Long: `Prints the chances of the player on roll, before the roll: win, win gammon, win
backgammon, lose gammon, lose backgammon, each including the next; then equities
without and with the cube, and what to do with the cube.

` + positionForms,
		Example: `  fibsbot eval 4HPwATDgc/ABMA
  fibsbot eval 4HPwATDgc/ABMA --length 7 --score 3-5 --cube 2 --owner me
  fibsbot eval 4HPwATDgc/ABMA:cAkAAAAAAAAA --plies 2 --json
  fibsbot eval 4HPwATDgc/ABMA:cAmgAAAAAAAA --board --windows --counts --map text
  fibsbot eval 'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10'
  fibsbot eval - --json < positions.txt`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := more.check(); err != nil {
				return err
			}
			p, err := strength.resolve(cmd)
			if err != nil {
				return err
			}
			open := opener{parts: &parts}
			defer open.close()
			to := answers{out: cmd.OutOrStdout(), asJSON: asJSON}
			return where.each(cmd, args, func(q ask.Question, several bool) error {
				e, err := open.engine(cmd, strength.seed)
				if err != nil {
					return err
				}
				v, d, err := advice.Evaluate(cmd.Context(), e, q.Situation, p, strength.cubeless)
				if err != nil {
					return err
				}
				v.Assumed = q.Assumed
				out := evalJSON{Evaluation: v}
				if out.extras, err = more.collect(cmd, e, q.Situation, p, out.Probs); err != nil {
					return err
				}
				before, after := out.text()
				return to.write(out, before+out.Text(d, q.State)+after, several)
			})
		},
	}
	addPositionFlags(cmd, &where)
	addCubeFlag(cmd, &where)
	addStrengthFlags(cmd, &strength, "worldclass")
	addPresetsFlag(cmd, &strength.config)
	addEngineFlags(cmd, &parts)
	addExtraFlags(cmd, &more)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
