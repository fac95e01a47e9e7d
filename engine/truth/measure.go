package truth

import (
	"context"
	"fmt"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/train"
)

// Chooser chooses a play; ok is false when there is no legal one.
type Chooser func(p board.Position, d board.Dice) (play board.Play, ok bool, err error)

// ByPreset chooses cubeless money plays as a preset does, with its rollouts.
func ByPreset(ctx context.Context, e *engine.Engine, pr preset.Preset) Chooser {
	pr.Checker.Cubeful = false
	return func(p board.Position, d board.Dice) (board.Play, bool, error) {
		list, err := e.RankPlays(ctx, p, d, match.Money(false, 0), pr)
		if err != nil || len(list) == 0 {
			return board.Play{}, false, err
		}
		return list[0].Play, true, nil
	}
}

// ByPlayer chooses as a player does.
func ByPlayer(p train.Player) Chooser {
	return func(pos board.Position, d board.Dice) (board.Play, bool, error) {
		play, ok := p.Play(pos, d)
		return play, ok, nil
	}
}

// Losses are what a chooser gives up in each decision, in millipoints. A play that
// the file does not list counts as its worst.
func Losses(ds []train.Decision, choose Chooser) ([]float64, error) {
	out := make([]float64, len(ds))
	for i := range ds {
		play, ok, err := choose(ds[i].Position, ds[i].Dice)
		if err != nil {
			return nil, fmt.Errorf("decision %d: %w", i+1, err)
		}
		if ok {
			out[i] = ds[i].LossOf(play.Result.Swap().Key()) * 1000
		}
	}
	return out, nil
}
