package cube

import (
	"math"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

func matchLadder(t *testing.T, s match.State) *Ladder {
	t.Helper()
	l, err := NewLadder(match.DefaultTable(), s)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// One checker each that cannot miss but on 2-1: what there is to win is plain to see.
func TestEndgame_lastRoll(t *testing.T) {
	// On the 6 point 27 of 36 rolls bear the checker off; the opponent, on his ace
	// point, never misses.
	p := board.Position{Me: board.Checkers{5: 1}, Opp: board.Checkers{0: 1}}
	s := match.State{Length: 7, Score: [2]int{2, 3}, Cube: 1}
	l := matchLadder(t, s)
	e := NewEndgame(l, 1000)
	spots := []Spot{{}, {Rung: 1, Owner: match.Theirs}, {Rung: 1, Owner: match.Mine}}
	var out [3]float64
	if !e.Known().Values(&p, false, spots, out[:]) {
		t.Fatal("not covered")
	}
	for i, spot := range spots {
		// After a miss the opponent doubles, which is passed: he wins all the same.
		want := (27*l.Result(spot, 1) + 9*l.Result(spot, -1)) / 36
		if math.Abs(out[i]-want) > 1e-12 {
			t.Errorf("%v: %v, want %v", spot, out[i], want)
		}
	}
}

// A bearoff at 5 away 24 away whose exact answer is known: no double +0.0120, double and
// take -0.3829.
func TestEndgame_knownAnswer(t *testing.T) {
	s, err := match.ParseSituation("BwAAYAMAAAAAAA:cAkgAxAAoAAE")
	if err != nil {
		t.Fatal(err)
	}
	l := matchLadder(t, s.State)
	e := NewEndgame(l, 8000)
	var out [2]float64
	if !e.Known().Values(&s.Position, false, []Spot{{}, {Rung: 1, Owner: match.Theirs}}, out[:]) {
		t.Fatal("not covered")
	}
	table := match.DefaultTable()
	for i, want := range []float64{0.0120, -0.3829} {
		if got := table.EMG(s.State, (out[i]+1)/2); math.Abs(got-want) > 0.00006 {
			t.Errorf("%.5f, want %.4f", got, want)
		}
	}
}

func TestEndgame_coversWhatIsSmall(t *testing.T) {
	l := matchLadder(t, match.State{Length: 5, Cube: 1})
	e := NewEndgame(l, 8000)
	for _, c := range []struct {
		p    board.Position
		want bool
	}{
		{board.Position{Me: board.Checkers{5: 3}, Opp: board.Checkers{5: 3}}, true},
		{board.Position{Me: board.Checkers{5: 4}, Opp: board.Checkers{5: 4}}, false},
		{board.Position{Me: board.Checkers{2: 6}, Opp: board.Checkers{2: 6}}, true},
		{board.Position{Me: board.Checkers{6: 1}, Opp: board.Checkers{5: 1}}, false},
		{board.Start, false},
	} {
		if e.Known().Covers(&c.p, false) != c.want {
			t.Errorf("%s: covered %v", c.p.ID(), !c.want)
		}
	}
	if (*Endgame)(nil).Known().Covers(&board.Start, false) {
		t.Error("nothing covers something")
	}
	for _, s := range []match.State{match.Money(false, 0), {Length: 5, Score: [2]int{4, 4}, Cube: 1}, {Length: 5, Score: [2]int{4, 1}, Cube: 1, Crawford: true}} {
		if NewEndgame(matchLadder(t, s), 100) != nil {
			t.Errorf("%+v has an endgame, want nil", s)
		}
	}
}

// The same cube seen from either side, and rungs above the last useful one, are one.
func TestEndgame_eitherLadder(t *testing.T) {
	p := board.Position{Me: board.Checkers{5: 1, 2: 1}, Opp: board.Checkers{4: 2}}
	s := match.State{Length: 9, Score: [2]int{4, 6}, Cube: 2, Owner: match.Mine}
	l := matchLadder(t, s)
	a, b := NewEndgame(l, 1000), NewEndgame(l.Swap(), 1000)
	spots := []Spot{{Owner: match.Mine}, {Rung: 1, Owner: match.Theirs}, {Rung: 3, Owner: match.Theirs}, {Rung: 5, Owner: match.Mine}}
	var x, y [4]float64
	if !a.Known().Values(&p, false, spots, x[:]) || !b.Known().Values(&p, true, spots, y[:]) || x != y {
		t.Errorf("%v by the player's ladder, %v by the opponent's", x, y)
	}
	var held, given [1]float64
	a.Known().Values(&p, false, []Spot{{Rung: 1, Owner: match.Mine}}, held[:])
	if a.Known().Values(&p, false, []Spot{{Rung: 1, Owner: match.Theirs}}, given[:]); held[0] <= given[0] {
		t.Errorf("holding the cube is worth %v, the opponent's holding it %v", held[0], given[0])
	}
	for i := range a.rungs*2 + 1 {
		if got := a.place(a.spot(i)); got != i {
			t.Errorf("place %d is spot %v, whose place is %d", i, a.spot(i), got)
		}
	}
}

// BenchmarkEndgame works out a bearoff of four checkers each on all points.
func BenchmarkEndgame(b *testing.B) {
	p := board.Position{Me: board.Checkers{5: 4}, Opp: board.Checkers{5: 3}}
	l, err := NewLadder(match.DefaultTable(), match.State{Length: 9, Cube: 1})
	if err != nil {
		b.Fatal(err)
	}
	nodes := 0
	for b.Loop() {
		e := NewEndgame(l, MaxEndgame)
		var out [1]float64
		e.Known().Values(&p, false, []Spot{{}}, out[:])
		nodes = len(e.nodes)
	}
	b.ReportMetric(float64(nodes), "positions")
}
