package search

import (
	"context"
	"fmt"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
)

// Rolls values what p is worth to the player on roll in state st once each of
// board.Rolls was thrown and answered with the play that looks best statically,
// s.Plies (0 to MaxPlies-1) more turns being looked at from there. The values
// are equities at the present cube in money play and match winning chances in
// matches. They are what a search of s.Plies+1 plies averages over, so their
// mean by weight is that search's value of p before any double.
//
// Settings with Reduced rolls have no such values; the error wraps ErrSettings.
// Other errors are those of Plays.
func (e *Engine) Rolls(ctx context.Context, p board.Position, st match.State, s Settings) (out [len(board.Rolls)]float64, err error) {
	if err := e.check(&p, &st, &s); err != nil {
		return out, err
	}
	switch {
	case s.Plies >= MaxPlies:
		return out, fmt.Errorf("%w: rolls valued at %d plies, %d is the most", ErrSettings, s.Plies, MaxPlies-1)
	case s.Reduced != 0:
		return out, fmt.Errorf("%w: every roll valued from %d of them", ErrSettings, s.Reduced)
	}
	l, other, err := e.ladders(st)
	if err != nil {
		return out, err
	}
	j := e.begin(ctx, &s)
	defer j.end()
	depth := s.Plies + 1
	b := j.bearoffs(&p, l, &st, &s, depth, s.Cubeful)
	w := e.borrow(j.ctx, e.newPlan(l, other, []cube.Spot{{Owner: st.Owner}}, depth, st.Length == 0, &s, s.Cubeful, b))
	defer e.giveBack(w)
	w.danced[depth].known = false
	for i := range out {
		var v value
		if !w.roll(&p, depth, i, &v) {
			if err := j.failed(); err != nil {
				return out, err
			}
			return out, fmt.Errorf("rolls valued: %w", context.DeadlineExceeded)
		}
		out[i] = float64(v.u[0])
		if st.Length > 0 {
			out[i] = (out[i] + 1) / 2
		}
	}
	return out, nil
}
