package quiz

import (
	"context"

	"fibsbot/engine"
	"fibsbot/engine/advice"
	"fibsbot/engine/board"
	"fibsbot/engine/explain"
	"fibsbot/engine/preset"
)

// Reason says why the best answer of v, the assessment of q, is right: a play against the answer given, or
// against the second best; a cube action only where the preset finds the same. It is nil where nothing is to
// be said.
func Reason(ctx context.Context, e *engine.Engine, p preset.Preset, q *Question, v *Assessment, answer string) (*explain.Reason, error) {
	s := q.Situation
	if q.Kind != Play {
		d, err := e.CubeDecision(ctx, s.Position, s.State, p)
		if err != nil || advice.Words(d) != v.Words {
			return nil, err
		}
		return explain.Cube(ctx, e, s, d)
	}
	best, err := e.Rules().ParsePlay(s.Position, s.Dice, v.Best)
	if err != nil {
		return nil, nil // of a set by other rules
	}
	others := []string{answer}
	for i := range v.Choices {
		others = append(others, v.Choices[i].Answer)
	}
	for _, text := range others {
		other, err := e.Rules().ParsePlay(s.Position, s.Dice, text)
		if err != nil || other.Result == best.Result {
			continue
		}
		list, err := e.Search().Rate(ctx, s.Position, []board.Play{best, other}, s.State, p.Checker)
		if err != nil || list[0].Equity < list[1].Equity {
			return nil, err
		}
		return explain.Plays(ctx, e, s, list[0], list[1])
	}
	return nil, nil
}
