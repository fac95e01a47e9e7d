package main

import (
	"github.com/spf13/cobra"

	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/preset"
)

// evalJSON is the answer of eval: the evaluation and what further flags ask for.
type evalJSON struct {
	advice.Evaluation
	advice.More
}

func newEvalCmd() *cobra.Command {
	var asked inquiry
	var more extraFlags
	cmd := &cobra.Command{
		Use:   "eval POSITION",
		Short: "Evaluate a position: chances, equities and the cube decision",
		Long: `Prints the chances of the player on roll before the roll: win, win gammon, win
backgammon, lose gammon, lose backgammon. Gammons include backgammons. Then the
equities without and with the cube, and the cube decision.

` + positionForms,
		Example: `  fibsbot eval 4HPwATDgc/ABMA
  fibsbot eval 4HPwATDgc/ABMA --length 7 --score 3-5 --cube 2 --owner me
  fibsbot eval 4HPwATDgc/ABMA:cAkAAAAAAAAA --plies 2 --json
  fibsbot eval 4HPwATDgc/ABMA:cAmgAAAAAAAA --board --windows --counts --map text
  fibsbot eval 4HPwATDgc/ABMA --rolls --preset expert
  fibsbot eval 'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10'
  fibsbot eval - --json < positions.txt`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := more.check(); err != nil {
				return err
			}
			if more.Rolls && asked.strength.Cubeless {
				return cmdline.Usagef("--rolls: needs the cube (leave --cubeless out)")
			}
			return asked.each(cmd, args, func(e *engine.Engine, p preset.Preset, q input.Question) (any, string, error) {
				v, d, err := advice.Evaluate(cmd.Context(), e, q.Situation, p, asked.strength.Cubeless)
				if err != nil {
					return nil, "", err
				}
				v.Assumed = q.Assumed
				out := evalJSON{Evaluation: v}
				if out.More, err = more.collect(cmd, e, q.Situation, p, out.Probs); err != nil {
					return nil, "", err
				}
				before, after := out.More.Text()
				return out, before + out.Evaluation.Text(d, q.State) + after, nil
			})
		},
	}
	asked.add(cmd, "worldclass")
	addExtraFlags(cmd, &more)
	return cmd
}
