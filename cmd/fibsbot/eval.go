package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/explain"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/internal/figure"
)

// evalJSON is the answer of eval: the evaluation and what further flags ask for.
type evalJSON struct {
	advice.Evaluation
	advice.More
	explain.Doc
}

// hintJSON is the answer of hint to a roll: its plays, and why the first is the best.
type hintJSON struct {
	advice.Plays
	explain.Doc
}

func newEvalCmd() *cobra.Command {
	var asked inquiry
	var more extraFlags
	var why whyFlags
	cmd := cmdline.New("eval POSITION", func(cmd *cobra.Command, args []string) error {
		if err := more.check(); err != nil {
			return err
		}
		if more.Rolls && asked.strength.Cubeless {
			return cmdline.Usagef("--rolls: needs the cube (leave --cubeless out)")
		}
		if err := why.open(cmd); err != nil {
			return err
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
			doc, reason, err := why.cube(cmd.Context(), e, q.Situation, d)
			if err != nil {
				return nil, "", err
			}
			out.Doc = doc
			before, after := out.More.Text()
			return out, before + out.Evaluation.Text(d, q.State) + reason + after, nil
		})
	})
	cmd.Args = cobra.MinimumNArgs(1)
	asked.add(cmd, "worldclass")
	fl := cmd.Flags()
	fl.BoolVar(&more.Windows, "windows", false, "take, double, cash and too-good points, and gammon prices")
	fl.BoolVar(&more.Counts, "counts", false, "pips, effective pips, Kleinman, Thorp, Keith, Ward and Isight counts")
	fl.StringVar(&more.heat, "map", "", "temperature map of the rolls: text, or a FILE.svg")
	fl.BoolVar(&more.Rolls, "rolls", false, "best play and equities of each of the 21 rolls, market losers")
	fl.BoolVar(&more.Board, "board", false, "draw the board")
	why.add(fl)
	return cmd
}

func newHintCmd() *cobra.Command {
	var asked inquiry
	var limit int
	var draw bool
	var why whyFlags
	cmd := cmdline.New("hint POSITION", func(cmd *cobra.Command, args []string) error {
		if limit < 0 {
			return cmdline.Usagef("--limit: %d is negative (use 0 for all plays)", limit)
		}
		if err := why.open(cmd); err != nil {
			return err
		}
		return asked.each(cmd, args, func(e *engine.Engine, p preset.Preset, q input.Question) (any, string, error) {
			doc, text, err := hintFor(cmd.Context(), e, q, p, limit, &why)
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
	why.add(cmd.Flags())
	return cmd
}

// hintFor answers one position with up to limit plays, 0 for all, and the reason that why asks for.
func hintFor(ctx context.Context, e *engine.Engine, q input.Question, p preset.Preset, limit int, why *whyFlags) (doc any, text string, err error) {
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
		reason, words, err := why.cube(ctx, e, q.Situation, d)
		return evalJSON{Evaluation: out, Doc: reason}, text + words, err
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
	reason, words, err := why.plays(ctx, e, q.Situation, list)
	return hintJSON{out, reason}, out.Text(q.State, &p.Checker) + words, err
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

// addPositionFlags adds the flags of a position, but for --dice and --cube, which differ.
func addPositionFlags(cmd *cobra.Command, p *input.Position) {
	p.AddState(cmd.Flags())
	p.AddOnRoll(cmd.Flags())
	p.AddRules(cmd.Flags())
}

// eachPosition answers the position of the arguments, or with - those of stdin; several
// reports whether more may follow. A line that cannot be read is reported and the others
// are answered; the exit status is 2 then.
func eachPosition(cmd *cobra.Command, where input.Position, args []string, answer func(q input.Question, several bool) error) error {
	if where.Position = strings.Join(args, " "); where.Position != "-" {
		q, err := where.Question()
		if err != nil {
			return positionError(err)
		}
		return answer(q, false)
	}
	where.Position = ""
	bad, n := 0, 0
	for l := range input.Lines(cmd.InOrStdin(), where) {
		if cmd.Context().Err() != nil {
			return cmdline.ErrInterrupted
		}
		if n++; l.Err == nil {
			if l.Err = answer(l.Question, true); l.Err == nil {
				continue
			}
			var mistake cmdline.UsageError
			if !errors.As(l.Err, &mistake) {
				return l.Err
			}
		}
		bad++
		fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: stdin, line %d: %v\n", l.Number, l.Err)
	}
	switch {
	case cmd.Context().Err() != nil:
		return cmdline.ErrInterrupted
	case n == 0:
		return cmdline.Usagef("POSITION: stdin is empty (write positions to it, one per line)")
	case bad > 0:
		return cmdline.Usagef("POSITION: %d of %s of stdin could not be answered", bad, figure.Count(n, "line"))
	}
	return nil
}

// positionError names the flag or argument that is wrong.
func positionError(err error) error {
	var field *advice.FieldError
	if errors.As(err, &field) && field.Field != "position" {
		return cmdline.Usagef("--%s: %s", strings.ReplaceAll(field.Field, "_", "-"), field.Problem)
	}
	text := strings.TrimPrefix(err.Error(), "position: ")
	if strings.HasPrefix(text, match.ErrBadSituation.Error()) || strings.HasPrefix(text, board.ErrBadID.Error()) {
		text += " (fibsbot eval --help lists what a POSITION may be)"
	}
	return cmdline.Usagef("POSITION: %s", text)
}

// jsonLines is the usage of --json of commands with several documents.
const jsonLines = "print one JSON object a line"

// answers prints the answers of a command: one document, or one per line.
type answers struct {
	cmd     *cobra.Command
	written int
}

func (a *answers) write(doc any, text string, several bool) error {
	if a.written++; a.written > 1 {
		text = "\n" + text
	}
	if several {
		return printLine(a.cmd, doc, text)
	}
	return cmdline.Answer(a.cmd, doc, text)
}

// printLine prints one of several answers: its document on a line of its own, or its text.
func printLine(cmd *cobra.Command, doc any, text string) error {
	if cmdline.JSON(cmd) {
		return cmdline.PrintJSONLine(cmd.OutOrStdout(), doc)
	}
	return cmdline.Answer(cmd, doc, text)
}

// opener opens the engine of a command when the first position has been read.
type opener struct {
	parts *engineflags.Engine
	e     *engine.Engine
}

// engine returns the engine for a game by those rules.
func (o *opener) engine(cmd *cobra.Command, seed uint64, rules board.Rules) (*engine.Engine, error) {
	if o.e == nil {
		e, err := o.parts.Open(cmd, seed)
		if err != nil {
			return nil, cmdline.AsUsage(err)
		}
		o.e = e
	}
	e, err := o.e.With(cmd.Context(), rules)
	return e, cmdline.AsUsage(err)
}

func (o *opener) close() {
	if o.e != nil {
		o.e.Close()
	}
}

// inquiry holds the flags of commands that ask a preset about positions.
type inquiry struct {
	where    input.Position
	strength engineflags.Strength
	parts    engineflags.Engine
}

func (i *inquiry) add(cmd *cobra.Command, preset string) {
	addPositionFlags(cmd, &i.where)
	i.where.AddCube(cmd.Flags())
	engineflags.Add(cmd, &i.strength, &i.parts, preset)
	engineflags.AddWithin(cmd, &i.strength)
	cmdline.AddJSON(cmd)
}

// each prints the answer to each question of the arguments.
func (i *inquiry) each(cmd *cobra.Command, args []string, answer func(*engine.Engine, preset.Preset, input.Question) (doc any, text string, err error)) error {
	p, err := i.strength.Resolve(cmd)
	if err != nil {
		return err
	}
	open := opener{parts: &i.parts}
	defer open.close()
	to := answers{cmd: cmd}
	return eachPosition(cmd, i.where, args, func(q input.Question, several bool) error {
		e, err := open.engine(cmd, i.strength.Seed, q.Rules)
		if err != nil {
			return err
		}
		doc, text, err := answer(e, p, q)
		if err != nil {
			return err
		}
		return to.write(doc, text, several)
	})
}
