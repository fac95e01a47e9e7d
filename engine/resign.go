package engine

import (
	"context"

	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
)

// PlayOn is search.Engine.PlayOn at the depth of a preset, without its noise, human errors
// and rollouts.
func (e *Engine) PlayOn(ctx context.Context, s match.Situation, pr preset.Preset) (search.Evaluation, error) {
	set := pr.Cube
	if s.Dice.Valid() {
		set = pr.Checker
	}
	set.Share, set.Noise, set.Cubeful = 0, 0, true
	s.State = s.State.Normal()
	return e.search.PlayOn(ctx, s, set)
}

// ResignOffer returns which resignation the player on roll should offer: 1
// single, 2 gammon, 3 backgammon, 0 none. Positions that are not lost at a
// glance are not searched.
func (e *Engine) ResignOffer(ctx context.Context, s match.Situation, pr preset.Preset) (int, error) {
	st := s.State.Normal()
	if pr.Resign.Never {
		return 0, nil
	}
	glance := pr
	glance.Cube.Plies, glance.Checker.Plies = 0, 0
	v, err := e.PlayOn(ctx, s, glance)
	if err != nil || v.Probs[eval.Win] > 0.05 ||
		st.Drops == match.DropSingle && pr.Resign.Offers(e.table, st, v.Probs, v.Cubeful) == 0 {
		return 0, err
	}
	// A static zero may hide a chance that looking ahead finds.
	glance.Cube.Plies, glance.Checker.Plies = max(1, pr.Cube.Plies), max(1, pr.Checker.Plies)
	if v, err = e.PlayOn(ctx, s, glance); err != nil {
		return 0, err
	}
	if st.Drops == match.DropByPosition {
		return pr.Resign.GivesUp(e.table, st, &s.Position, v.Probs, v.Cubeful), nil
	}
	return pr.Resign.Offers(e.table, st, v.Probs, v.Cubeful), nil
}

// AcceptResignation reports whether to accept a resignation of the player on roll: level
// 1 single, 2 gammon, 3 backgammon. Less than 1 is refused.
func (e *Engine) AcceptResignation(ctx context.Context, s match.Situation, level int, pr preset.Preset) (bool, error) {
	v, err := e.PlayOn(ctx, s, pr)
	if err != nil {
		return false, err
	}
	return pr.Resign.Accepts(e.table, s.State.Normal(), v.Probs, v.Cubeful, level), nil
}

// AcceptOnRoll is AcceptResignation for a resignation of the other player: the player
// on roll answers.
func (e *Engine) AcceptOnRoll(ctx context.Context, s match.Situation, level int, pr preset.Preset) (bool, error) {
	v, err := e.PlayOn(ctx, s, pr)
	if err != nil {
		return false, err
	}
	return pr.Resign.Accepts(e.table, s.State.Normal().Swap(), v.Probs.Invert(), -v.Cubeful, level), nil
}
