package bot

import (
	"context"
	"fmt"

	"fibsbot/bot/table"
	"fibsbot/engine"
	"fibsbot/engine/preset"
)

// Player answers the table's questions with the engine at a preset's strength.
// Several tables may share one engine.
type Player struct {
	Engine *engine.Engine
	Preset preset.Preset
	// AcceptAll accepts every offer to resign instead of those that are worth
	// the equity.
	AcceptAll bool
}

// Decide implements table.Decider.
func (p Player) Decide(ctx context.Context, s table.Situation) (table.Decision, error) {
	switch s.Ask {
	case table.AskPlay:
		return p.play(ctx, s)
	case table.AskRoll:
		return p.roll(ctx, s)
	case table.AskTake:
		// The engine looks at a double from the doubler's side.
		a, err := p.Engine.TakeDecision(ctx, s.Position.Swap(), s.State.Swap(), p.Preset)
		if err != nil {
			return table.Decision{}, fmt.Errorf("take: %w", err)
		}
		if a.Take {
			return table.Decision{Action: table.Take, Equity: -a.Decision.DoubleTake, Gap: a.Decision.DoublePass - a.Decision.DoubleTake}, nil
		}
		return table.Decision{Action: table.Drop, Equity: -a.Decision.DoublePass, Gap: a.Decision.DoubleTake - a.Decision.DoublePass}, nil
	case table.AskResign:
		if p.AcceptAll {
			return table.Decision{Action: table.AcceptResign}, nil
		}
		return p.resignation(ctx, s)
	}
	return table.Decision{}, fmt.Errorf("decide: unknown question %v", s.Ask)
}

func (p Player) play(ctx context.Context, s table.Situation) (table.Decision, error) {
	list, err := p.Engine.RankPlays(ctx, s.Position, s.Dice, s.State, p.Preset)
	if err != nil {
		return table.Decision{}, fmt.Errorf("play: %w", err)
	}
	if len(list) == 0 {
		return table.Decision{}, fmt.Errorf("play: no legal play for %d-%d", s.Dice.A, s.Dice.B)
	}
	d := table.Decision{Action: table.Play, Play: list[0].Play, Equity: list[0].Equity, Forced: len(list) == 1}
	if len(list) > 1 {
		d.Gap = max(0, list[0].Equity-list[1].Equity)
	}
	return d, nil
}

func (p Player) roll(ctx context.Context, s table.Situation) (table.Decision, error) {
	if s.MayResign {
		games, err := p.Engine.ResignOffer(ctx, s.Position, s.State, p.Preset)
		if err != nil {
			return table.Decision{}, fmt.Errorf("resign: %w", err)
		}
		if games > 0 {
			return table.Decision{Action: table.Resign, Games: games}, nil
		}
	}
	if s.MayDouble {
		double, d, err := p.Engine.Double(ctx, s.Position, s.State, p.Preset)
		if err != nil {
			return table.Decision{}, fmt.Errorf("double: %w", err)
		}
		value := min(d.DoubleTake, d.DoublePass)
		if double {
			return table.Decision{Action: table.Double, Equity: value, Gap: max(0, value-d.NoDouble)}, nil
		}
		return table.Decision{Action: table.Roll, Equity: d.NoDouble, Gap: max(0, d.NoDouble-value)}, nil
	}
	return table.Decision{Action: table.Roll, Forced: true}, nil
}

// resignation answers an offer. Who is on roll decides whose chances the engine
// has to look at; with dice on the board it judges the position before the roll,
// which is what the offer was made in.
func (p Player) resignation(ctx context.Context, s table.Situation) (table.Decision, error) {
	var yes bool
	var err error
	if s.OnTurn {
		yes, err = p.Engine.AcceptOnRoll(ctx, s.Position, s.State, s.Offered, p.Preset)
	} else {
		yes, err = p.Engine.AcceptResignation(ctx, s.Position.Swap(), s.State.Swap(), s.Offered, p.Preset)
	}
	if err != nil {
		return table.Decision{}, fmt.Errorf("resignation: %w", err)
	}
	if yes {
		return table.Decision{Action: table.AcceptResign}, nil
	}
	return table.Decision{Action: table.RejectResign}, nil
}
