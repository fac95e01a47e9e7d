package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
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
	cmd := cmdline.New("eval POSITION", func(cmd *cobra.Command, args []string) error {
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
	})
	cmd.Args = cobra.MinimumNArgs(1)
	asked.add(cmd, "worldclass")
	addExtraFlags(cmd, &more)
	return cmd
}

func newHintCmd() *cobra.Command {
	var asked inquiry
	var limit int
	var draw bool
	cmd := cmdline.New("hint POSITION", func(cmd *cobra.Command, args []string) error {
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
	})
	cmd.Args = cobra.MinimumNArgs(1)
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

// extraFlags are the flags of eval that tell people more about a position.
type extraFlags struct {
	advice.Wanted
	heat string
}

func addExtraFlags(cmd *cobra.Command, f *extraFlags) {
	fl := cmd.Flags()
	fl.BoolVar(&f.Windows, "windows", false, "take, double, cash and too-good points, and gammon prices")
	fl.BoolVar(&f.Counts, "counts", false, "pips, effective pips, Kleinman, Thorp, Keith, Ward and Isight counts")
	fl.StringVar(&f.heat, "map", "", "temperature map of the rolls: text, or a FILE.svg")
	fl.BoolVar(&f.Rolls, "rolls", false, "best play and equities of each of the 21 rolls, market losers")
	fl.BoolVar(&f.Board, "board", false, "draw the board")
}

// check refuses what cannot be before the engine is opened.
func (f *extraFlags) check() error {
	if f.Map = f.heat != ""; f.Map && f.heat != "text" && !strings.HasSuffix(strings.ToLower(f.heat), ".svg") {
		return cmdline.Usagef("--map: unknown format %q (use text or a FILE.svg)", f.heat)
	}
	return nil
}

// collect finds what the flags ask for. probs are the chances of the player on
// roll.
func (f *extraFlags) collect(cmd *cobra.Command, e *engine.Engine, s match.Situation, p preset.Preset, probs eval.Probs) (advice.More, error) {
	x, err := f.Of(cmd.Context(), e, s, p, probs)
	switch {
	case errors.Is(err, advice.ErrWindows):
		return x, cmdline.Usagef("--windows: %v", err)
	case err != nil || !f.Map || f.heat == "text":
		return x, err
	}
	if err := writeFileAtomic(f.heat, []byte(x.Heat.SVG("Equity of each roll, "+s.String()))); err != nil {
		return x, cmdline.AsUsage(fmt.Errorf("--map: %w", err))
	}
	x.Heat = nil
	return x, nil
}
