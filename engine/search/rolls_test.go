package search

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

func TestRolls_averageToOnePlyMore(t *testing.T) {
	e := testEngine(t, Options{Threads: 1})
	r := rand.New(rand.NewPCG(3, 1))
	states := []match.State{
		match.Money(false, 0), match.Money(true, 0), {Cube: 2, Owner: match.Mine}, {Cube: 4, Owner: match.Theirs},
		{Cube: 1, Length: 7, Score: [2]int{2, 5}}, {Cube: 2, Owner: match.Theirs, Length: 5, Score: [2]int{3, 0}},
		{Cube: 1, Length: 3, Score: [2]int{2, 1}, Crawford: true},
	}
	for i := range 40 {
		p, st := position(r, 4+i), states[i%len(states)]
		if p.Result() != 0 {
			continue
		}
		s := Settings{Plies: i % 2, Cubeful: true}
		values, err := e.Rolls(context.Background(), p, st, s)
		if err != nil {
			t.Fatal(err)
		}
		mean := 0.0
		for k, v := range values {
			mean += v * float64(board.Rolls[k].Weight) / 36
		}
		s.Plies++
		d, err := e.Cube(context.Background(), p, st, s)
		if err != nil {
			t.Fatal(err)
		}
		want := d.NoDouble
		if st.Length > 0 {
			want = d.MWC[0]
		}
		if math.Abs(mean-want) > 1e-5 {
			t.Errorf("%s, %+v: rolls average %.6f, the search says %.6f", p.ID(), st, mean, want)
		}
	}
}

func TestRolls_refusesWhatItCannotValue(t *testing.T) {
	e := testEngine(t, Options{})
	for _, s := range []Settings{{Plies: MaxPlies}, {Plies: 1, Reduced: 7}, {Plies: -1}} {
		if _, err := e.Rolls(context.Background(), board.Start, match.Money(false, 0), s); !errors.Is(err, ErrSettings) {
			t.Errorf("%+v: %v", s, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.Rolls(ctx, board.Start, match.Money(false, 0), Settings{Plies: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestSearches_shareNodes: after a play was searched, the opponent's cube decision and the luck of his roll
// find their nodes in the cache.
func TestSearches_shareNodes(t *testing.T) {
	e := testEngine(t, Options{Threads: 1})
	s := Settings{Plies: 2, Cubeful: true, Prune: true}
	d := board.Dice{A: 6, B: 1}
	plays := board.AppendPlays(nil, board.Start, d)[:1]
	for i, st := range []match.State{
		match.Money(false, 0), match.Money(true, 0), {Length: 7, Cube: 1}, {Length: 7, Cube: 1, Score: [2]int{2, 4}},
		{Length: 5, Cube: 2, Owner: match.Mine, Score: [2]int{1, 0}}, {Length: 9, Cube: 2, Owner: match.Theirs, Score: [2]int{3, 6}},
	} {
		s.Seed = uint64(i) // without noise it says nothing
		if _, err := e.Rate(t.Context(), board.Start, plays, st, s); err != nil {
			t.Fatal(err)
		}
		before, p := e.Counters().Nodes, plays[0].Result.Swap()
		s.Seed += 100
		if _, err := e.Cube(t.Context(), p, st.Swap(), s); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Rolls(t.Context(), p, st.Swap(), Settings{Plies: 1, Cubeful: true, Prune: true}); err != nil {
			t.Fatal(err)
		}
		if n := e.Counters().Nodes - before; n > 0 {
			t.Errorf("%+v: %d nodes were searched twice", st, n)
		}
	}
}
