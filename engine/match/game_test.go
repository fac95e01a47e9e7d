package match

import "testing"

// TestGame_doubles: who was doubled first holds the cube, also after a beaver and a raccoon; the
// sides keep what is theirs when they are exchanged.
func TestGame_doubles(t *testing.T) {
	for _, tt := range []struct {
		by          []int
		cube, owner int
	}{{[]int{1}, 2, 0}, {[]int{1, 0}, 4, 0}, {[]int{0, 1, 0}, 8, 1}} {
		g := Game{Cube: 1, Owner: NoSide, Beavers: 3}
		for _, side := range tt.by {
			g.Double(side)
		}
		if g.Offered() != tt.cube || g.State(0).Cube != 1 {
			t.Errorf("%v: offered %d, the cube is %d before the answer", tt.by, g.Offered(), g.State(0).Cube)
		}
		g.Swap()
		g.Take()
		if g.Cube != tt.cube || g.Owner != 1-tt.owner || g.State(g.Owner).Owner != Mine || g.State(1-g.Owner).Owner != Theirs {
			t.Errorf("%v: %+v", tt.by, g)
		}
	}
}

// TestGame_next goes through a match of 3 points: the first game at 1-away is the Crawford game.
func TestGame_next(t *testing.T) {
	g := Game{Length: 3, Cube: 2, Owner: 1, Pending: 1}
	for i, want := range []Game{
		{Length: 3, Score: [2]int{0, 2}, Crawford: true, Cube: 1, Owner: NoSide},
		{Length: 3, Score: [2]int{1, 2}, Cube: 1, Owner: NoSide},
		{Length: 3, Score: [2]int{3, 2}, Cube: 1, Owner: NoSide},
	} {
		winner, points := []int{1, 0, 0}[i], []int{2, 1, 4}[i]
		if g = g.Next(winner, points, true); g != want {
			t.Fatalf("game %d: %+v, want %+v", i+2, g, want)
		}
	}
}
