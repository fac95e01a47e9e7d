package cube

import (
	"fibsbot/engine/board"
	"math"
	"testing"

	"pgregory.net/rapid"

	"fibsbot/engine/eval"
	"fibsbot/engine/match"
)

// drawProbs draws a valid distribution.
func drawProbs(t *rapid.T) eval.Probs {
	w := rapid.Float32Range(0, 1).Draw(t, "win")
	share := rapid.Float32Range(0, 1)
	wg := w * share.Draw(t, "win gammons")
	lg := (1 - w) * share.Draw(t, "lost gammons")
	return eval.Probs{w, wg, wg * share.Draw(t, "win backgammons"), lg, lg * share.Draw(t, "lost backgammons")}
}

func drawState(t *rapid.T) match.State {
	s := match.State{Owner: match.Owner(rapid.IntRange(0, 2).Draw(t, "owner")), Cube: 1 << rapid.IntRange(0, 3).Draw(t, "cube")}
	s.Length = rapid.IntRange(0, 25).Draw(t, "length")
	if s.Length == 0 {
		s.Jacoby = rapid.Bool().Draw(t, "jacoby")
		s.Beavers = rapid.IntRange(0, 3).Draw(t, "beavers")
		return s
	}
	s.Score = [2]int{rapid.IntRange(0, s.Length-1).Draw(t, "me"), rapid.IntRange(0, s.Length-1).Draw(t, "opp")}
	if me, opp := s.Away(); (me == 1) != (opp == 1) {
		s.Crawford = rapid.Bool().Draw(t, "crawford")
	}
	return s
}

func TestValues_bothSidesAddUpToZero(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, pr := drawState(t), drawProbs(t)
		l, err := NewLadder(match.DefaultTable(), s)
		if err != nil {
			t.Fatal(err)
		}
		other, err := NewLadder(match.DefaultTable(), s.Swap())
		if err != nil {
			t.Fatal(err)
		}
		swapped := l.Swap()
		x := rapid.Float64Range(0, 1).Draw(t, "x")
		inv := pr.Invert()
		for rung := uint8(0); rung < 4; rung++ {
			for owner := match.Centred; owner <= match.Theirs; owner++ {
				if rung > 0 && owner == match.Centred {
					continue
				}
				spot := Spot{rung, owner}
				var a, b, c [1]float64
				l.Values(&pr, x, []Spot{spot}, a[:])
				other.Values(&inv, x, []Spot{spot.Swap()}, b[:])
				swapped.Values(&inv, x, []Spot{spot.Swap()}, c[:])
				if math.Abs(a[0]+b[0]) > 1e-4*float64(int(1)<<rung) || math.Abs(b[0]-c[0]) > 1e-9 {
					t.Fatalf("%+v spot %+v: %v, other side %v, swapped %v", s, spot, a[0], b[0], c[0])
				}
			}
		}
	})
}

func TestValues_ownerIsNeverWorseOff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, pr := drawState(t), drawProbs(t)
		if s.Jacoby {
			s.Jacoby = false // a centred cube then counts other points than an owned one
		}
		l, err := NewLadder(match.DefaultTable(), s)
		if err != nil {
			t.Fatal(err)
		}
		var out [3]float64
		l.Values(&pr, 1, []Spot{{0, match.Mine}, {0, match.Centred}, {0, match.Theirs}}, out[:])
		if s.Length == 0 && !(out[0] >= out[1]-1e-5 && out[1] >= out[2]-1e-5) {
			t.Fatalf("%+v %v: mine %v, centred %v, theirs %v", s, pr, out[0], out[1], out[2])
		}
		for i, v := range out {
			if math.IsNaN(v) || (s.Length > 0 && math.Abs(v) > 1+1e-9) {
				t.Fatalf("%+v %v: value %d is %v", s, pr, i, v)
			}
		}
	})
}

// TestValues_manualExample is the worked example of the gnubg manual, features
// 6.3: 3-0 to 7, Woolsey's table, position 4HPMwQCMz+AIIQ.
func TestValues_manualExample(t *testing.T) {
	pr := eval.Probs{0.454, 0.103, 0.001, 0.106, 0.003}
	money, err := NewLadder(nil, match.Money(false, 0))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ x, want float64 }{{0, -0.0970}, {1, -0.1600}, {0.68, -0.1398}} {
		var out [1]float64
		money.Values(&pr, c.x, []Spot{{}}, out[:])
		if math.Abs(out[0]-c.want) > 0.0003 {
			t.Errorf("money x=%v: %.4f, want %.4f", c.x, out[0], c.want)
		}
	}
	s := match.State{Length: 7, Score: [2]int{0, 3}, Cube: 1}
	l, err := NewLadder(match.WoolseyTable(), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ x, want float64 }{{0, 0.2911}, {1, 0.2919}, {0.68, 0.2916}} {
		var out [1]float64
		l.Values(&pr, c.x, []Spot{{}}, out[:])
		if got := (out[0] + 1) / 2; math.Abs(got-c.want) > 0.002 {
			t.Errorf("match x=%v: MWC %.4f, want %.4f", c.x, got, c.want)
		}
	}
}

func TestWindows(t *testing.T) {
	even := eval.Probs{0.5, 0, 0, 0, 0}
	live, err := Windows(nil, match.Money(false, 0), &board.Start, even, 1)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(live.Take-0.2) > 1e-6 || math.Abs(live.Cash-0.8) > 1e-6 {
		t.Errorf("live money window %+v, want take 0.2, cash 0.8", live)
	}
	dead, err := Windows(nil, match.Money(false, 0), &board.Start, even, 0)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(dead.Take-0.25) > 1e-6 || math.Abs(dead.Cash-0.75) > 1e-6 || math.Abs(dead.Double-0.5) > 1e-6 {
		t.Errorf("dead money window %+v, want take 0.25, cash 0.75, double 0.5", dead)
	}
	// Points of gnubg 1.07 ("Market window", dead cube) for 26 % and 14 % of gammons under
	// Jacoby, by hand 1.28/2.8 and with beavers 3.56/7.6.
	for beavers, want := range map[int]float64{0: 1.28 / 2.8, 1: 3.56 / 7.6, 3: 3.56 / 7.6} {
		w, err := Windows(nil, match.Money(true, beavers), &board.Start, eval.Probs{0.5, 0.13, 0, 0.07, 0}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(w.Double-want) > 1e-6 {
			t.Errorf("%d beavers: doubling begins at %v, want %v", beavers, w.Double, want)
		}
	}
	craw := match.State{Length: 5, Score: [2]int{4, 0}, Cube: 1, Crawford: true}
	w, err := Windows(match.DefaultTable(), craw, &board.Start, even, 0.68)
	if err != nil {
		t.Fatal(err)
	}
	if w.Double != 1 || w.Cash != 1 {
		t.Errorf("Crawford window %+v, want none: no one may double", w)
	}
}

func TestStatic_cases(t *testing.T) {
	table := match.DefaultTable()
	money := match.Money(false, 3)
	mine := money
	mine.Owner, mine.Cube = match.Mine, 2
	theirs := money
	theirs.Owner, theirs.Cube = match.Theirs, 2
	cases := []struct {
		name   string
		s      match.State
		pr     eval.Probs
		action Action
		double bool
		take   bool
	}{
		{"even position", match.Money(false, 0), eval.Probs{0.5, 0.1, 0, 0.1, 0}, NoDoubleTake, false, true},
		{"good double", money, eval.Probs{0.74, 0, 0, 0, 0}, DoubleTake, true, true},
		{"cash", money, eval.Probs{0.86, 0, 0, 0, 0}, DoublePass, true, false},
		{"too good", money, eval.Probs{0.97, 0.7, 0.1, 0, 0}, TooGoodPass, false, false},
		{"beaver", money, eval.Probs{0.4, 0.1, 0, 0.1, 0}, NoDoubleBeaver, false, true},
		{"no redouble", mine, eval.Probs{0.6, 0.1, 0, 0.1, 0}, NoDoubleTake, false, true},
		{"cube on the other side", theirs, eval.Probs{0.9, 0.1, 0, 0, 0}, NoAction, false, true},
		{"Crawford", match.State{Length: 3, Score: [2]int{2, 0}, Cube: 1, Crawford: true}, eval.Probs{0.9, 0, 0, 0, 0}, NoAction, false, true},
		{"cube of no use to the leader", match.State{Length: 3, Score: [2]int{2, 0}, Cube: 1}, eval.Probs{0.9, 0, 0, 0, 0}, NoDoubleTake, false, true},
		{"trailer after Crawford doubles", match.State{Length: 7, Score: [2]int{2, 6}, Cube: 1}, eval.Probs{0.5, 0.12, 0, 0.12, 0}, DoubleTake, true, true},
		{"free drop", match.State{Length: 7, Score: [2]int{5, 6}, Cube: 1}, eval.Probs{0.53, 0.14, 0, 0.12, 0}, DoublePass, true, false},
	}
	for _, c := range cases {
		d, err := static(table, c.s, c.pr, 0.68)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if d.Action != c.action || d.Action.Double() != c.double || d.Action.Take() != c.take {
			t.Errorf("%s: %v (double %v, take %v; nd %.3f dt %.3f dp %.3f), want %v", c.name, d.Action,
				d.Action.Double(), d.Action.Take(), d.NoDouble, d.DoubleTake, d.DoublePass, c.action)
		}
	}
	if _, err := static(table, match.State{Cube: 3}, eval.Probs{}, 0.5); err == nil {
		t.Error("cube of 3 accepted")
	}
}

// static is the decision without any search: Janowski's formulas on chances pr
// with cube efficiency x.
func static(t *match.Table, s match.State, pr eval.Probs, x float64) (Decision, error) {
	l, err := NewLadder(t, s)
	if err != nil {
		return Decision{}, err
	}
	spots := [2]Spot{{Owner: s.Owner}, {Rung: 1, Owner: match.Theirs}}
	var out [2]float64
	l.Values(&pr, x, spots[:], out[:])
	return Settle(t, s, l, &board.Start, pr, out[0], out[1]), nil
}

func TestBluff(t *testing.T) {
	d := Decision{Action: NoDoubleTake, NoDouble: 0.5, DoubleTake: 0.4, DoublePass: 1}
	if share, ok := d.Bluff(); !ok || math.Abs(share-1.0/6) > 1e-12 {
		t.Errorf("no double, take: %v %v, want 1/6", share, ok)
	}
	d = Decision{Action: TooGoodPass, NoDouble: 1.1, DoubleTake: 1.5, DoublePass: 1}
	if share, ok := d.Bluff(); !ok || math.Abs(share-0.2) > 1e-12 {
		t.Errorf("too good, pass: %v %v, want 0.2", share, ok)
	}
	d = Decision{Action: NoDoubleBeaver, NoDouble: -0.1, DoubleTake: -0.3, DoublePass: 1}
	if share, ok := d.Bluff(); !ok || math.Abs(share-0.5/1.6) > 1e-12 {
		t.Errorf("no double, beaver: %v %v, want 0.3125", share, ok)
	}
	// Rolling is worth less than a take and more than the beaver.
	d.NoDouble, d.DoubleTake = -0.01, -0.006
	if share, ok := d.Bluff(); !ok || share < 0 || share > 0.01 {
		t.Errorf("near nothing: %v %v", share, ok)
	}
	d.Action = DoubleTake
	if _, ok := d.Bluff(); ok {
		t.Error("a right double has no bluff share")
	}
}

func TestRaccoon(t *testing.T) {
	d := Decision{DoubleTake: 0.1}
	if !d.Raccoon(match.Money(false, 2)) || d.Raccoon(match.Money(false, 1)) {
		t.Error("a doubler who is still ahead raccoons where two redoubles are allowed")
	}
}

func TestEffective(t *testing.T) {
	for _, c := range []struct{ equity, dead, live, want float64 }{
		{0.5, 0, 1, 0.5}, {-0.2, 0, 1, 0.7}, {1.1, 0, 1, 0.7}, {0.3, 0.4, 0.4, 0.7},
	} {
		if got := Effective(c.equity, c.dead, c.live, 0.7); got != c.want {
			t.Errorf("Effective(%v, %v, %v) = %v, want %v", c.equity, c.dead, c.live, got, c.want)
		}
	}
}

func TestResign(t *testing.T) {
	table := match.DefaultTable()
	money := match.Money(false, 0)
	dmp := match.State{Length: 5, Score: [2]int{4, 4}, Cube: 1}
	cases := []struct {
		name    string
		s       match.State
		pr      eval.Probs
		cubeful float64
		want    int
	}{
		{"lost singly", money, eval.Probs{0, 0, 0, 0, 0}, -1, 1},
		{"lost a gammon", money, eval.Probs{0, 0, 0, 1, 0}, -2, 2},
		{"lost a backgammon", money, eval.Probs{0, 0, 0, 1, 1}, -3, 3},
		{"gammon open", money, eval.Probs{0, 0, 0, 0.5, 0}, -1.5, 0},
		{"chances left", money, eval.Probs{0.02, 0, 0, 0, 0}, -0.96, 0},
		{"gammon does not count", dmp, eval.Probs{0, 0, 0, 0.5, 0}, -1, 1},
	}
	for _, c := range cases {
		if got := UsualResign.Offers(table, c.s, c.pr, c.cubeful); got != c.want {
			t.Errorf("%s: offers %d, want %d", c.name, got, c.want)
		}
		if c.want > 0 && !UsualResign.Accepts(table, c.s, c.pr, c.cubeful, c.want) {
			t.Errorf("%s: level %d refused", c.name, c.want)
		}
		if c.want > 1 && UsualResign.Accepts(table, c.s, c.pr, c.cubeful, c.want-1) {
			t.Errorf("%s: too cheap level %d accepted", c.name, c.want-1)
		}
	}
	if got := (ResignStyle{Never: true}).Offers(table, money, eval.Probs{}, -1); got != 0 {
		t.Errorf("never style offers %d", got)
	}
}

func TestValues_noAllocation(t *testing.T) {
	l, err := NewLadder(match.DefaultTable(), match.State{Length: 7, Cube: 1})
	if err != nil {
		t.Fatal(err)
	}
	spots := []Spot{{0, match.Centred}, {1, match.Theirs}, {1, match.Mine}, {2, match.Theirs}}
	out := make([]float64, len(spots))
	pr := eval.Probs{0.55, 0.2, 0.01, 0.1, 0.01}
	if n := testing.AllocsPerRun(100, func() { l.Values(&pr, 0.68, spots, out) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkValues_match(b *testing.B) {
	l, _ := NewLadder(match.DefaultTable(), match.State{Length: 7, Cube: 1})
	spots := []Spot{{0, match.Centred}, {1, match.Theirs}, {1, match.Mine}, {2, match.Theirs}}
	out := make([]float64, len(spots))
	pr := eval.Probs{0.55, 0.2, 0.01, 0.1, 0.01}
	for b.Loop() {
		l.Values(&pr, 0.68, spots, out)
	}
}

// A double is free to a player whose opponent wins the match with the present cube.
func TestSettle_free(t *testing.T) {
	for _, tt := range []struct {
		state match.State
		free  bool
	}{
		{match.State{Length: 5, Score: [2]int{1, 4}, Cube: 1}, true},
		{match.State{Length: 5, Score: [2]int{4, 1}, Cube: 1}, false},
		{match.State{Length: 5, Score: [2]int{1, 3}, Cube: 2, Owner: match.Mine}, true},
		{match.State{Length: 5, Cube: 1}, false},
		{match.State{Cube: 1}, false},
	} {
		d := Settle(match.DefaultTable(), tt.state, nil, &board.Start, eval.Probs{}, 0, 0)
		if d.Free != tt.free {
			t.Errorf("%+v: free %v", tt.state, d.Free)
		}
	}
}
