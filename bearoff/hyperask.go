package bearoff

import (
	"fmt"
	"slices"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// NoDouble returns the equity, in units of the cube, of the player on roll who
// does not double now and for whom the cube lies with that owner. jacoby matters
// only with the cube in the middle.
func (v *HyperValue) NoDouble(owner match.Owner, jacoby bool) float64 {
	switch {
	case owner == match.Mine:
		return v.Owned
	case owner == match.Theirs:
		return v.OppOwned
	case jacoby:
		return v.Jacoby
	}
	return v.Centred
}

// best is NoDouble for a player who may also double, if the rules let him.
func (v *HyperValue) best(owner match.Owner, jacoby bool) float64 {
	if owner == match.Theirs {
		return v.OppOwned
	}
	return max(v.NoDouble(owner, jacoby), min(2*v.OppOwned, 1))
}

// HyperPlay is a play with what the database knows about the position after it,
// seen from the mover: money equity in units of the cube, and cubeless chances.
type HyperPlay struct {
	Play   board.Play
	Equity float64
	Probs  eval.Probs
}

// Plays ranks the legal plays of a roll in money play, best first; none when
// nothing can be played. owner says where the cube is for the player on roll. The
// error wraps ErrDamaged when the file is, and otherwise says that p has too many
// checkers.
func (h *Hyper) Plays(p board.Position, d board.Dice, owner match.Owner, jacoby bool) ([]HyperPlay, error) {
	if _, ok := h.Value(&p); !ok {
		return nil, h.missing(&p)
	}
	switch owner {
	case match.Mine:
		owner = match.Theirs
	case match.Theirs:
		owner = match.Mine
	}
	var out []HyperPlay
	for _, pl := range board.AppendPlays(nil, p, d) {
		next := pl.Result.Swap()
		v, ok := h.Value(&next)
		if !ok {
			return nil, h.missing(&next)
		}
		e := HyperPlay{Play: pl, Probs: v.Probs.Invert(), Equity: -v.best(owner, jacoby)}
		if next.Opp.Count() == 0 { // the game is over and nobody doubles
			e.Equity = -v.NoDouble(owner, jacoby)
		}
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b HyperPlay) int {
		switch {
		case a.Equity > b.Equity:
			return -1
		case a.Equity < b.Equity:
			return 1
		}
		return 0
	})
	return out, nil
}

func (h *Hyper) missing(p *board.Position) error {
	if h.Damaged() {
		return fmt.Errorf("%w: where %s is kept", ErrDamaged, p.ID())
	}
	return fmt.Errorf("%s is no position of hypergammon with %d checkers a side", p.ID(), h.checkers)
}
