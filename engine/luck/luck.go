// Package luck says what the dice gave: the value of a position after the best
// play of the roll thrown, less the mean over all rolls that could have come.
//
// That mean makes luck zero on average whoever plays and however poor the judge
// of values is. So the luck of all rolls of a game may be taken off its result
// without a bias, and what is left varies the less the better the judge.
package luck

import (
	"context"
	"errors"
	"fmt"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
)

// ErrRoll is wrapped by errors about rolls that cannot be judged: two numbers that no dice
// show, or a Meter without a Search.
var ErrRoll = errors.New("roll cannot be judged")

// Meter values positions. It is safe for concurrent use.
type Meter struct {
	// Search must be set.
	Search *search.Engine
	// Settings say how deep to look after the best play of each roll, and
	// whether the cube counts; see search.Engine.Rolls.
	Settings search.Settings
}

// Roll returns the luck of roll d thrown by the player on roll at p in state st,
// to that player: equity at the present cube in money play, match winning chance
// in matches. The mean over the 36 throws is zero. Errors wrap ErrRoll, match.ErrScore or
// board.ErrIllegalPosition.
func (m *Meter) Roll(ctx context.Context, p board.Position, st match.State, d board.Dice) (float64, error) {
	values, err := m.rolls(ctx, p, st, d)
	if err != nil {
		return 0, fmt.Errorf("luck of a roll: %w", err)
	}
	mean := 0.0
	for i, v := range values {
		mean += float64(board.Rolls[i].Weight) / 36 * v
	}
	return values[index(d)] - mean, nil
}

// Opening returns the luck of the first roll d of a game from position p. The player named Me
// has won the roll and plays; the state is his. A first roll is never a double and falls to
// either player, so the mean is over those 30 cases. Unit and errors are those of Roll.
func (m *Meter) Opening(ctx context.Context, p board.Position, st match.State, d board.Dice) (float64, error) {
	mine, err := m.rolls(ctx, p, st, d)
	if err != nil {
		return 0, fmt.Errorf("luck of the first roll: %w", err)
	}
	theirs, err := m.rolls(ctx, p.Swap(), st.Swap(), d)
	if err != nil {
		return 0, fmt.Errorf("luck of the first roll: %w", err)
	}
	whole := 0.0 // both players' values add up to it
	if st.Length > 0 {
		whole = 1
	}
	mean := 0.0
	for i := range mine {
		if !board.Rolls[i].Dice.Double() {
			mean += (mine[i] + whole - theirs[i]) / 30
		}
	}
	return mine[index(d)] - mean, nil
}

// rolls values every roll, of which d is to be judged.
func (m *Meter) rolls(ctx context.Context, p board.Position, st match.State, d board.Dice) (values [21]float64, err error) {
	switch {
	case m.Search == nil:
		return values, fmt.Errorf("%w: no Search", ErrRoll)
	case !d.Valid():
		return values, fmt.Errorf("%w: dice %d and %d", ErrRoll, d.A, d.B)
	}
	return m.Search.Rolls(ctx, p, st.Normal(), m.Settings)
}

// index is the place of d among board.Rolls, which are ordered by the larger die,
// then the smaller.
func index(d board.Dice) int {
	d = d.Sorted()
	return int(d.A)*(int(d.A)-1)/2 + int(d.B) - 1
}
