package play

import (
	"context"
	"fmt"
	"time"

	"fibsbot/engine"
	"fibsbot/engine/pace"
	"fibsbot/engine/preset"
	"fibsbot/internal/splitmix"
)

// The bounds of Pace: of a real decision, and of a roll or a forced play.
const (
	leastThought  = 800 * time.Millisecond
	mostThought   = 5 * time.Second
	forcedThought = 400 * time.Millisecond
)

// Pace is how long a person would think about the next decision of a side, at most mostThought.
// It depends on how hard the decision is, seen without looking ahead, and on the seed of the match,
// never on the time that the engine takes. It is 0 if the side has nothing to decide.
func (m *Match) Pace(ctx context.Context, e *engine.Engine, side int) (time.Duration, error) {
	m.mu.Lock()
	s, u := m.state, splitmix.At(m.opts.Seed, uint64(len(m.acts)))
	s.entries = nil
	m.mu.Unlock()
	if !s.waitsFor(side) {
		return 0, nil
	}
	d, err := m.difficulty(ctx, e, &s, side)
	if err != nil {
		return 0, fmt.Errorf("engine: %w", err)
	}
	if d.Forced {
		return forcedThought, nil
	}
	return d.Time(leastThought, mostThought, float64(u>>11)/(1<<53)), nil
}

// difficulty is how hard the decision of a side looks at 0 plies.
func (m *Match) difficulty(ctx context.Context, e *engine.Engine, s *state, side int) (d pace.Difficulty, err error) {
	if e, err = m.opts.engine(ctx, e); err != nil {
		return d, err
	}
	look, err := preset.ByName("expert")
	if err != nil {
		return d, err
	}
	mine, yours := s.situation(side), s.situation(1-side)
	switch s.phase {
	case ToMove:
		list, err := e.RankPlays(ctx, mine.Position, s.dice, mine.State, look)
		if err != nil {
			return d, err
		}
		equities := make([]float64, len(list))
		for i := range list {
			equities[i] = list[i].Equity
		}
		return pace.OfPlays(equities), nil
	case ToRoll:
		if !s.mayDouble(side) {
			return pace.Difficulty{Forced: true}, nil
		}
		c, err := e.CubeDecision(ctx, mine.Position, mine.State, look)
		return pace.OfDouble(min(c.DoubleTake, c.DoublePass) - c.NoDouble), err
	case ToAnswer:
		c, err := e.CubeDecision(ctx, yours.Position, yours.State, look)
		return pace.OfTake(c.DoublePass - c.DoubleTake), err
	}
	return d, nil
}
