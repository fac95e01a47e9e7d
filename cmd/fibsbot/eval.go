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
		Use:  "eval POSITION",
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
