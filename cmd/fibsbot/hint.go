package main

import (
	"context"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

func newHintCmd() *cobra.Command {
	var asked inquiry
	var limit int
	var draw bool
	cmd := &cobra.Command{
		Use:  "hint POSITION",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return cmdline.Usagef("--limit: %d is negative (use 0 for all plays)", limit)
			}
			return asked.each(cmd, args, func(e *engine.Engine, p preset.Preset, q input.Question) (any, string, error) {
				doc, text, err := hintFor(cmd.Context(), e, q, p, limit)
				if draw {
					text = advice.Drawing(e.Rules(), q.Situation) + text
				}
				return doc, text, err
			})
		},
	}
	asked.add(cmd, "worldclass")
	asked.where.AddDice(cmd.Flags(), "the roll, as 31")
	cmd.Flags().IntVar(&limit, "limit", 0, "plays to list, 0 for all")
	cmd.Flags().BoolVar(&draw, "board", false, "draw the board above the list")
	return cmd
}

// hintFor answers one position with up to limit plays, 0 for all.
func hintFor(ctx context.Context, e *engine.Engine, q input.Question, p preset.Preset, limit int) (doc any, text string, err error) {
	if !q.Dice.Valid() {
		out, d, err := advice.Evaluate(ctx, e, q.Situation, p, false)
		if err != nil {
			return nil, "", err
		}
		out.Assumed = q.Assumed
		text := out.Text(d, q.State)
		if out.Cube == nil {
			text += "no cube decision here: " + noCube(q.State) + "\n"
		}
		return out, text, nil
	}
	list, err := e.Hint(ctx, q.Position, q.Dice, q.State, p)
	if err != nil {
		return nil, "", err
	}
	out := advice.PlaysOf(e.Rules(), q.Situation, list)
	out.Assumed = q.Assumed
	if limit > 0 && len(out.Moves) > limit {
		out.Moves = out.Moves[:limit]
	}
	return out, out.Text(q.State, &p.Checker), nil
}

// noCube returns why there is no cube decision, and what to do.
func noCube(s match.State) string {
	switch {
	case s.Crawford:
		return "this is the Crawford game; give --dice for the plays of a roll"
	case s.Owner == match.Theirs:
		return "the opponent has the cube; give --dice for the plays of a roll"
	}
	return "the preset plays without the cube; give --dice for the plays of a roll"
}
