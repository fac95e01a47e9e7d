package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"fibsbot/cmd/fibsbot/internal/input"
	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
)

// positionForms is what commands say of their argument.
const positionForms = `A POSITION is a gnubg Position ID, PositionID:MatchID (or a blank for the colon), an
XGID, OGID, a FIBS board: line, gnubg's text "Position ID: ... Match ID: ...", or the name
of a game for its start: backgammon, nackgammon, longgammon, hypergammon,
hypergammon2, hypergammon1. What it does not say is money play with the Jacoby rule
and beavers; the flags change that, seen by the player on roll. A roll may stand
behind it: 4HPwATDgc/ABMA 31. A POSITION of - reads one a line from the standard
input, as text or as JSON ({"position": ..., "length": 7, "score": [3,1], "dice": [3,1]}).`

// positionFlags say what stands beside the board.
type positionFlags struct {
	score, owner, onRoll, dice string
	length, cube, beavers      int
	crawford, jacoby           bool
	game                       *record.Variation // that the command plays; nil: it plays none
}

// addPositionFlags puts the flags on cmd, but for --dice and --cube, which differ.
func addPositionFlags(cmd *cobra.Command, f *positionFlags) {
	fl := cmd.Flags()
	fl.IntVar(&f.length, "length", 0, "length of the match, 0 for money play")
	fl.StringVar(&f.score, "score", "", "score A-B, that of the player on roll first")
	fl.StringVar(&f.owner, "owner", "", "who has the cube: me (the player on roll), opponent or centre")
	fl.BoolVar(&f.crawford, "crawford", false, "it is the Crawford game")
	fl.BoolVar(&f.jacoby, "jacoby", true, "the Jacoby rule holds in money play")
	fl.IntVar(&f.beavers, "beavers", match.DefaultBeavers, "how often money play allows to redouble at once, 0 for no beavers")
	fl.StringVar(&f.onRoll, "on-roll", "me", "who is on roll: me, as POSITION has it, or opponent")
}

func addCubeFlag(cmd *cobra.Command, f *positionFlags) {
	cmd.Flags().IntVar(&f.cube, "cube", 1, "value of the cube")
}

// overrides are what the given flags say.
func (f *positionFlags) overrides(cmd *cobra.Command) (o advice.Overrides, dice board.Dice, err error) {
	given := cmd.Flags().Changed
	if given("length") {
		o.Length = &f.length
	}
	if given("score") {
		score, err := input.Score(f.score)
		if err != nil {
			return o, dice, usagef("--score: %v", err)
		}
		o.Score = &score
	}
	if given("cube") && (f.cube != 0 || cmd.Flags().Lookup("cube").Value.Type() == "int") { // that of rollout may have no value
		o.Cube = &f.cube
	}
	if given("owner") {
		o.Owner = &f.owner
	}
	if given("crawford") {
		o.Crawford = &f.crawford
	}
	if given("jacoby") {
		o.Jacoby = &f.jacoby
	}
	if given("beavers") {
		o.Beavers = &f.beavers
	}
	switch f.onRoll {
	case "opponent":
		o.Swap = true
	case "", "me":
	default:
		return o, dice, usagef("--on-roll: %q: want me or opponent", f.onRoll)
	}
	if f.dice != "" {
		dice, err = readDice(f.dice)
	}
	return o, dice, err
}

// each answers what the arguments ask: one position, or with - those of the standard
// input, where several tells that others come. A line that cannot be read is told and
// the others answered; the status is 2 then.
func (f *positionFlags) each(cmd *cobra.Command, args []string, answer func(q input.Question, several bool) error) error {
	o, dice, err := f.overrides(cmd)
	if err != nil {
		return err
	}
	text := strings.Join(args, " ")
	if text != "-" {
		if text, err = input.Start(text, f.game); err != nil {
			return positionError(err)
		}
		q, err := input.Read(text, o, dice)
		if err != nil {
			return positionError(err)
		}
		if err := f.fits(&q.Position); err != nil {
			return err
		}
		return answer(q, false)
	}
	bad, n := 0, 0
	for l := range input.Lines(cmd.InOrStdin(), o, dice) {
		if cmd.Context().Err() != nil {
			return errInterrupted
		}
		if n++; l.Err == nil {
			l.Err = f.fits(&l.Question.Position)
		}
		if l.Err == nil {
			if l.Err = answer(l.Question, true); l.Err == nil {
				continue
			}
			var mistake usageError
			if !errors.As(l.Err, &mistake) {
				return l.Err
			}
		}
		bad++
		fmt.Fprintf(cmd.ErrOrStderr(), "fibsbot: standard input, line %d: %v\n", l.Number, l.Err)
	}
	switch {
	case cmd.Context().Err() != nil:
		return errInterrupted
	case n == 0:
		return usagef("POSITION: nothing on the standard input")
	case bad > 0:
		return usagef("POSITION: %d of %d on the standard input could not be answered", bad, n)
	}
	return nil
}

// fits tells whether the game asked for has a position.
func (f *positionFlags) fits(p *board.Position) error {
	if f.game == nil {
		return nil
	}
	if n, has := max(p.Me.Count(), p.Opp.Count()), f.game.Checkers(); n > has {
		return usagef("POSITION: %d checkers on one side: %s has %d", n, strings.TrimSuffix(strings.ToLower(string(*f.game)), "3"), has) // as --variation calls it
	}
	return nil
}

// positionError names the flag or argument that is wrong.
func positionError(err error) error {
	var field *advice.FieldError
	if errors.As(err, &field) && field.Field != "position" {
		return usagef("--%s: %s", field.Field, field.Problem)
	}
	return usagef("POSITION: %s", strings.TrimPrefix(err.Error(), "position: "))
}

// readSituation reads a POSITION argument of commands without flags for it.
func readSituation(text string) (match.Situation, error) {
	q, err := input.Read(text, advice.Overrides{}, board.Dice{})
	if err != nil {
		return q.Situation, positionError(err)
	}
	return q.Situation, nil
}

// readDice reads the roll of --dice.
func readDice(text string) (board.Dice, error) {
	d, err := input.Dice(text)
	if err != nil {
		return d, usagef("--dice: %v", err)
	}
	return d, nil
}

// answers writes what a command says about positions, one document or one a line.
type answers struct {
	out     io.Writer
	asJSON  bool
	written int
}

func (a *answers) write(doc any, text string, several bool) error {
	a.written++
	switch {
	case a.asJSON && several:
		return printJSONLine(a.out, doc)
	case a.asJSON:
		return printJSON(a.out, doc)
	case a.written > 1:
		text = "\n" + text
	}
	_, err := io.WriteString(a.out, text)
	return err
}

// opener opens the engine of a command when the first position is there.
type opener struct {
	parts *engineFlags
	of, e *engine.Engine // what is closed, and what plays the game asked for
}

func (o *opener) engine(cmd *cobra.Command, seed uint64) (*engine.Engine, error) {
	var err error
	if o.e == nil {
		if o.of, err = o.parts.open(cmd, seed); err == nil {
			o.e, err = o.of.With(o.parts.variation.Board(o.parts.egyptian))
		}
	}
	return o.e, asUsage(err)
}

func (o *opener) close() {
	if o.of != nil {
		o.of.Close()
	}
}

// inquiry is what the commands share that ask a preset about positions.
type inquiry struct {
	where    positionFlags
	strength strengthFlags
	parts    engineFlags
	asJSON   bool
}

func (i *inquiry) add(cmd *cobra.Command, preset string) {
	addPositionFlags(cmd, &i.where)
	addCubeFlag(cmd, &i.where)
	addStrengthFlags(cmd, &i.strength, preset)
	addWithinFlag(cmd, &i.strength)
	addPresetsFlag(cmd, &i.strength.config)
	addEngineFlags(cmd, &i.parts)
	i.parts.heed(cmd, &i.strength.config)
	addRulesFlags(cmd, &i.parts.variation, &i.parts.egyptian)
	i.where.game = &i.parts.variation
	cmd.Flags().BoolVar(&i.asJSON, "json", false, "print one JSON document")
}

// each prints what answer says to every question of the arguments.
func (i *inquiry) each(cmd *cobra.Command, args []string, answer func(*engine.Engine, preset.Preset, input.Question) (doc any, text string, err error)) error {
	p, err := i.strength.resolve(cmd)
	if err != nil {
		return err
	}
	open := opener{parts: &i.parts}
	defer open.close()
	to := answers{out: cmd.OutOrStdout(), asJSON: i.asJSON}
	return i.where.each(cmd, args, func(q input.Question, several bool) error {
		e, err := open.engine(cmd, i.strength.seed)
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
