package families

import (
	"context"
	"fmt"
	"math/rand/v2"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
)

// Maker draws positions and rolls them out.
type Maker struct {
	Engine *engine.Engine
	// Seed draws the positions and the dice of the rollouts.
	Seed uint64
	// Rollout says how trials are played.
	Rollout rollout.Settings
}

// Settings are static cubeless trials to the end of the game without luck, at least 36, until the
// standard error of the equity is at most StopStdErr, or with 0 that of the family.
func Settings() rollout.Settings {
	s := rollout.Default()
	s.Trials, s.MinTrials, s.Look, s.Cubeful = 2592, 36, 36, false
	s.StopStdErr, s.Threads = 0, 1
	s.Checker, s.Cube = search.Settings{}, search.Settings{}
	return s
}

// limits of a game: the turns that are looked at, and how rarely a position is taken.
const (
	maxTurns = 40
	oneIn    = 3
	// natural is one game in so many that begins at the start position.
	natural = 10
)

// Draw calls take with positions of the family until it returns false, each reached by a play of
// our own static engine, at most one of a game and none twice. A family draws the same
// positions in the same order from the same seed and nets.
func (m *Maker) Draw(ctx context.Context, f *Family, take func(p board.Position) (bool, error)) error {
	rng := rand.New(rand.NewPCG(m.Seed, 0xfa<<8|uint64(f.Plan)))
	seen := train.NewKeySet(1000)
	for {
		plan := f.Plan
		if rng.IntN(natural) == 0 {
			plan = train.Natural
		}
		p, ok, err := m.game(ctx, f, train.StartOf(plan, rng), rng)
		if err != nil {
			return err
		}
		if !ok || !seen.Add(p.Key()) {
			continue
		}
		if more, err := take(p); !more || err != nil {
			return err
		}
	}
}

// game plays on from p and returns the position that it takes.
func (m *Maker) game(ctx context.Context, f *Family, p board.Position, rng *rand.Rand) (board.Position, bool, error) {
	for range maxTurns {
		dice := board.Dice{A: uint8(1 + rng.IntN(6)), B: uint8(1 + rng.IntN(6))}
		list, err := m.Engine.Search().Plays(ctx, p, dice, match.Money(false, 0), search.Settings{})
		if err != nil {
			return p, false, err
		}
		if p = p.Swap(); len(list) > 0 {
			p = list[0].Play.Result.Swap()
		}
		if p.Result() != 0 {
			return p, false, nil
		}
		if f.Is(&p) && rng.IntN(oneIn) == 0 {
			return p, true, nil
		}
	}
	return p, false, nil
}

// settings returns how trials of a family are played.
func (m *Maker) settings(f *Family) rollout.Settings {
	s := m.Rollout
	s.Seed = m.Seed
	if s.StopStdErr == 0 {
		s.StopStdErr = f.Error
	}
	return s
}

// roll rolls a position out.
func (m *Maker) roll(ctx context.Context, f *Family, p board.Position) (Position, error) {
	s, name := m.settings(f), f.Name
	job, err := rollout.New(ctx, m.Engine.RolloutOptions(), p, match.Money(false, 0), s)
	if err != nil {
		return Position{}, err
	}
	job.AddPosition(name)
	if err := job.Run(ctx, nil); err != nil {
		return Position{}, err
	}
	r := job.Results()[0]
	out := Position{Family: name, ID: p.ID(), Equity: round(r.Cubeless), Error: round(r.CubelessErr.Or(0)), WinError: round(r.ProbsErr[0].Or(0)), Trials: r.Trials, Plies: s.Checker.Plies}
	for i, v := range r.Probs {
		out.Chances[i] = round(v)
	}
	return out, nil
}

// Make appends to the file until it holds n positions of each family named.
func (m *Maker) Make(ctx context.Context, f *File, names []string, n int, show func(what string, done, total int)) error {
	for _, name := range names {
		family := Find(name)
		if family == nil {
			return fmt.Errorf("%w: unknown family %q", ErrFile, name)
		}
		have, known := 0, map[string]bool{}
		for i := range f.Positions {
			if f.Positions[i].Family == name {
				have++
				known[f.Positions[i].ID] = true
			}
		}
		if have >= n {
			continue
		}
		err := m.Draw(ctx, family, func(p board.Position) (bool, error) {
			if known[p.ID()] {
				return true, nil
			}
			r, err := m.roll(ctx, family, p)
			if err != nil {
				return false, err
			}
			have++
			if have%10 == 0 {
				show(name, have, n)
			}
			return have < n, f.add(r)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Sharpen rolls the positions of the file out again whose standard error is larger than
// m.Rollout asks for and that have had fewer trials than it allows.
func (m *Maker) Sharpen(ctx context.Context, f *File, show func(what string, done, total int)) error {
	var failed error
	for i := range f.Positions {
		r := &f.Positions[i]
		family := Find(r.Family)
		if r.Error <= m.settings(family).StopStdErr || r.Trials >= m.Rollout.Trials {
			continue
		}
		p, err := board.ParseID(r.ID)
		if err == nil {
			var again Position
			if again, err = m.roll(ctx, family, p); err == nil {
				*r = again
			}
		}
		if failed = err; failed != nil {
			break
		}
		show("positions", i+1, len(f.Positions))
	}
	if err := f.rewrite(); failed == nil {
		failed = err
	}
	return failed
}
