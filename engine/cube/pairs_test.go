package cube

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// home draws a board of 1 to most checkers on the lowest points.
func home(r *rand.Rand, most, points int) (c board.Checkers) {
	for range 1 + r.IntN(most) {
		c[r.IntN(points)]++
	}
	return c
}

// The table gives what the recursion gives, for either player and every spot.
func TestPrepare_equalsTheRecursion(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, st := range []match.State{
		{Length: 7, Score: [2]int{2, 3}, Cube: 1},
		{Length: 9, Score: [2]int{6, 1}, Cube: 2, Owner: match.Mine},
		{Length: 25, Score: [2]int{1, 20}, Cube: 1},
	} {
		l := matchLadder(t, st)
		for _, other := range []bool{false, true} {
			slow := NewEndgame(l, MaxEndgame)
			root := board.Position{Me: home(r, 4, 6), Opp: home(r, 4, 6)}
			table := NewEndgame(l, 1).Prepare(t.Context(), &root, other, AllPairs)
			p, on := root, other
			for p.Result() == 0 {
				if !table.Covers(&p, on) {
					t.Fatalf("%s comes of %s and is not covered", p.ID(), root.ID())
				}
				var spots []Spot
				for i := range 1 + 2*slow.rungs {
					spots = append(spots, slow.spot(i))
				}
				got, want := make([]float64, len(spots)), make([]float64, len(spots))
				if !table.Values(&p, on, spots, got) || !slow.Known().Values(&p, on, spots, want) {
					t.Fatal("not covered")
				}
				for i := range got {
					if math.Abs(got[i]-want[i]) > 2e-6 {
						t.Errorf("%+v, %s, %v: %v by the table, %v by the recursion", st, p.ID(), spots[i], got[i], want[i])
					}
				}
				plays := board.AppendPlays(nil, p, board.Dice{A: uint8(1 + r.IntN(3)), B: uint8(1 + r.IntN(2))})
				p, on = plays[r.IntN(len(plays))].Result.Swap(), !on
			}
		}
	}
}

// Whatever cannot be prepared is left alone, and the next table takes the place of the last.
func TestPrepare_oneTableAtATime(t *testing.T) {
	l := matchLadder(t, match.State{Length: 7, Cube: 1})
	e := NewEndgame(l, 1)
	(*Endgame)(nil).Prepare(t.Context(), &board.Start, false, AllPairs)
	e.Prepare(t.Context(), &board.Start, false, AllPairs)
	a := board.Position{Me: board.Checkers{5: 2}, Opp: board.Checkers{4: 3}}
	b := board.Position{Me: board.Checkers{0: 5}, Opp: board.Checkers{3: 2}}
	first := e.Prepare(t.Context(), &a, false, AllPairs)
	if !first.Covers(&a, false) || first.Covers(&a, true) || first.Covers(&b, false) || first.Covers(&board.Start, false) {
		t.Error("the first table covers something else than its pairs")
	}
	second := e.Prepare(t.Context(), &b, true, AllPairs)
	if second.Covers(&a, false) || !second.Covers(&b, true) || e.pairs.Load() != second.pairs {
		t.Error("the second table covers something else than its pairs")
	}
	if !first.Covers(&a, false) || e.Known().Covers(&b, true) {
		t.Error("what one knows depends on what another prepares")
	}
}

func TestHomes_areAllBoards(t *testing.T) {
	h := allHomes()
	pips := 0
	for i := range h.boards {
		c := &h.boards[i]
		if got, ok := h.index[*c]; !ok || int(got) != i || c.Count() > 6 || c.Pips() < pips {
			t.Fatalf("board %d is %v", i, c)
		}
		pips = c.Pips()
		for r := range board.Rolls {
			next := h.next[h.at[i*21+r]:h.at[i*21+r+1]]
			if (len(next) == 0) != (i == 0) {
				t.Fatalf("board %d has %d plays", i, len(next))
			}
			for _, to := range next {
				if int(to) >= i {
					t.Fatalf("board %d comes of %d", to, i)
				}
			}
		}
	}
	if len(h.index) != homeSize {
		t.Errorf("%d boards", len(h.index))
	}
}

func BenchmarkPrepare(b *testing.B) {
	l, err := NewLadder(match.DefaultTable(), match.State{Length: 11, Cube: 1})
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		p    board.Position
	}{
		{"usual", board.Position{Me: board.Checkers{0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1}, Opp: board.Checkers{0: 1, 1: 1, 3: 1, 4: 1}}},
		{"largest", board.Position{Me: board.Checkers{5: 6}, Opp: board.Checkers{5: 6}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				NewEndgame(l, 1).Prepare(context.Background(), &c.p, false, AllPairs)
			}
		})
	}
}
