package search

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/eval"
	"fibsbot/engine/match"
	"fibsbot/internal/testsize"
)

// pairsStub claims to know all bearoffs of at most six checkers a side.
type pairsStub struct{}

func (pairsStub) Exact(p *board.Position) (cube.Exact, bool) {
	return cube.Exact{Owned: 0.2, Centred: 0.1, Jacoby: 0.1, Probs: eval.Probs{0.6}}, eval.ClassOf(p) == eval.Bearoff2
}

// longBearoff is beyond what is worked out at a score unasked.
var longBearoff = board.Position{Me: board.Checkers{0: 1, 2: 1, 3: 1, 4: 1, 5: 1}, Opp: board.Checkers{0: 1, 1: 1, 3: 2, 5: 1}}

// An engine's answers must not depend on earlier questions: a long bearoff that one search has
// solved must not change another search.
func TestEngine_answersDoNotDependOnEarlierOnes(t *testing.T) {
	testsize.Medium(t)
	testsize.Alone(t)
	ctx := context.Background()
	st := match.State{Length: 9, Score: [2]int{2, 4}, Cube: 1}
	// Seven checkers a side: the bearoffs of six that come of it are a ply away.
	before := longBearoff
	before.Me[1]++
	before.Me[5]++
	asks := map[string]func(e *Engine) (float64, error){
		"0 plies": func(e *Engine) (float64, error) {
			d, err := e.Cube(ctx, longBearoff, st, Settings{Cubeful: true})
			return d.NoDouble, err
		},
		"1 ply from a longer bearoff": func(e *Engine) (float64, error) {
			d, err := e.Cube(ctx, before, st, Settings{Plies: 1, Cubeful: true})
			return d.NoDouble, err
		},
		"2 plies from a longer bearoff": func(e *Engine) (float64, error) {
			d, err := e.Cube(ctx, before, st, Settings{Plies: 2, Cubeful: true})
			return d.NoDouble, err
		},
		"rolls": func(e *Engine) (float64, error) {
			v, err := e.Rolls(ctx, longBearoff, st, Settings{Cubeful: true})
			return v[0], err
		},
	}
	for name, ask := range asks {
		t.Run(name, func(t *testing.T) {
			fresh, asked := testEngine(t, Options{Exact: pairsStub{}}), testEngine(t, Options{Exact: pairsStub{}})
			for _, s := range []match.State{st, st.Swap()} {
				if _, err := asked.Cube(ctx, longBearoff, s, Settings{Plies: 1, Cubeful: true}); err != nil {
					t.Fatal(err)
				}
			}
			want, err := ask(fresh)
			if err != nil {
				t.Fatal(err)
			}
			got, err := ask(asked)
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("%v after another question, %v at first", got, want)
			}
		})
	}
}

// A decision at 0 plies is as exact in a bearoff as one that looks ahead.
func TestEngine_bearoffsAreExactAtZeroPlies(t *testing.T) {
	testsize.Large(t)
	e := testEngine(t, Options{Exact: pairsStub{}})
	st := match.State{Length: 9, Score: [2]int{2, 4}, Cube: 1}
	for name, c := range map[string]struct {
		p     board.Position
		alike bool
	}{
		"beyond what is worked out unasked": {board.Position{Me: board.Checkers{0: 2, 1: 1, 3: 2}, Opp: board.Checkers{0: 1, 1: 1, 3: 2, 5: 1}}, true},
		"so long that it is left":           {board.Position{Me: board.Checkers{5: 6}, Opp: board.Checkers{5: 5, 4: 1}}, false},
	} {
		var u [2]float64
		for plies := range u {
			d, err := e.Cube(t.Context(), c.p, st, Settings{Plies: plies, Cubeful: true})
			if err != nil {
				t.Fatal(err)
			}
			u[plies] = d.DoubleTake
		}
		if (u[0] == u[1]) != c.alike {
			t.Errorf("%s: %v at 0 plies, %v at 1", name, u[0], u[1])
		}
	}
}

// Working a long bearoff out ends with the caller's patience.
func TestEngine_longBearoffsEndWithTheContext(t *testing.T) {
	longest := board.Position{Me: board.Checkers{5: 6}, Opp: board.Checkers{5: 6}}
	st := match.State{Length: 25, Cube: 1}
	e := testEngine(t, Options{Exact: pairsStub{}})
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.Cube(gone, longest, st, Settings{Plies: 1, Cubeful: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := e.Rolls(gone, longest, st, Settings{Cubeful: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	d, err := e.Cube(context.Background(), longest, st, Settings{Plies: 1, Cubeful: true, Budget: time.Nanosecond})
	if err != nil || d.Plies != 0 || math.IsNaN(d.NoDouble) {
		t.Errorf("%+v, %v", d, err)
	}
	// None of them has left a table behind: all made of it is exact or not there.
	l, err := cube.NewLadder(match.DefaultTable(), st)
	if err != nil {
		t.Fatal(err)
	}
	if known, _ := e.endgame(l); known.Prepare(gone, &longest, false, cube.AllPairs).Covers(&longest, false) {
		t.Error("a table that was not finished is used")
	}
}
