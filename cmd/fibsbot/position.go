package main

import (
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
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/internal/figure"
)

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
	if several && cmdline.JSON(a.cmd) {
		return cmdline.PrintJSONLine(a.cmd.OutOrStdout(), doc)
	}
	if a.written++; a.written > 1 {
		text = "\n" + text
	}
	return cmdline.Answer(a.cmd, doc, text)
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
	engineflags.AddStrength(cmd, &i.strength, preset)
	engineflags.AddWithin(cmd, &i.strength)
	engineflags.AddPresets(cmd, &i.strength.Config)
	engineflags.AddEngine(cmd, &i.parts)
	i.parts.UseConfiguredTable(cmd, &i.strength.Config)
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
