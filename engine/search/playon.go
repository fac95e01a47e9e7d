package search

import (
	"context"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// PlayOn returns what going on from s is worth to the player on roll: with dice the best
// play of that roll, with a double on offer the best answer to it, else the position
// before the roll. This is what every resignation is weighed against. Errors are those of
// Plays.
func (e *Engine) PlayOn(ctx context.Context, s match.Situation, set Settings) (Evaluation, error) {
	st := s.State
	switch {
	case s.Dice.Valid():
		list, err := e.Plays(ctx, s.Position, s.Dice, st, set)
		if err == nil && len(list) == 0 {
			dance := board.Play{Result: s.Position}
			list, err = e.Rate(ctx, s.Position, []board.Play{dance}, st, set)
		}
		if err != nil {
			return Evaluation{}, err
		}
		c := &list[0]
		return Evaluation{Probs: c.Probs, Cubeless: c.Cubeless, Cubeful: c.Equity, MWC: c.MWC, Plies: c.Plies}, nil
	case s.Doubled:
		d, err := e.Cube(ctx, s.Position, st, set)
		if err != nil || !d.Available() {
			return Evaluation{Probs: d.Probs, Cubeless: d.Cubeless, Cubeful: d.Cubeful, Plies: d.Plies}, err
		}
		v := Evaluation{Probs: d.Probs, Cubeless: d.Cubeless, Cubeful: min(d.DoubleTake, d.DoublePass), Plies: d.Plies}
		if st.Length > 0 {
			v.MWC = e.table.MWC(st, v.Cubeful)
		}
		return v, nil
	}
	return e.Evaluate(ctx, s.Position, st, set)
}
