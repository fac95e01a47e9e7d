package reference

import (
	"context"
	"fmt"
	"hash/fnv"
	"sync"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
)

// Chooser chooses a play; ok is false without a legal one.
type Chooser func(p board.Position, d board.Dice) (play board.Play, ok bool, err error)

// ByPreset chooses cubeless money plays as a preset does, with its rollouts.
func ByPreset(ctx context.Context, e *engine.Engine, pr preset.Preset) Chooser {
	pr.Checker.Cubeful = false
	return func(p board.Position, d board.Dice) (board.Play, bool, error) {
		// Noise is drawn for the decision, however often it is asked.
		key := p.Key()
		h := fnv.New64a()
		h.Write(append(key[:], d.A, d.B))
		pr := pr.WithSeed(h.Sum64() | 1)
		best, ok, err := e.BestPlay(ctx, p, d, match.Money(false, 0), pr)
		return best.Play, ok, err
	}
}

// ByTeacher chooses by the labels of a teacher at a depth, one decision at a time.
func ByTeacher(t train.Teacher, plies int) Chooser {
	var mu sync.Mutex
	p := train.TeacherPlayer{Teacher: t, Plies: plies}
	return func(pos board.Position, d board.Dice) (board.Play, bool, error) {
		mu.Lock()
		defer mu.Unlock()
		play, ok := p.Play(pos, d)
		return play, ok, p.Err
	}
}

// Losses returns the loss of a chooser in each decision, in millipoints, on all processors. choose
// makes a chooser for each goroutine. A play that the file does not list counts as its worst. report,
// unless nil, is called with the number of decisions done.
func Losses(ctx context.Context, ds []train.Problem, choose func() Chooser, report func(done int)) ([]float64, error) {
	out := make([]float64, len(ds))
	return out, train.Parallel(ctx, len(ds), report, func() func(i int) error {
		by := choose()
		return func(i int) error {
			play, ok, err := by(ds[i].Position, ds[i].Dice)
			if err != nil {
				return fmt.Errorf("decision %d: %w", i+1, err)
			}
			if ok {
				out[i] = ds[i].LossOf(play.Result.Swap().Key()) * 1000
			}
			return nil
		}
	})
}
