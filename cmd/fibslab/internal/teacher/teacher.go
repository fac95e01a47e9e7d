// Package teacher labels training positions by the program's own search, and opens weights
// files for those who train and measure.
package teacher

import (
	"context"
	"errors"
	"fmt"
	"os"

	"fibsbot/bearoff"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/engine/nn"
	"fibsbot/engine/search"
	"fibsbot/weights"
)

// Options say how a teacher is made.
type Options struct {
	Weights    string // weights file, "" for the embedded one
	BearoffDir string // folder of bigger databases, "" for none
	Threads    int    // for callers: forks at a time
}

// ErrOptions means options, files or requests that cannot be used.
var ErrOptions = errors.New("cannot be done")

// mistake is an error with its own text that errors.Is finds as ErrOptions.
type mistake struct{ error }

// Is implements the interface of errors.Is.
func (mistake) Is(target error) bool { return target == ErrOptions }

// Unwrap returns the cause.
func (e mistake) Unwrap() error { return e.error }

// Mistake marks err as the user's: it wraps [ErrOptions].
func Mistake(err error) error { return mistake{err} }

// Wrong is a [Mistake] with a text.
func Wrong(format string, args ...any) error { return mistake{fmt.Errorf(format, args...)} }

// Check refuses options with which no search of that depth can be made.
func (o Options) Check(plies int) error {
	if o.Threads < 0 || o.Threads > 1024 {
		return Wrong("--threads: %d is not between 0 and 1024", o.Threads)
	}
	if o.BearoffDir != "" {
		if info, err := os.Stat(o.BearoffDir); err != nil || !info.IsDir() {
			return Wrong("--bearoff-dir: %s is not a folder", o.BearoffDir)
		}
	}
	if plies < 0 || plies > search.MaxPlies {
		return Wrong("--plies: %d is not between 0 and %d", plies, search.MaxPlies)
	}
	return nil
}

// Open opens the engine of the options. The error wraps [ErrOptions].
func (o Options) Open() (*engine.Engine, error) {
	e, err := engine.Open(engine.Options{Weights: o.Weights, BearoffDir: o.BearoffDir, Threads: 1})
	if err != nil {
		return nil, mistake{err}
	}
	return e, nil
}

// Own labels by the search of an engine until ctx ends.
func Own(ctx context.Context, e *engine.Engine) train.Forker {
	return &own{ctx: ctx, e: e, static: e.Model().Evaluator()}
}

type own struct {
	ctx    context.Context
	e      *engine.Engine
	static eval.Evaluator
}

// Fork implements train.Forker: the engine is shared.
func (t *own) Fork() train.Teacher { return Own(t.ctx, t.e) }

// Label implements train.Teacher.
func (t *own) Label(keys []board.Key, plies int, out []train.Label) error {
	st := match.Money(false, 0)
	for i, k := range keys {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		p, err := board.FromKey(k)
		if err != nil {
			return err
		}
		if p.Result() != 0 || plies == 0 {
			out[i] = train.LabelOf(t.static.Eval(&p))
			continue
		}
		// One ply is searched in full: replies that the small net leaves out cost a side 0.0001 to
		// 0.0015 points a ply, which add up to 0.02 in the labels of long games.
		v, err := t.e.Search().Evaluate(t.ctx, p, st, search.Settings{Plies: plies, Prune: plies > 1})
		if err != nil {
			return err
		}
		out[i] = train.LabelOf(v.Probs)
	}
	return nil
}

// Static opens a weights file, "" being the embedded one, with the small databases that the
// engine always has, as gnubg has its own, and returns its static evaluation. The error wraps
// [ErrOptions] if the file cannot be used.
func Static(path string) (eval.Evaluator, *nn.Set, error) {
	m, set, err := Model(path)
	if err != nil {
		return nil, nil, err
	}
	return m.Evaluator(), set, nil
}

// Model is Static for several goroutines, each of which makes its own evaluator.
func Model(path string) (*eval.Model, *nn.Set, error) {
	set, err := weights.Load(path)
	if err != nil {
		return nil, nil, mistake{err}
	}
	m, err := eval.NewModel(set, bearoff.NewSource(bearoff.Options{}))
	return m, set, err
}
