package play

import (
	"context"
	"fmt"
	"time"

	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/pace"
	"fibsbot/engine/preset"
	"fibsbot/internal/splitmix"
)

// Think carries out the opponent's next act; done is false if it is not the opponent's turn.
// Other goroutines may read and change the match meanwhile: an act decided for an older
// state is dropped, and the error is ErrStale.
func (m *Match) Think(ctx context.Context, e *engine.Engine) (done bool, err error) {
	return m.ThinkFor(ctx, e, Opponent)
}

// ThinkFor is Think for a side: the engine plays on for the person as it plays for the
// opponent, but never resigns.
func (m *Match) ThinkFor(ctx context.Context, e *engine.Engine, side int) (done bool, err error) {
	m.mu.Lock()
	s, version := m.state, m.version
	s.entries = nil
	seed := m.opts.Seed ^ uint64(len(m.acts)+1)*0xd1342543de82ef95
	m.mu.Unlock()
	if !s.waitsFor(side) || m.opts.Two {
		return false, nil
	}
	began := time.Now()
	a, err := m.decide(ctx, e, &s, side, seed)
	if err != nil {
		return false, fmt.Errorf("engine: %w", err)
	}
	a.Side = side
	if m.opts.Clock != nil {
		a.Spent = time.Since(began).Milliseconds()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.version != version {
		return false, ErrStale
	}
	return true, m.do(a)
}

// waitsFor reports whether the next act is a decision of that side.
func (s *state) waitsFor(side int) bool {
	switch s.phase {
	case ToRoll, ToMove, ToAnswer, ToAnswerResign:
		return s.turn == side
	}
	return false
}

func (m *Match) decide(ctx context.Context, e *engine.Engine, s *state, side int, seed uint64) (Act, error) {
	e, err := m.opts.engine(ctx, e)
	if err != nil {
		return Act{}, err
	}
	if m.foe.Benchmark && s.phase != ToAnswerResign {
		return s.benchmark(side), nil
	}
	pr := m.foe.Preset.WithSeed(seed)
	mine, yours := s.situation(side), s.situation(1-side)
	switch s.phase {
	case ToRoll:
		if side == Opponent {
			if level, err := e.ResignOffer(ctx, mine, pr); err != nil || level > 0 && !m.rejectedSince() {
				return Act{Kind: Resign, Level: level}, err
			}
		}
		if s.mayDouble(side) {
			if yes, _, err := e.Double(ctx, mine.Position, mine.State, pr); err != nil || yes {
				return Act{Kind: Double}, err
			}
		}
		return Act{Kind: Roll}, nil
	case ToMove:
		c, ok, err := e.BestPlay(ctx, mine.Position, s.dice, mine.State, pr)
		if err != nil || !ok {
			return Act{Kind: Move}, err
		}
		return Act{Kind: Move, Play: board.FormatPlay(mine.Position, c.Play)}, nil
	case ToAnswer:
		if s.Pending > 1 {
			of := mine
			if s.First != side {
				of = yours
			}
			d, err := e.CubeDecision(ctx, of.Position, of.State, pr)
			if err != nil {
				return Act{Kind: Drop}, err
			}
			return Act{Kind: best(s.answers(&d))}, nil
		}
		ans, err := e.TakeDecision(ctx, yours.Position, yours.State, pr)
		switch {
		case err != nil || !ans.Take:
			return Act{Kind: Drop}, err
		case ans.Beaver && s.mayBeaver():
			return Act{Kind: Beaver}, nil
		}
		return Act{Kind: Take}, nil
	}
	yes, err := e.AcceptResignation(ctx, yours, s.level, pr)
	if err != nil || !yes {
		return Act{Kind: Reject}, err
	}
	return Act{Kind: Accept}, nil
}

// benchmark is the act of pubeval for a side, see Foe.
func (s *state) benchmark(side int) Act {
	switch s.phase {
	case ToRoll:
		return Act{Kind: Roll}
	case ToAnswer:
		return Act{Kind: Take}
	}
	p := s.situation(side).Position
	plays := board.AppendPlays(nil, p, s.dice)
	if len(plays) == 0 {
		return Act{Kind: Move}
	}
	return Act{Kind: Move, Play: board.FormatPlay(p, plays[eval.Pubeval{}.Best(&p, plays)])}
}

// rejectedSince reports whether the person has rejected a resignation since the opponent's
// last play; it is not offered twice in a turn.
func (m *Match) rejectedSince() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for n := len(m.acts) - 1; n >= 0 && m.acts[n].Kind != Move; n-- {
		if m.acts[n].Kind == Reject && m.acts[n].Side == You {
			return true
		}
	}
	return false
}

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
