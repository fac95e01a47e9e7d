package search

import (
	"context"
	"math"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// In race neither side has borne off: a pass costs a gammon, so the opponent takes what he
// would pass at the price of one point. In late, and in every position that follows from it, a
// pass costs the usual price.
func TestCube_priceByPosition(t *testing.T) {
	table := match.DefaultTable()
	race := board.Position{Me: board.Checkers{5: 5, 7: 5, 8: 5}, Opp: board.Checkers{5: 5, 7: 5, 10: 5}}
	late := board.Position{Me: board.Checkers{1: 4, 3: 4}, Opp: board.Checkers{1: 4, 3: 6}}
	st := match.State{Length: 9, Cube: 1}
	priced := st
	priced.Drops = match.DropByPosition
	for depth := range 3 {
		s := Settings{Plies: depth, Cubeful: true}
		// One engine for both rules: its cache must keep them apart.
		e := testEngine(t, Options{})
		usual, err := e.Cube(context.Background(), race, st, s)
		if err != nil {
			t.Fatal(err)
		}
		if usual.Action.Take() {
			t.Fatalf("%d plies: %v: no pass to begin with", depth, usual.Action)
		}
		d, err := e.Cube(context.Background(), race, priced, s)
		if err != nil {
			t.Fatal(err)
		}
		if !d.Action.Take() {
			t.Errorf("%d plies: %v (take %.3f, pass %.3f)", depth, d.Action, d.DoubleTake, d.DoublePass)
		}
		two := 2*table.After(st, 2) - 1
		if got := 2*d.MWC[2] - 1; math.Abs(got-two) > 1e-9 {
			t.Errorf("%d plies: a pass is worth %.4f, want that of two points %.4f", depth, got, two)
		}
		a, err := e.Cube(context.Background(), late, st, s)
		if err != nil {
			t.Fatal(err)
		}
		b, err := e.Cube(context.Background(), late, priced, s)
		if err != nil {
			t.Fatal(err)
		}
		if a != b {
			t.Errorf("%d plies, checkers off on both sides: %+v and %+v", depth, a, b)
		}
	}
}

// The play before a double that costs the opponent more: the root of a ranking asks
// the price of each play's own position.
func TestPlays_priceByPosition(t *testing.T) {
	st := match.State{Length: 9, Cube: 1, Drops: match.DropByPosition}
	e := testEngine(t, Options{})
	for depth := range 2 {
		list, err := e.Plays(context.Background(), board.Start, board.Dice{A: 3, B: 1}, st, Settings{Plies: depth, Cubeful: true})
		if err != nil || len(list) < 10 {
			t.Fatalf("%d plays, %v", len(list), err)
		}
		for _, c := range list {
			if math.IsNaN(c.Equity) || math.Abs(c.Equity) > 3 {
				t.Errorf("%s: equity %v", board.FormatPlay(board.Start, c.Play), c.Equity)
			}
		}
	}
}
