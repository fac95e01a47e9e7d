package train

import (
	"context"

	"fibsbot/bearoff"
	"fibsbot/cmd/internal/cmdline"
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

// Open opens the engine of the options. The error is a [cmdline.UsageError].
func (o Options) Open() (*engine.Engine, error) {
	e, err := engine.Open(engine.Options{Weights: o.Weights, BearoffDir: o.BearoffDir, Threads: 1})
	if err != nil {
		return nil, cmdline.AsUsage(err)
	}
	return e, nil
}

// Own labels by the search of an engine until ctx ends.
func Own(ctx context.Context, e *engine.Engine) Forker {
	return &own{ctx: ctx, e: e, static: e.Model().Evaluator()}
}

type own struct {
	ctx    context.Context
	e      *engine.Engine
	static eval.Evaluator
}

// Fork implements Forker: the engine is shared.
func (t *own) Fork() Teacher { return Own(t.ctx, t.e) }

// Label implements Teacher.
func (t *own) Label(keys []board.Key, plies int, out []Label) error {
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
			out[i] = LabelOf(t.static.Eval(&p))
			continue
		}
		// One ply is searched in full: replies that the small net leaves out cost a side 0.0001 to
		// 0.0015 points a ply, which add up to 0.02 in the labels of long games.
		v, err := t.e.Search().Evaluate(t.ctx, p, st, search.Settings{Plies: plies, Prune: plies > 1})
		if err != nil {
			return err
		}
		out[i] = LabelOf(v.Probs)
	}
	return nil
}

// OpenStatic opens a weights file, "" being the embedded one, with the small databases that the
// engine always has, as gnubg has its own, and returns its static evaluation. The error is a
// [cmdline.UsageError] if the file cannot be used.
func OpenStatic(path string) (eval.Evaluator, *nn.Set, error) {
	set, err := weights.Load(path)
	if err != nil {
		return nil, nil, cmdline.AsUsage(err)
	}
	m, err := eval.NewModel(set, bearoff.NewSource(bearoff.Options{}))
	if err != nil {
		return nil, nil, err
	}
	return m.Evaluator(), set, nil
}
