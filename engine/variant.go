package engine

import (
	"context"
	"errors"
	"fmt"

	"fibsbot/bearoff"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/rollout"
	"fibsbot/engine/search"
)

// ErrRules is wrapped by errors about games that an engine cannot play.
var ErrRules = errors.New("no engine for this game")

// variantCache bounds the memory of an engine for other rules.
const variantCache = 8 << 20

// With returns the engine for a game by rules r: itself for its own, else one that it makes
// once and keeps. Games of one to three checkers (hypergammon) are looked up in a database
// of all positions, exact in money play except for beavers; without one the error wraps
// bearoff.ErrNoHyper. ctx ends the making of a small one, which takes seconds. Under the
// Egyptian rule the nets judge as in backgammon, which they were trained on, and only legal
// plays are considered. Other errors wrap ErrRules. Do not close the engine returned.
func (e *Engine) With(ctx context.Context, r board.Rules) (*Engine, error) {
	if r.Each() == board.MaxCheckers {
		r.Checkers = 0
	}
	if e.search == nil {
		return nil, fmt.Errorf("%w: it was not made by Open", ErrRules)
	}
	if r == e.search.Rules() {
		return e, nil
	}
	if e.plain != nil {
		return e.plain.With(ctx, r)
	}
	if r.Checkers > 3 {
		return nil, fmt.Errorf("%w: %d checkers a side: want 1 to 3 (hypergammon) or %d", ErrRules, r.Checkers, board.MaxCheckers)
	}
	var db *bearoff.Hyper
	if r.Checkers > 0 {
		if e.source == nil {
			return nil, fmt.Errorf("%w: hypergammon without databases", ErrRules)
		}
		var err error
		if db, err = e.source.Hyper(ctx, int(r.Checkers)); err != nil {
			return nil, err
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if v := e.variants[r]; v != nil {
		return v, nil
	}
	v := &Engine{model: e.model, source: e.source, table: e.table, efficiency: e.efficiency, seed: e.seed, plain: e, exact: e.Exact(), judge: e.model.Evaluator}
	if db != nil {
		h := hyper{db, board.Rules{Checkers: r.Checkers}}
		v.exact, v.judge = h, func() eval.Evaluator { return h }
	}
	var err error
	v.search, err = search.New(search.Options{NewEvaluator: v.judge, Exact: v.exact, Table: e.table, Efficiency: e.efficiency,
		CacheBytes: variantCache, Threads: e.search.Threads(), Rules: r})
	if err != nil {
		return nil, fmt.Errorf("open engine: %w", err)
	}
	if e.variants == nil {
		e.variants = map[board.Rules]*Engine{}
	}
	e.variants[r] = v
	return v, nil
}

// optionsWith is With for rollouts that are made again in another process.
func (e *Engine) optionsWith(ctx context.Context, r board.Rules) (rollout.Options, error) {
	v, err := e.With(ctx, r)
	if err != nil {
		return rollout.Options{}, err
	}
	return v.RolloutOptions(), nil
}

// hyper judges games of few checkers by their database. It is safe for concurrent use.
type hyper struct {
	db    *bearoff.Hyper
	rules board.Rules
}

// Eval implements eval.Evaluator. A position in a damaged place counts as even.
func (h hyper) Eval(p *board.Position) eval.Probs {
	if points := h.rules.Result(p); points != 0 {
		return eval.Outcome(points)
	}
	v, ok := h.db.Value(p)
	if !ok {
		return eval.Probs{eval.Win: 0.5}
	}
	return v.Probs
}

// EvalPlays implements eval.Evaluator.
func (h hyper) EvalPlays(plays []board.Play, out []eval.Probs) {
	for i := range plays {
		after := plays[i].Result.Swap()
		out[i] = h.Eval(&after).Invert()
	}
}

// Exact implements search.ExactSource.
func (h hyper) Exact(p *board.Position) (cube.Exact, bool) {
	v, ok := h.db.Value(p)
	if !ok || h.rules.Result(p) != 0 {
		return cube.Exact{}, false
	}
	return cube.Exact{Probs: v.Probs, Owned: float32(v.Owned), Centred: float32(v.Centred), Theirs: float32(v.OppOwned), Jacoby: float32(v.Jacoby)}, true
}
