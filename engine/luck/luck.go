// Package luck says what the dice gave: the value of a position after the best
// play of the roll thrown, less the mean over all rolls that could have come.
//
// That mean makes luck zero on average whoever plays and however poor the judge
// of values is. So the luck of all rolls of a game may be taken off its result
// without a bias, and what is left varies the less the better the judge.
package luck

import (
	"context"
	"fmt"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/search"
)

// Meter values positions. It is safe for concurrent use.
type Meter struct {
	Search *search.Engine
	// Settings say how deep to look after the best play of each roll, and
	// whether the cube counts; see search.Engine.Rolls.
	Settings search.Settings
}

// Roll returns the luck of roll d thrown by the player on roll at p in state st,
// to that player: equity at the present cube in money play, match winning chance
// in matches. The mean over the 36 throws is zero.
func (m *Meter) Roll(ctx context.Context, p board.Position, st match.State, d board.Dice) (float64, error) {
	values, err := m.Search.Rolls(ctx, p, st, m.Settings)
	if err != nil {
		return 0, fmt.Errorf("luck of a roll: %w", err)
	}
	mean := 0.0
	for i, v := range values {
		mean += float64(board.Rolls[i].Weight) / 36 * v
	}
	return values[index(d)] - mean, nil
}

// Opening returns the luck of the first roll d of a game from position p, which
// the player named Me has won and plays; the state is his. A first roll is never
// a double and comes to either player: the mean is over those 30 cases.
func (m *Meter) Opening(ctx context.Context, p board.Position, st match.State, d board.Dice) (float64, error) {
	mine, err := m.Search.Rolls(ctx, p, st, m.Settings)
	if err != nil {
		return 0, fmt.Errorf("luck of the first roll: %w", err)
	}
	theirs, err := m.Search.Rolls(ctx, p.Swap(), st.Swap(), m.Settings)
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

// index is the place of d among board.Rolls, which are ordered by the larger die,
// then the smaller.
func index(d board.Dice) int {
	d = d.Sorted()
	return int(d.A)*(int(d.A)-1)/2 + int(d.B) - 1
}
