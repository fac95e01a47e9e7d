package bot

import (
	"context"
	"fmt"

	"fibsbot/bot/table"
	"fibsbot/engine"
	"fibsbot/engine/analyse"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/pace"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/rollout/recorded"
)

// Player answers the table's questions with the engine at a preset's strength.
// Several tables may share one engine.
type Player struct {
	Engine *engine.Engine
	Preset preset.Preset
	// AcceptAll accepts every offer to resign, not only those that are worth it.
	AcceptAll bool
}

// Decide implements table.Decider.
func (p Player) Decide(ctx context.Context, s table.Situation) (table.Answer, error) {
	switch s.Ask {
	case table.AskPlay:
		return p.play(ctx, s)
	case table.AskRoll:
		return p.roll(ctx, s)
	case table.AskTake:
		// The engine evaluates a double from the doubler's side.
		doubler := s.State.Swap()
		a, err := p.Engine.TakeDecision(ctx, s.Position.Swap(), doubler, p.Preset)
		if err != nil {
			return table.Answer{}, fmt.Errorf("take: %w", err)
		}
		thought := p.weighed(&a.Decision, doubler, &a.Rolled)
		hard := pace.OfTake(a.Decision.DoublePass - a.Decision.DoubleTake)
		if a.Take {
			return table.Answer{Action: table.Take, Difficulty: hard, Thought: thought}, nil
		}
		return table.Answer{Action: table.Drop, Difficulty: hard, Thought: thought}, nil
	case table.AskResign:
		if p.AcceptAll {
			return table.Answer{Action: table.AcceptResign}, nil
		}
		return p.resignation(ctx, s)
	}
	return table.Answer{}, fmt.Errorf("decide: unknown question %v", s.Ask)
}

// weighed returns the cube analysis for the record.
func (p Player) weighed(d *cube.Decision, doubler match.State, r *engine.Rolled) *record.Analysis {
	var c *record.CubeAnalysis
	if len(r.Results) == 2 {
		c = recorded.Cube(&r.Results[0], &r.Results[1], r.Settings, doubler, p.Engine.Table())
	}
	return analyse.ThoughtCube(d, doubler, p.Preset.Cube, c)
}

func (p Player) play(ctx context.Context, s table.Situation) (table.Answer, error) {
	list, r, err := p.Engine.PlaysRolled(ctx, s.Position, s.Dice, s.State, p.Preset)
	if err != nil {
		return table.Answer{}, fmt.Errorf("play: %w", err)
	}
	if len(list) == 0 {
		return table.Answer{}, fmt.Errorf("play: no legal play for %d-%d", s.Dice.A, s.Dice.B)
	}
	equities := make([]float64, len(list))
	for i := range list {
		equities[i] = list[i].Equity
	}
	d := table.Answer{Action: table.Play, Play: list[0].Play, Difficulty: pace.OfPlays(equities),
		Thought: analyse.Thought(list, p.Preset.Checker, recorded.Plays(r.Results, r.Plays, r.Settings, s.State))}
	return d, nil
}

func (p Player) roll(ctx context.Context, s table.Situation) (table.Answer, error) {
	if s.MayResign {
		games, err := p.Engine.ResignOffer(ctx, match.Situation{Position: s.Position, State: s.State}, p.Preset)
		if err != nil {
			return table.Answer{}, fmt.Errorf("resign: %w", err)
		}
		if games > 0 {
			return table.Answer{Action: table.Resign, Games: games}, nil
		}
	}
	if s.MayDouble {
		d, r, err := p.Engine.CubeRolled(ctx, s.Position, s.State, p.Preset)
		if err != nil {
			return table.Answer{}, fmt.Errorf("double: %w", err)
		}
		hard, thought := pace.OfDouble(min(d.DoubleTake, d.DoublePass)-d.NoDouble), p.weighed(&d, s.State, &r)
		if p.Engine.Doubles(s.Position, &d, p.Preset) {
			return table.Answer{Action: table.Double, Difficulty: hard, Thought: thought}, nil
		}
		return table.Answer{Action: table.Roll, Difficulty: hard, Thought: thought}, nil
	}
	return table.Answer{Action: table.Roll, Difficulty: pace.Difficulty{Forced: true}}, nil
}

// resignation answers an offer, which may come on either player's turn.
func (p Player) resignation(ctx context.Context, s table.Situation) (table.Answer, error) {
	onRoll, accept := match.Situation{Position: s.Position, State: s.State, Dice: s.Dice, Doubled: s.Doubled}, p.Engine.AcceptOnRoll
	if !s.OnTurn {
		onRoll.Position, onRoll.State, accept = s.Position.Swap(), s.State.Swap(), p.Engine.AcceptResignation
	}
	yes, err := accept(ctx, onRoll, s.Offered, p.Preset)
	if err != nil {
		return table.Answer{}, fmt.Errorf("resignation: %w", err)
	}
	if yes {
		return table.Answer{Action: table.AcceptResign}, nil
	}
	return table.Answer{Action: table.RejectResign}, nil
}
