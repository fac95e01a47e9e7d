package search

import (
	"context"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
)

// The net of cube efficiencies speaks at 0 and 1 plies alone, and nowhere if efficiencies are given.
func TestCube_learnedEfficiency(t *testing.T) {
	ctx := context.Background()
	learned, err := New(Options{NewEvaluator: func() Evaluator { return pips{} }, CacheBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	usual := testEngine(t, Options{CacheBytes: -1})
	x := cube.UsualEfficiency.Contact
	for _, st := range []match.State{match.Money(false, 0), match.Money(true, 0), {Length: 7, Score: [2]int{2, 4}, Cube: 2, Owner: match.Mine}} {
		of := func(e *Engine, s Settings) cube.Decision {
			s.Cubeful = true
			d, err := e.Cube(ctx, board.Start, st, s)
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		for plies := range 2 {
			if a, b := of(learned, Settings{Plies: plies}), of(usual, Settings{Plies: plies}); a.NoDouble == b.NoDouble || a.Probs != b.Probs {
				t.Errorf("%v, %d plies: %v with the net, %v without", st, plies, a.NoDouble, b.NoDouble)
			}
			if a, b := of(learned, Settings{Plies: plies, Efficiency: &x}), of(usual, Settings{Plies: plies}); a != b {
				t.Errorf("%v, %d plies, a given efficiency: %+v, want %+v", st, plies, a, b)
			}
		}
		if a, b := of(learned, Settings{Plies: 2}), of(usual, Settings{Plies: 2}); a != b {
			t.Errorf("%v: 2 plies: %+v with the net, %+v without", st, a, b)
		}
	}
	if _, _, err := learned.SpotValues(ctx, board.Start, match.Money(false, 0), nil, Settings{}); err == nil {
		t.Error("values of no spots")
	}
}

// TestCube_learnedApart: positions and plays, whose leaves are valued in other ways at 1 ply, do not find each
// other's values in the cache.
func TestCube_learnedApart(t *testing.T) {
	ctx := context.Background()
	s := Settings{Plies: 1, Cubeful: true}
	dice := board.Dice{A: 3, B: 1}
	for _, st := range []match.State{match.Money(false, 0), {Length: 7, Score: [2]int{2, 4}, Cube: 2, Owner: match.Theirs}} {
		engine := func(cache int) *Engine {
			e, err := New(Options{NewEvaluator: func() Evaluator { return pips{} }, CacheBytes: cache})
			if err != nil {
				t.Fatal(err)
			}
			return e
		}
		plays := func(e *Engine) Candidate {
			list, err := e.Plays(ctx, board.Start, dice, st, s)
			if err != nil {
				t.Fatal(err)
			}
			return list[0]
		}
		none, first, second := engine(-1), engine(0), engine(0)
		want := plays(none)
		after := want.Play.Result.Swap()
		value := func(e *Engine) Evaluation {
			v, err := e.Evaluate(ctx, after, st.Swap(), s)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		known := value(none)
		if v := value(first); v != known || plays(first).Equity != want.Equity {
			t.Errorf("%v: after a position plays are worth %v, want %v", st, plays(first).Equity, want.Equity)
		}
		if plays(second); value(second) != known {
			t.Errorf("%v: after plays a position is worth %v, want %v", st, value(second), known)
		}
	}
}
