package bot

import (
	"context"
	"errors"
	"fmt"

	"fibsbot/bot/table"
	"fibsbot/engine/board"
	"fibsbot/engine/external"
	"fibsbot/engine/match"
	"fibsbot/engine/pace"
)

// Guest answers the table's questions with another engine. Own answers what that cannot: offers
// to resign, and every question that it fails on.
type Guest struct {
	Name   string
	Engine *external.Kept
	Own    Player
	// Failed is called with each error of the engine. May be nil.
	Failed func(error)
}

// Decide implements table.Decider.
func (g Guest) Decide(ctx context.Context, s table.Situation) (table.Answer, error) {
	q := match.Situation{Position: s.Position, State: s.State}
	switch {
	case s.Ask == table.AskPlay:
		q.Dice = s.Dice
		if plays := board.AppendPlays(nil, q.Position, q.Dice); len(plays) == 1 {
			return table.Answer{Action: table.Play, Play: plays[0], Difficulty: pace.Difficulty{Forced: true}}, nil
		}
	case s.Ask == table.AskTake:
		q.Position, q.State, q.Doubled = s.Position.Swap(), s.State.Swap(), true
	case s.Ask == table.AskRoll && s.MayDouble:
		if own, err := g.resigns(ctx, s); err != nil || own.Action == table.Resign {
			return own, err
		}
	default:
		return g.Own.Decide(ctx, s)
	}
	a, err := g.Engine.Decide(ctx, q)
	if ctx.Err() != nil {
		return table.Answer{}, ctx.Err()
	}
	out := table.Answer{By: "by " + g.Name, Action: table.Roll}
	switch {
	case err != nil:
		if g.Failed != nil && !errors.Is(err, external.ErrPaused) && !errors.Is(err, external.ErrNoCube) {
			g.Failed(fmt.Errorf("%s: %w", g.Name, err))
		}
		if out, err = g.Own.Decide(ctx, s); err == nil {
			out.By = "by the built-in engine for " + g.Name
		}
		return out, err
	case s.Ask == table.AskPlay:
		out.Action, out.Play = table.Play, a.Play
	case s.Ask == table.AskTake && a.Take:
		out.Action = table.Take
	case s.Ask == table.AskTake:
		out.Action = table.Drop
	case a.Double:
		out.Action = table.Double
	}
	return out, nil
}

// resigns asks the built-in engine whether to resign before a roll; no protocol asks that
// everywhere.
func (g Guest) resigns(ctx context.Context, s table.Situation) (table.Answer, error) {
	s.MayDouble = false
	return g.Own.Decide(ctx, s)
}
