package explain

import (
	"context"

	"fibsbot/engine"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/record"
	"fibsbot/engine/search"
	"fibsbot/internal/texts"
)

// Errors returns the reasons of errors of match m for a report in the language of c: why the best play beats the
// one that was made, or why the cube action is right. It is nil without an engine for the game.
func Errors(ctx context.Context, e *engine.Engine, m *record.Match, c *texts.Catalogue) report.Why {
	by, err := e.With(ctx, m.Rules.Board())
	if err != nil {
		return nil
	}
	return func(d *report.Row) string {
		r, err := decision(ctx, by, d)
		if err != nil {
			return ""
		}
		return r.Text(c)
	}
}

// Short returns the first reason of a row of a report in a sentence, "" where nothing stands out.
func Short(ctx context.Context, e *engine.Engine, d *report.Row, c *texts.Catalogue) string {
	r, err := decision(ctx, e, d)
	if err != nil || r == nil || r.Close() {
		return ""
	}
	pro, _ := r.told()
	if len(pro) == 0 {
		return ""
	}
	return r.sentence(c, &pro[0])
}

// decision explains a row of a report, nil where its analysis does not suffice.
func decision(ctx context.Context, e *engine.Engine, d *report.Row) (*Reason, error) {
	s := d.Situation()
	if d.Cube != nil && d.Kind != "checker" {
		settled := d.Cube.Decision()
		if settled == nil {
			return nil, nil
		}
		return Cube(ctx, e, s, *settled)
	}
	if len(d.Candidates) == 0 {
		return nil, nil
	}
	made, err := e.Rules().ParsePlay(s.Position, s.Dice, d.Played)
	if err != nil {
		return nil, err
	}
	best, err := candidate(s.Position, s.Dice, e.Rules(), &d.Candidates[0])
	if err != nil {
		return nil, err
	}
	for k := range d.Candidates[1:] {
		other, err := candidate(s.Position, s.Dice, e.Rules(), &d.Candidates[k+1])
		if err == nil && other.Play.Result == made.Result {
			return Plays(ctx, e, s, best, other)
		}
	}
	return nil, nil
}

func candidate(p board.Position, dice board.Dice, r board.Rules, c *report.Candidate) (search.Candidate, error) {
	play, err := r.ParsePlay(p, dice, c.Play)
	out := search.Candidate{Play: play, Equity: c.Equity, Probs: eval.Probs{}}
	for i := range c.Probs {
		out.Probs[i] = float32(c.Probs[i])
	}
	return out, err
}
