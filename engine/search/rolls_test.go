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
