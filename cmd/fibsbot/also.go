package main

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/engineflags"
	"fibsbot/engine"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/external"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
)

// asked is who is asked for a second opinion.
type asked interface {
	Decide(ctx context.Context, q match.Situation) (external.Answer, error)
	Eval(ctx context.Context, p board.Position) (eval.Probs, error)
}

// outsiderLimit is how long another engine may take over a decision if nothing else says it.
const outsiderLimit = 10 * time.Second

// openAlso finds who --also names: a preset or another engine.
func openAlso(cmd *cobra.Command, e *engine.Engine, name, config string) (asked, func(), error) {
	other, err := findOutsider(name, config)
	if err != nil {
		return nil, nil, cmdline.Usagef("--also: %w", err)
	}
	if other.Protocol != "" {
		once, err := other.Open(cmd.Context(), cmd.ErrOrStderr())
		if err != nil {
			return nil, nil, cmdline.Usagef("--also: %w", err)
		}
		_ = once.Close() // it has nothing to save
		k := external.Keep(cmd.Context(), other.Spec, cmp.Or(other.within, outsiderLimit), cmd.ErrOrStderr())
		return k, func() { _ = k.Close() }, nil // it has nothing to save
	}
	p, err := engineflags.FindPreset("--also", name, config)
	if errors.Is(err, preset.ErrUnknown) {
		err = cmdline.Usagef("%w, or %s", err, playerForms)
	}
	return ownOpinion{e, p}, func() {}, err
}

// ownOpinion is a preset that is asked.
type ownOpinion struct {
	engine *engine.Engine
	preset preset.Preset
}

// Decide implements asked.
func (x ownOpinion) Decide(ctx context.Context, q match.Situation) (a external.Answer, err error) {
	switch {
	case q.Doubled:
		t, err := x.engine.TakeDecision(ctx, q.Position, q.State, x.preset)
		return external.Answer{Take: t.Take}, err
	case q.Dice.Valid():
		// As an analysis does it: a search for the best alone leaves some plays out.
		list, err := x.engine.RankPlays(ctx, q.Position, q.Dice, q.State, x.preset)
		if len(list) > 0 {
			a.Play = list[0].Play
		}
		return a, err
	}
	a.Double, _, err = x.engine.Double(ctx, q.Position, q.State, x.preset)
	return a, err
}

// Eval implements asked.
func (x ownOpinion) Eval(ctx context.Context, p board.Position) (eval.Probs, error) {
	v, err := x.engine.Evaluate(ctx, p, match.Money(false, 0), x.preset)
	return v.Probs, err
}

// opinions returns what asks by for the report of m; nil for a game that other engines do not
// know. failed receives errors of answers.
func opinions(ctx context.Context, name string, by asked, m *record.Match, failed func(error)) report.Also {
	if m.Rules.Board() != (board.Rules{}) {
		return nil
	}
	return func(d *report.Row) *report.Opinion {
		q := d.Situation()
		if ctx.Err() != nil || d.Cube == nil && len(d.Candidates) < 2 {
			return nil
		}
		var o *report.Opinion
		a, err := external.Answer{}, error(nil)
		switch d.Kind {
		case "checker":
			if a, err = by.Decide(ctx, q); err == nil {
				o, err = otherPlay(ctx, by, d, a.After(q.Position))
			}
		case "double", "take":
			q.Doubled = d.Kind == "take"
			if d.Cube.Decision() == nil {
				return nil
			}
			if a, err = by.Decide(ctx, q); err == nil {
				o = otherAction(d, a)
			}
		}
		if err != nil && ctx.Err() == nil && !errors.Is(err, external.ErrNoCube) && !errors.Is(err, external.ErrPaused) {
			failed(err)
		}
		if o != nil {
			o.By = name
		}
		return o
	}
}

// otherPlay is the opinion that after is the position to play to, nil if the analysis agrees.
func otherPlay(ctx context.Context, by asked, d *report.Row, after board.Position) (*report.Opinion, error) {
	q := d.Situation()
	var best board.Position
	o := &report.Opinion{}
	for k := range d.Candidates {
		c := &d.Candidates[k]
		play, err := board.ParsePlay(q.Position, q.Dice, c.Play)
		if err != nil {
			return nil, nil // a play that was not legal
		}
		if k == 0 {
			best = play.Result
		}
		if play.Result == after {
			o.Choice, o.Behind = c.Play, new(d.Candidates[0].Equity-c.Equity)
		}
	}
	if after == best {
		return nil, nil
	}
	if o.Choice == "" {
		for _, p := range board.AppendPlays(nil, q.Position, q.Dice) {
			if p.Result == after {
				o.Choice = board.FormatPlay(q.Position, p)
			}
		}
	}
	var own [2]float64
	for i, p := range [2]board.Position{after, best} {
		if p.Result() != 0 {
			return o, nil
		}
		probs, err := by.Eval(ctx, p.Swap())
		if errors.Is(err, external.ErrNoFigures) {
			return o, nil
		}
		if err != nil {
			return o, err
		}
		own[i] = -float64(probs.Money())
	}
	o.Own = &own
	return o, nil
}

// otherAction is the opinion on a cube, nil if the analysis finds nothing wrong with it.
func otherAction(d *report.Row, a external.Answer) *report.Opinion {
	var loss float64
	o := &report.Opinion{}
	switch {
	case d.Kind == "take":
		loss = d.Cube.AnsweringLoss(a.Take)
		o.Choice = map[bool]string{true: "Take", false: "Pass"}[a.Take]
	case d.Cube.Redouble:
		loss = d.Cube.DoublingLoss(a.Double)
		o.Choice = map[bool]string{true: "Redouble", false: "No redouble"}[a.Double]
	default:
		loss = d.Cube.DoublingLoss(a.Double)
		o.Choice = map[bool]string{true: "Double", false: "No double"}[a.Double]
	}
	if o.Behind = &loss; loss < 0.0005 { // as little as a report shows
		return nil
	}
	return o
}
