package engine

import (
	"context"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/search"
)

// PlayOn returns what going on from s is worth to the player on roll: with dice the best
// play of that roll, with a double on offer the best answer to it, else the position
// before the roll. This is what every resignation is weighed against. The preset's noise,
// human errors and rollouts are left out. Errors are those of search.Engine.Plays.
func (e *Engine) PlayOn(ctx context.Context, s match.Situation, pr preset.Preset) (search.Evaluation, error) {
	st, settings := s.State.Normal(), pr.Cube
	if s.Dice.Valid() {
		settings = pr.Checker
	}
	settings.Share, settings.Noise, settings.Cubeful = 0, 0, true
	switch {
	case s.Dice.Valid():
		list, err := e.search.Plays(ctx, s.Position, s.Dice, st, settings)
		if err == nil && len(list) == 0 {
			dance := board.Play{Result: s.Position}
			list, err = e.search.Rate(ctx, s.Position, []board.Play{dance}, st, settings)
		}
		if err != nil {
			return search.Evaluation{}, err
		}
		c := &list[0]
		return search.Evaluation{Probs: c.Probs, Cubeless: c.Cubeless, Cubeful: c.Equity, MWC: c.MWC, Plies: c.Plies}, nil
	case s.Doubled:
		d, err := e.search.Cube(ctx, s.Position, st, settings)
		if err != nil || !d.Available() {
			return search.Evaluation{Probs: d.Probs, Cubeless: d.Cubeless, Cubeful: d.Cubeful, Plies: d.Plies}, err
		}
		v := search.Evaluation{Probs: d.Probs, Cubeless: d.Cubeless, Cubeful: min(d.DoubleTake, d.DoublePass), Plies: d.Plies}
		if st.Length > 0 {
			v.MWC = e.table.MWC(st, v.Cubeful)
		}
		return v, nil
	}
	return e.search.Evaluate(ctx, s.Position, st, settings)
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
